import { randomInt, randomUUID } from 'node:crypto'
import type { Admit } from '../cluster/memory/admission.ts'
import { definitionsOf } from '../cluster/memory/definitions.ts'
import { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Need } from '../cluster/needs.ts'
import type { Cluster, ClusterWriter } from '../cluster/port.ts'
import type { Kind } from '../kind.ts'
import { OURSELVES } from './identities.ts'

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const chance = {
  uid: () => randomUUID(),
  suffix: () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
}

/** Knows the kinds like a real cluster on which their CustomResourceDefinitions were applied. */
export function memoryCluster(kinds: readonly Kind[], admit?: Admit): MemoryCluster {
  const definitions = definitionsOf(kinds)
  return new MemoryCluster({ definitions, clock: { now: () => new Date() }, chance, ...(admit && { admit }) })
}

/** The in-memory cluster as a process sees it: with caches that are always current, and as the given user. */
export function asCluster(memory: MemoryCluster, reads: readonly Need[], user = OURSELVES): Cluster {
  return {
    readers: { cached: memory.cachedFor(reads), live: memory },
    cachedFor: (needs) => memory.cachedFor(needs),
    writer: writerAs(user, memory),
    watcher: memory,
    user: async () => user,
    synced: Promise.resolve(),
    states: () => [],
    stop() {},
  }
}

function writerAs(user: string, memory: MemoryCluster): ClusterWriter {
  return {
    create: (of, object) => memory.create(of, object, { user }),
    replace: (of, object) => memory.replace(of, object, { user }),
    patch: (of, ref, operations, options) => memory.patch(of, ref, operations, { ...options, user }),
    apply: (of, object, options) => memory.apply(of, object, { ...options, user }),
    merge: (of, ref, patch, options) => memory.merge(of, ref, patch, { ...options, user }),
    remove: (of, ref, options) => memory.remove(of, ref, { ...options, user }),
  }
}
