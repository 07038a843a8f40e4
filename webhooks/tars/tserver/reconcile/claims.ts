import { carries } from '../../../../src/kube/labels.ts'
import { isTerminating } from '../../../../src/kube/metadata.ts'
import {
  type Action,
  defineController,
  type Given,
  type Key,
  labelled,
  type Plan,
  type Sight,
} from '../../../kit/controller.ts'
import type { Found, KubeObject } from '../../../kit/schema.ts'
import { ANNOTATIONS, LABELS, SERVER_LABELS } from '../../names.ts'
import { PERSISTENT_VOLUME_CLAIM } from '../../pods.ts'
import { misnamed } from '../identity.ts'
import { labelsOf, refOf } from '../objects/subject.ts'
import { DELAY_BIND } from '../reserved.ts'
import { TSERVER, type TServer } from '../schema.ts'
import { REMOVED_VOLUME_POLICY } from '../settings.ts'
import { isClaim, type Mount, mountsOf, nameIn } from '../shape.ts'

interface ClaimsSeen {
  readonly server: TServer
  readonly claims: readonly Found<KubeObject>[]
}

const KEPT = {
  carrying: SERVER_LABELS,
  byLabels: SERVER_LABELS,
  fields: ['metadata.annotations', 'metadata.deletionTimestamp'],
}

/** The claims of local volumes: StatefulSets make them, and never change them. Only one that removes any may do so. */
export const tserverClaimsController = (settings: Given['settings']) =>
  defineController<TServer, ClaimsSeen>({
    name: 'tserver-claims',
    of: TSERVER,
    watches: [labelled(PERSISTENT_VOLUME_CLAIM, nameIn, KEPT)],
    writes: [
      {
        resource: PERSISTENT_VOLUME_CLAIM,
        verbs: settings.get(REMOVED_VOLUME_POLICY) === 'Delete' ? ['merge', 'remove'] : ['merge'],
      },
    ],
    observe,
    plan,
  })

/** A server that cannot be read, or that has the labels of another one, has no claims. */
async function observe(key: Key, { cached }: Sight): Promise<ClaimsSeen | undefined> {
  const server = await cached.get(TSERVER, key)
  if (!TSERVER.isOutline(server) || isTerminating(server) || misnamed(server).length > 0) return undefined
  const { namespace } = refOf(server)
  const claims = await cached.list(PERSISTENT_VOLUME_CLAIM, { namespace, labels: labelsOf(server) })
  return { server, claims }
}

function plan({ server: { spec }, claims }: ClaimsSeen, { settings }: Given): Plan {
  const mounts = new Map(
    mountsOf(spec)
      .filter(isClaim)
      .map((mount) => [mount.name, mount]),
  )
  const isDeleting = settings.get(REMOVED_VOLUME_POLICY) === 'Delete'
  const actions = claims.flatMap((claim): readonly Action[] => {
    const volume = claim.metadata.labels?.[LABELS.localVolume]
    if (volume === undefined || isTerminating(claim)) return []
    const mount = mounts.get(volume)
    if (mount !== undefined) return spec.k8s.daemonSet ? [] : annotated(claim, mount)
    return isDeleting && volume !== DELAY_BIND ? [removal(claim)] : []
  })
  return { actions }
}

/** MP-23: what the node agent gives the folder. */
function annotated(claim: Found<KubeObject>, { source: { tLocalVolume } }: Mount): readonly Action[] {
  if (tLocalVolume === undefined) return []
  const { uid = '0', gid = '0', mode = '755' } = tLocalVolume
  const annotations = {
    [ANNOTATIONS.localVolumeUid]: uid,
    [ANNOTATIONS.localVolumeGid]: gid,
    [ANNOTATIONS.localVolumeMode]: mode,
  }
  if (carries(claim.metadata.annotations, annotations)) return []
  return [{ ...on(claim), do: 'merge', patch: { metadata: { annotations } }, because: 'MP-23' }]
}

/** MP-33: a pod that still has the volume keeps the claim until it ends. */
const removal = (claim: Found<KubeObject>): Action => ({
  ...on(claim),
  do: 'remove',
  because: 'MP-33: its tLocalVolume was removed from the server',
})

function on({ metadata: { namespace = '', name, uid = '' } }: KubeObject) {
  return { of: PERSISTENT_VOLUME_CLAIM, ref: { namespace, name }, expects: { uid } }
}
