import type { Built } from '../../../kit/controller.ts'
import type { Tree, Words } from '../../../kit/schema.ts'
import { ANNOTATIONS } from '../../names.ts'
import { MIN_READY_SECONDS } from '../settings.ts'
import { childNamesOf, replicasOf } from '../shape.ts'
import { dataVolumeOf } from './data-volume.ts'
import { templateOf } from './main-container.ts'
import { childMetadata, copied, fixedLabelsOf } from './metadata.ts'
import { filled, treeIn, wordsIn } from './parts.ts'
import { podSpec } from './pod-spec.ts'
import type { NacosSubject } from './subject.ts'

/** What StatefulSets are built by (NC-STS-60). To build them otherwise takes another revision (NC-STS-63). */
export const TEMPLATE_REVISION = '1'

/** NC-STS-01 to NC-STS-31; the partition is the user's (NC-STS-03). */
export function statefulSetFor(subject: NacosSubject): Built {
  const { nacos, settings, config } = subject
  const annotations = { [ANNOTATIONS.templateRevision]: TEMPLATE_REVISION }
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: childMetadata(nacos, nacos.metadata.name, { annotations }),
    spec: {
      replicas: replicasOf(nacos),
      updateStrategy: { type: 'RollingUpdate' },
      minReadySeconds: settings.get(MIN_READY_SECONDS),
      ...immutableFields(subject),
      template: {
        metadata: {
          labels: podLabels(subject),
          ...(config !== undefined && { annotations: { [ANNOTATIONS.configDigest]: config.digest } }),
        },
        spec: podSpec(subject),
      },
    },
  }
}

const IMMUTABLE = ['serviceName', 'podManagementPolicy', 'selector', 'volumeClaimTemplates']

/** They count at creation; what stands is sent back, since an apply without it is refused like a change (NC-STS-41). */
function immutableFields({ nacos, live }: NacosSubject): Tree {
  if (live !== undefined) {
    const spec = treeIn(treeIn(live).spec)
    return filled(Object.fromEntries(IMMUTABLE.map((key) => [key, spec[key]])))
  }
  const [name, headless] = childNamesOf(nacos.metadata.name)
  return {
    serviceName: nacos.spec?.type === 'cluster' ? headless : name,
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: fixedLabelsOf(nacos) },
    ...filled({ volumeClaimTemplates: dataVolumeOf(nacos).claims }),
  }
}

/** Labels of the Nacos that change later do not come to its pods: that would restart them (NC-STS-11). */
function podLabels({ nacos, live }: NacosSubject): Words {
  const { labels } = treeIn(templateOf(live).metadata)
  return { ...(live === undefined ? copied(nacos.metadata.labels) : wordsIn(labels)), ...fixedLabelsOf(nacos) }
}
