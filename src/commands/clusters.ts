import { randomInt, randomUUID } from 'node:crypto'
import { kinds } from '../../webhooks/index.ts'
import { MemoryCluster } from '../cluster/memory.ts'
import type { Admit } from '../cluster/memory-admission.ts'
import type { Cluster, Stored } from '../cluster/port.ts'
import { objectsIn } from './objects.ts'

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const chance = {
  uid: () => randomUUID(),
  suffix: () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
}

/** Knows our kinds as a real cluster would after their CustomResourceDefinitions were applied. */
export function memoryCluster(admit?: Admit): MemoryCluster {
  const definitions = kinds.map(({ resource }) => resource)
  return new MemoryCluster({ definitions, clock: { now: () => new Date() }, chance, ...(admit && { admit }) })
}

/** Objects of files, as they are to be kept: what is namespaced and says no namespace is in `namespace`. */
export async function seedsIn(paths: readonly string[], namespace: string): Promise<readonly Stored[]> {
  const written = await objectsIn(paths)
  return written.map(({ object }) => ({ ...object, metadata: { namespace, ...object.metadata } }))
}

/** The in-memory cluster as a process holds it: it is its own cache. */
export function asCluster(memory: MemoryCluster): Cluster {
  return {
    readers: { cached: memory, live: memory },
    writer: memory,
    watcher: memory,
    synced: Promise.resolve(),
    states: () => [],
    stop() {},
  }
}
