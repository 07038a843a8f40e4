import type { Family } from '../kit/controller.ts'
import { KRUISE_DEFINITION } from './controller/definition.ts'
import { controlled } from './controller/kind.ts'
import { daemonSetController } from './controller/reconcile.ts'
import { daemonSets } from './daemonset/kind.ts'
import { APPS_DAEMONSET } from './daemonsets.ts'
import { CLUSTER_FIELDS } from './document/pod-fields.ts'
import { explain } from './explain/command.ts'
import { METRICS } from './metrics.ts'
import { podOfDaemonSet } from './pod/kind.ts'
import { crdCheck } from './probe/crd-check.ts'
import { specGuards } from './probe/kind.ts'
import { SUPPORT } from './probe/probe.ts'
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

/** The built-in controller rolls patches itself. */
const besideKubernetes = rolloutControllers.filter(({ of }) => of.group === APPS_DAEMONSET.group)

/** Node-label patches for DaemonSets. */
export const kruise: Family = {
  name: 'kruise',
  defines: (settings) => (settings.get(ENABLE_DAEMONSET_CONTROLLER) ? [KRUISE_DEFINITION] : []),
  kinds: (settings) => [
    ...daemonSets,
    ...specGuards,
    ...(settings.get(ENABLE_DAEMONSET_CONTROLLER) ? controlled : []),
    podOfDaemonSet(settings),
  ],
  controllers: (_, settings) =>
    settings.get(ENABLE_DAEMONSET_CONTROLLER) ? [...besideKubernetes, daemonSetController] : rolloutControllers,
  metrics: METRICS,
  facts: [CLUSTER_FIELDS, SUPPORT],
  commands: [crdCheck, explain],
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
