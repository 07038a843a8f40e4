import { isMoreThan } from '../../../src/kube/quantities.ts'
import { isSame } from '../../kit/admission.ts'
import { DATA_VOLUME } from './objects/data-volume.ts'
import { textIn, treeIn } from './objects/parts.ts'
import type { Nacos } from './schema.ts'

/** Where the data of a member is, as far as it cannot change (NC-ADM-21). */
interface DataPlace {
  readonly kind: 'hostPath' | 'emptyDir' | 'claim' | 'none'
  readonly claim?: { readonly name: string; readonly storageClass: unknown; readonly accessModes: unknown }
  readonly size?: unknown
}

const USUAL_MODES = ['ReadWriteOnce']

/** The first that is set of four (NC-STS-28). */
function placeOf({ spec }: Nacos): DataPlace {
  const volume = spec?.volume ?? {}
  if (volume.hostPath !== undefined) return { kind: 'hostPath' }
  if (volume.emptyDir !== undefined) return { kind: 'emptyDir' }
  if (volume.volumeClaimTemplate !== undefined) return templated(volume)
  if (volume.enabled !== true) return { kind: 'none' }
  const claim = { name: DATA_VOLUME, storageClass: volume.storageClass || undefined, accessModes: USUAL_MODES }
  return { kind: 'claim', claim, size: volume.requests?.storage }
}

type VolumeSpec = NonNullable<NonNullable<Nacos['spec']>['volume']>
function templated({ volumeClaimTemplate, persistentVolumeSize }: VolumeSpec): DataPlace {
  const { metadata, spec } = treeIn(volumeClaimTemplate)
  const { storageClassName, accessModes = USUAL_MODES, resources } = treeIn(spec)
  const name = textIn(treeIn(metadata).name) || DATA_VOLUME
  const size = persistentVolumeSize || treeIn(treeIn(resources).requests).storage
  return { kind: 'claim', claim: { name, storageClass: storageClassName, accessModes }, size }
}

/** What an update does to the volumes of the members. */
export function volumeChange(prev: Nacos, next: Nacos): 'none' | 'grown' | 'refused' {
  const [{ size: before, ...old }, { size, ...place }] = [placeOf(prev), placeOf(next)]
  if (!isSame(old, place)) return 'refused'
  if (isMoreThan(size, before)) return 'grown'
  return isMoreThan(before, size) || (before === undefined) !== (size === undefined) ? 'refused' : 'none'
}
