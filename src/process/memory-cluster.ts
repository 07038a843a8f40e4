import { randomInt, randomUUID } from 'node:crypto'
import { kinds } from '../../webhooks/index.ts'
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

/** Knows our kinds as a real cluster would after their CustomResourceDefinitions were applied. */
export function memoryCluster(admit?: Admit, of: readonly Kind[] = kinds): MemoryCluster {
  const definitions = definitionsOf(of)
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
