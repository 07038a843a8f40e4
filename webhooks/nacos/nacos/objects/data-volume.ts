import type { Tree } from '../../../kit/schema.ts'
import type { Nacos } from '../schema.ts'
import { textIn, treeIn } from './parts.ts'

const DATA_PATH = '/home/nacos/data'
/** The name of a volume that names none itself. */
export const DATA_VOLUME = 'db'

/** Where the data of a member is (NC-STS-28). */
export interface DataVolume {
  readonly volumes: readonly Tree[]
  readonly volumeMounts: readonly Tree[]
  readonly claims: readonly Tree[]
}
const NOWHERE: DataVolume = { volumes: [], volumeMounts: [], claims: [] }

export function dataVolumeOf({ spec }: Nacos): DataVolume {
  const { hostPath, emptyDir, volumeClaimTemplate, enabled } = spec?.volume ?? {}
  if (hostPath !== undefined) return inPod({ hostPath })
  if (emptyDir !== undefined) return inPod({ emptyDir })
  if (volumeClaimTemplate !== undefined)
    return claimed(claimOf(volumeClaimTemplate, spec?.volume?.persistentVolumeSize))
  return enabled === true ? claimed(plainClaim(spec?.volume ?? {})) : NOWHERE
}

const mountOf = (name: string) => [{ name, mountPath: DATA_PATH }]
const inPod = (source: Tree): DataVolume => ({
  volumes: [{ name: DATA_VOLUME, ...source }],
  volumeMounts: mountOf(DATA_VOLUME),
  claims: [],
})
const claimed = (claim: Tree): DataVolume => ({
  volumes: [],
  volumeMounts: mountOf(textIn(treeIn(claim.metadata).name)),
  claims: [claim],
})

function claimOf({ metadata, spec }: Tree, size: string | undefined): Tree {
  const { resources, ...rest } = treeIn(spec)
  const requests = { ...treeIn(treeIn(resources).requests), ...(size && { storage: size }) }
  return {
    metadata: { ...treeIn(metadata), name: textIn(treeIn(metadata).name) || DATA_VOLUME },
    spec: { accessModes: ['ReadWriteOnce'], ...rest, resources: { ...treeIn(resources), requests } },
  }
}

/** The dialect of the operator of nacos-group. */
function plainClaim({ requests, storageClass }: NonNullable<NonNullable<Nacos['spec']>['volume']>): Tree {
  return {
    metadata: { name: DATA_VOLUME },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests },
      ...(storageClass && { storageClassName: storageClass }),
    },
  }
}
