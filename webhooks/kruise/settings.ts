import { choice, flag, integer, list, setting, text } from '../kit/schema.ts'

export const FEATURE_GATES = setting(
  'featureGates',
  list(
    choice(['AdvancedDaemonSetNodeLabelPatches=true', 'AdvancedDaemonSetNodeLabelPatches=false'], {
      doc: 'a gate and its state',
    }),
    { doc: 'gates by name; with the one of node patches off, no pod is patched and no pod is replaced', default: [] },
  ),
)
export const POD_FAILURE_POLICY = setting(
  'podFailurePolicy',
  choice(['Closed', 'Open'], {
    doc: 'what becomes of a pod of a DaemonSet whose node patches cannot be applied: refused, or created without them',
    default: 'Closed',
  }),
)
export const DEEP_VALIDATION = setting(
  'deepValidation',
  flag({ doc: 'let the API server check patched pod templates in a dry run', default: true }),
)
export const ROLLOUT_MODE = setting(
  'rolloutMode',
  choice(['Mark', 'Delete', 'None'], {
    doc: 'how pods with outdated node patches are replaced: marked for their controller, deleted, or not at all',
    default: 'Mark',
  }),
)
export const RELABEL_STABILIZATION_SECONDS = setting(
  'relabelStabilizationSeconds',
  integer({
    doc: 'how long changed labels of a Node last before its pods are replaced',
    default: 30,
    minimum: 0,
    maximum: 86_400,
  }),
)
export const MARK_QPS = setting(
  'markQps',
  integer({ doc: 'pods that are marked as outdated per second', default: 20, minimum: 1, maximum: 1_000 }),
)
export const MARK_BURST = setting(
  'markBurst',
  integer({ doc: 'pods that may be marked as outdated at once', default: 100, minimum: 1, maximum: 10_000 }),
)
export const ENABLE_DAEMONSET_CONTROLLER = setting(
  'enableDaemonsetController',
  flag({ doc: 'control DaemonSets of apps.kruise.io, where no OpenKruise does', default: false }),
)
export const PODS_WEBHOOK_FAILURE_POLICY = setting(
  'podsWebhookFailurePolicy',
  choice(['Ignore', 'Fail'], {
    doc: 'whether pods of DaemonSets start without node patches, or not at all, while the webhook is away',
    default: 'Ignore',
  }),
)
export const EXCLUDED_NAMESPACES = setting(
  'excludedNamespaces',
  list(text({ doc: 'name of a namespace', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' }), {
    doc: 'namespaces whose pods get no node patches',
    default: [],
  }),
)
