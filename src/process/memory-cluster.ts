import { randomInt, randomUUID } from 'node:crypto'
import type { Admit } from '../cluster/memory/admission.ts'
import { definitionsOf } from '../cluster/memory/definitions.ts'
import { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Cluster } from '../cluster/port.ts'
import type { Kind } from '../kind.ts'

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const chance = {
  uid: () => randomUUID(),
  suffix: () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
}

/** Knows the kinds as a real cluster would after their CustomResourceDefinitions were applied. */
export function memoryCluster(kinds: readonly Kind[], admit?: Admit): MemoryCluster {
  const definitions = definitionsOf(kinds)
  return new MemoryCluster({ definitions, clock: { now: () => new Date() }, chance, ...(admit && { admit }) })
}

/** The in-memory cluster as a process holds it: it is its own cache. */
export function asCluster(memory: MemoryCluster): Cluster {
  return {
    readers: { cached: memory, live: memory },
    writer: memory,
    watcher: memory,
    user: async () => undefined,
    synced: Promise.resolve(),
    states: () => [],
    stop() {},
  }
}
