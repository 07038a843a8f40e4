const PREFIX = 'daemonset.kruise.io/'

/** Annotations of DaemonSets, but for the last ones. */
export const ANNOTATIONS = {
  /** The list of patches as a JSON array (PATCH-API-2). */
  patches: `${PREFIX}patches`,
  /** Its value `tserver` says that the list is a copy of that of a TServer (PATCH-API-4). */
  source: `${PREFIX}patches-source`,
  failurePolicy: `${PREFIX}patches-failure-policy`,
  rollout: `${PREFIX}patches-rollout`,
  observed: `${PREFIX}patches-observed`,
  /** The template generation, which the native controller writes to the pods as a label. */
  generation: 'deprecated.daemonset.template.generation',
  /** The DaemonSet creates its pods node by node while it has a partition, in v1alpha1. */
  progressive: `${PREFIX}progressive-create-pod`,
  // Of pods.
  combinedHash: `${PREFIX}patch-combined-hash`,
  applied: `${PREFIX}applied-patches`,
  templateHash: `${PREFIX}patched-template-hash`,
  stale: `${PREFIX}patch-stale`,
  revision: `${PREFIX}revision`,
} as const

/** The annotations that say with which patches a pod was made (spec 6.4). */
export const STAMPS = [ANNOTATIONS.combinedHash, ANNOTATIONS.applied, ANNOTATIONS.templateHash]

export const LABELS = {
  revision: 'controller-revision-hash',
  generation: 'pod-template-generation',
  lifecycle: 'lifecycle.apps.kruise.io/state',
  /** On the revisions of the built-in controller. */
  templateHash: `${PREFIX}template-hash`,
  /** On the DaemonSets of the support probe (PATCH-API-9). */
  probe: `${PREFIX}patches-probe`,
} as const

/** Readiness gates that OpenKruise sets. */
export const GATES = ['InPlaceUpdateReady', 'KruisePodReady']
