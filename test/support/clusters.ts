import { answerer } from '../../src/admission/answer.ts'
import type { Admit } from '../../src/cluster/memory/admission.ts'
import { definitionsOf } from '../../src/cluster/memory/definitions.ts'
import { MemoryCluster } from '../../src/cluster/memory/memory-cluster.ts'
import { inProcess, registeredWebhooks } from '../../src/cluster/memory/registered-webhooks.ts'
import { needsOf } from '../../src/cluster/needs.ts'
import type { Built } from '../../src/cluster/port.ts'
import { carryOutWith } from '../../src/reconcile/apply.ts'
import { answererPartsOf, WEBHOOK } from './answerer-parts.ts'
import { DEFINED } from './builders/gadgets.ts'
import { kinds } from './kinds.ts'

export const NOW = '2026-11-18T12:00:00Z'
/** Stands still. */
const clock = { now: () => new Date(NOW), tick: () => 0 }
const definitions = definitionsOf([DEFINED, ...kinds])

/** Knows gadgets and our kinds, holds what it is given, and asks no webhook. */
export function clusterOf(...objects: readonly Built[]): MemoryCluster {
  return clusterAsking(async () => [], ...objects)
}

export function clusterAsking(admit: Admit, ...objects: readonly Built[]): MemoryCluster {
  const cluster = new MemoryCluster({ definitions, admit, clock, chance: inTurn() })
  cluster.seed(objects)
  return cluster
}

/** With the webhooks of this repository in place, which look things up in this very cluster. */
export function admittingCluster(...objects: readonly Built[]): MemoryCluster {
  const cluster: MemoryCluster = clusterAsking((phase, review) => admit(phase, review), ...objects)
  const carryOut = carryOutWith({ merge: (of, ref, patch) => cluster.merge(of, ref, patch, { user: WEBHOOK }) })
  const parts = answererPartsOf({
    readers: { cached: cluster.cachedFor(needsOf({ kinds }, 'webhook').reads), live: cluster },
    carryOut,
  })
  const admit = registeredWebhooks(kinds, inProcess(answerer(parts), clock), WEBHOOK)
  return cluster
}

/** Identities and names one after the other. */
function inTurn() {
  let count = 0
  const next = (length: number) => String(++count).padStart(length, '0')
  return { uid: () => `00000000-0000-4000-8000-${next(12)}`, suffix: () => next(5) }
}
