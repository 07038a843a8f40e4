import { choice, integer, list, setting, text } from '../../kit/schema.ts'

export const SETTLE_SECONDS = setting(
  'nacosSettleSeconds',
  integer({
    doc: 'how long the source ConfigMaps of a Nacos are quiet before they are merged',
    default: 5,
    minimum: 0,
    maximum: 600,
  }),
)
export const MIN_READY_SECONDS = setting(
  'nacosMinReadySeconds',
  integer({
    doc: 'how long a member of a Nacos is ready before the next one is replaced',
    default: 10,
    minimum: 0,
    maximum: 3_600,
  }),
)
export const STUCK_SECONDS = setting(
  'nacosStuckSeconds',
  integer({
    doc: 'how long a rollout of a Nacos makes no progress before it counts as stuck',
    default: 600,
    minimum: 1,
    maximum: 86_400,
  }),
)
export const CREATE_DEADLINE_SECONDS = setting(
  'nacosCreateDeadlineSeconds',
  integer({
    doc: 'how long a new Nacos may take to run before its phase is Failed',
    default: 180,
    minimum: 1,
    maximum: 86_400,
  }),
)
export const PROTECTED_KEYS = setting(
  'nacosProtectedKeys',
  list(
    text({
      doc: 'a key of the configuration, or the beginning of keys and a *',
      minLength: 1,
      maxLength: 253,
      pattern: '^[^\\s,*]*[^\\s,]$',
    }),
    { doc: 'keys that the user ConfigMap of a Nacos may not set, in all namespaces', maxItems: 1_000, default: [] },
  ),
)
export const CLIENT_SERVICE_TYPE = setting(
  'nacosClientServiceType',
  choice(['ClusterIP', 'NodePort', 'LoadBalancer'], {
    doc: 'type of the client Service of a new Nacos',
    default: 'ClusterIP',
  }),
)
