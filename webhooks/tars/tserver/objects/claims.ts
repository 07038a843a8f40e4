import { LABELS } from '../../names.ts'
import { LOCAL_VOLUME_STORAGE_CLASS } from '../settings.ts'
import type { Mount } from '../shape.ts'
import { mountsFor } from './mounts.ts'
import { labelsOf, type Subject } from './subject.ts'
import { filled } from './written-form.ts'

/** MP-22c, MP-22d: the volumeClaimTemplates of the StatefulSet, each by the name of its mount. */
export function claimTemplatesFor(subject: Subject) {
  return mountsFor(subject).flatMap((mount) => claimsOf(mount, subject))
}

function claimsOf({ name, source }: Mount, subject: Subject) {
  const { persistentVolumeClaimTemplate: template, tLocalVolume } = source
  if (template !== undefined) {
    const { labels, annotations } = template.metadata ?? {}
    return [claim({ name, ...filled({ labels, annotations }) }, template.spec)]
  }
  return tLocalVolume === undefined ? [] : [localVolumeClaim(name, subject)]
}

const claim = (metadata: object, spec: object) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata,
  spec,
})

/** Without an owner: the garbage collector would delete the data together with the TServer. */
function localVolumeClaim(name: string, { server, given: { settings } }: Subject) {
  const labels = () => ({ ...labelsOf(server), [LABELS.localVolume]: name })
  return claim(
    { name, labels: labels() },
    {
      accessModes: ['ReadWriteOnce'],
      volumeMode: 'Filesystem',
      storageClassName: settings.get(LOCAL_VOLUME_STORAGE_CLASS),
      resources: { requests: { storage: '1G' } },
      selector: { matchLabels: labels() },
    },
  )
}
