export const LABELS = {
  app: 'tars.io/ServerApp',
  server: 'tars.io/ServerName',
  subType: 'tars.io/SubType',
  template: 'tars.io/Template',
  serverId: 'tars.io/ServerID',
  parent: 'tars.io/Parent',
  approve: 'tars.io/Approve',
  configName: 'tars.io/ConfigName',
  podSeq: 'tars.io/PodSeq',
  version: 'tars.io/Version',
  activated: 'tars.io/Activated',
  deactivate: 'tars.io/Deactivate',
  deactivating: 'tars.io/Deactivating',
  deleting: 'tars.io/Deleting',
  imageType: 'tars.io/ImageType',
  localVolume: 'tars.io/LocalVolume',
} as const

export const ANNOTATIONS = {
  maxReplicas: 'tars.io/MaxReplicas',
  minReplicas: 'tars.io/MinReplicas',
  activatedAt: 'tars.io/ActivatedAt',
  activatedBy: 'tars.io/ActivatedBy',
  approvedBy: 'tars.io/ApprovedBy',
  deploy: 'tars.io/TDeploy',
  markedAt: 'tars.io/MarkedAt',
  markedBy: 'tars.io/MarkedBy',
  localVolumeUid: 'tars.io/LocalVolumeUID',
  localVolumeGid: 'tars.io/LocalVolumeGID',
  localVolumeMode: 'tars.io/LocalVolumeMode',
  markedByUid: 'tars.io/MarkedByUid',
} as const

/** Annotations of family kruise: patches for the pods of a DaemonSet by their Node, and who wrote them (PATCH-API-4). */
export const NODE_PATCHES = {
  list: 'daemonset.kruise.io/patches',
  source: 'daemonset.kruise.io/patches-source',
} as const

/** The labels of an object of a server. A pod counts by these, and not by its owner (TE-R3). */
export const SERVER_LABELS = [LABELS.app, LABELS.server]

/** The registry of Tars sets this condition of a pod, which it needs to be ready (TE-R5). */
export const READINESS_GATE = 'tars.io/active'

/** A namespace has one of each. */
export const TREE_NAME = 'tars-tree'
export const FRAMEWORK_NAME = 'tars-framework'

export function tarsResource<const K extends string, const P extends string>(kind: K, plural: P) {
  return {
    group: 'k8s.tars.io',
    version: 'v1beta2',
    kind,
    plural,
    scope: 'Namespaced',
  } as const
}
