import type { Family } from '../kit/controller.ts'
import { KRUISE_DEFINITION } from './controller/definition.ts'
import { daemonSets } from './daemonset/kind.ts'
import { METRICS } from './metrics.ts'
import { rolloutControllers } from './rollout/reconcile.ts'
import {
  DEEP_VALIDATION,
  ENABLE_DAEMONSET_CONTROLLER,
  EXCLUDED_NAMESPACES,
  FEATURE_GATES,
  MARK_BURST,
  MARK_QPS,
  POD_FAILURE_POLICY,
  PODS_WEBHOOK_FAILURE_POLICY,
  RELABEL_STABILIZATION_SECONDS,
  ROLLOUT_MODE,
} from './settings.ts'

/** Node-label patches for DaemonSets. */
export const kruise: Family = {
  name: 'kruise',
  defines: (settings) => (settings.get(ENABLE_DAEMONSET_CONTROLLER) ? [KRUISE_DEFINITION] : []),
  kinds: () => daemonSets,
  controllers: () => rolloutControllers,
  metrics: METRICS,
  settings: [
    FEATURE_GATES,
    POD_FAILURE_POLICY,
    DEEP_VALIDATION,
    ROLLOUT_MODE,
    RELABEL_STABILIZATION_SECONDS,
    MARK_QPS,
    MARK_BURST,
    ENABLE_DAEMONSET_CONTROLLER,
    PODS_WEBHOOK_FAILURE_POLICY,
    EXCLUDED_NAMESPACES,
  ],
}
