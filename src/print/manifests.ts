import { needsOfFacts } from '../fact.ts'
import { type Family, factsIn, kindsOf } from '../family.ts'
import type { Controller } from '../reconcile/controller.ts'
import type { Settings } from '../setting.ts'
import { configurations } from './configurations.ts'
import { definitionsOf } from './crds.ts'
import { LABELS, type Manifest } from './objects.ts'
import { type ForPeople, people } from './people.ts'
import { rbac } from './rbac.ts'
import { type Installation, workloads } from './workloads.ts'

export interface ManifestOptions extends Installation, ForPeople {
  readonly set: 'all' | 'crds' | 'people' | 'rbac' | 'webhooks' | 'workloads'
  readonly ca?: string | undefined
  readonly kubeMinor: number
  /** Those that the worker runs: its rights are theirs. */
  readonly controllers: readonly Controller[]
  readonly settings: Settings
}

/**
 * Ordered so that they are safe to apply: the configurations come last, because from then on the API server waits for
 * us. Namespace and rights are in one set, so that each set can be applied by itself in this order.
 */
export function manifestsOf(families: readonly Family[], wanted: ManifestOptions): readonly Manifest[] {
  const kinds = kindsOf(families, wanted.settings)
  const sets = {
    crds: definitionsOf(families, wanted),
    people: people(kinds, wanted),
    rbac: [namespaceOf(wanted), ...rbac({ ...wanted, kinds, facts: needsOfFacts(factsIn(families)) })],
    workloads: workloads(wanted),
    webhooks: configurations(kinds, wanted),
  }
  return wanted.set === 'all' ? Object.values(sets).flat() : sets[wanted.set]
}

/** Our pods satisfy the restricted pod security standard, so the namespace enforces it. */
function namespaceOf({ namespace }: ManifestOptions): Manifest {
  const labels = { ...LABELS, 'pod-security.kubernetes.io/enforce': 'restricted' }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }
}
