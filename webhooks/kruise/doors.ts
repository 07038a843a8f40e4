import type { Door } from '../kit/admission.ts'
import type { Settings } from '../kit/schema.ts'
import { timing } from './metrics.ts'
import { EXCLUDED_NAMESPACES, PODS_WEBHOOK_FAILURE_POLICY } from './settings.ts'

const HAS_ANNOTATION = "has(o.metadata.annotations) && 'daemonset.kruise.io/patches' in o.metadata.annotations"
const HAS_FIELD = 'has(o.spec) && has(o.spec.patches)'

export const VALIDATOR = 'daemonset-patches-validator'

/** DaemonSets without patches, before and after, do not come here. */
export const VALIDATE: Door = {
  name: 'daemonset-patches.kruise.io',
  configuration: VALIDATOR,
  path: '/validate-daemonset-patches',
  phase: 'validate',
  operations: ['CREATE', 'UPDATE'],
  failurePolicy: 'Fail',
  timeoutSeconds: 5,
  sideEffects: 'None',
  times: timing('validate_total'),
  matchConditions: [
    {
      name: 'has-patches',
      expression: `[object, oldObject].exists(o, o != null && ((${HAS_ANNOTATION}) || (${HAS_FIELD})))`,
    },
  ],
}

/** For DaemonSets of apps.kruise.io where the worker controls them (PATCH-CTL-4). */
export const VALIDATE_CONTROLLED: Door = {
  name: 'daemonsets.daemonset-patches.kruise.io',
  configuration: VALIDATOR,
  path: '/validate-daemonsets',
  phase: 'validate',
  operations: ['CREATE', 'UPDATE'],
  failurePolicy: 'Fail',
  timeoutSeconds: 5,
  sideEffects: 'None',
}

/** Sorts before the configuration of OpenKruise: the API server calls them in the order of their names (PATCH-API-9). */
export const MUTATOR = 'daemonset-patches-mutator'
export const PODS_WEBHOOK = 'pods.daemonset-patches.kruise.io'

/** For DaemonSets of apps.kruise.io alone (PATCH-API-9). */
export const MUTATE_SPEC: Door = {
  name: 'spec.daemonset-patches.kruise.io',
  configuration: MUTATOR,
  path: '/mutate-daemonset-patches',
  phase: 'mutate',
  operations: ['CREATE', 'UPDATE'],
  failurePolicy: 'Ignore',
  timeoutSeconds: 2,
  sideEffects: 'None',
  matchConditions: [{ name: 'has-patches', expression: 'has(object.spec.patches)' }],
}

/** Without optional fields, which an older API server does not know (PATCH-POD-2). */
const OWNED_BY_DAEMONSET =
  'has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(r, ' +
  "has(r.controller) && r.controller && r.kind == 'DaemonSet' && " +
  "(r.apiVersion.startsWith('apps/') || r.apiVersion.startsWith('apps.kruise.io/')))"

/**
 * Not called again for a patched pod, since to merge twice is not to merge once (PATCH-POD-17). While the webhook is away,
 * pods start without patches, or wait where the operator says so, but for those of the system (PATCH-POD-3).
 */
export function mutatePods(settings: Settings): Door {
  const failurePolicy = settings.get(PODS_WEBHOOK_FAILURE_POLICY)
  const system = failurePolicy === 'Fail' ? ['kube-system'] : []
  return {
    name: PODS_WEBHOOK,
    configuration: MUTATOR,
    path: '/mutate-daemonset-pods',
    phase: 'mutate',
    operations: ['CREATE'],
    failurePolicy,
    unanswered: 'refuse',
    timeoutSeconds: 2,
    lookUpMs: 500, // PATCH-POD-10, PATCH-POD-12
    sideEffects: 'NoneOnDryRun',
    times: timing('admit_total'),
    matchConditions: [{ name: 'owned-by-daemonset', expression: OWNED_BY_DAEMONSET }],
    exceptNamespaces: [...system, ...settings.get(EXCLUDED_NAMESPACES)],
  }
}
