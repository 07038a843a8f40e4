/** All children of a Nacos carry these, their pods and selectors too; `app` has the name of the Nacos (spec 1.5). */
export const FIXED_LABELS = { middleware: 'nacos', component: 'nacos' } as const

export const LABELS = {
  app: 'app',
  middleware: 'middleware',
  component: 'component',
  /** On ConfigMaps, and what brings them to the webhook (NC-ADM-01). */
  configRole: 'nacos.io/config-role',
} as const
export const CONFIG_ROLES = { final: 'final', source: 'source' } as const

export const ANNOTATIONS = {
  /** Of the pod template, and of the final ConfigMap about its own content. */
  configDigest: 'nacos.io/config-digest',
  /** Of the final ConfigMap: the digest of each source. */
  configSources: 'nacos.io/config-sources',
  /** Of the StatefulSet (NC-STS-60). */
  templateRevision: 'nacos.io/template-revision',
  // Of a Nacos.
  reconcilePaused: 'nacos.io/reconcile-paused',
  configRollout: 'nacos.io/config-rollout',
  configSettleSeconds: 'nacos.io/config-settle-seconds',
  adoptFinalConfig: 'nacos.io/adopt-final-config',
  deletionProtection: 'nacos.io/deletion-protection',
  // Of the internal source (NC-PRO-01).
  protectedKeys: 'nacos.io/protected-keys',
  overridableKeys: 'nacos.io/overridable-keys',
} as const

/** The keys that a ConfigMap of each kind holds the configuration under. */
export const KEYS = {
  user: 'user.properties',
  internal: 'internal.properties',
  final: 'application.properties',
  old: 'custom.properties',
} as const

export const MOUNT_PATHS = {
  final: '/home/nacos/conf/application.properties',
  old: '/home/nacos/init.d/custom.properties',
} as const
/** The volume of the configuration, which an overlay may tune but not replace (NC-STS-26). */
export const CONFIG_VOLUME = 'config'
