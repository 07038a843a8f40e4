import { keyOf } from './kept.ts'
import type { Built, ClusterReader, Gvr, Ref, Where } from './port.ts'
import { foundAs, listedAs } from './stored.ts'

export interface ObjectsInMemory {
  get(ref: Ref): Built | undefined
  list(where: Where): readonly Built[]
}
/** A cache. For one of objects with certain labels there are no other objects. */
export interface HeldObjects {
  readonly resource: Gvr
  readonly carrying: readonly string[]
  /** For one namespace, or for all. Undefined while the cache cannot be trusted, and where it knows nothing. */
  readonly inMemory: (namespace: string) => ObjectsInMemory | undefined
}

/** Answers from the caches if possible, and otherwise reads live (SV-7, SV-11). */
export function cachedReader(caches: readonly HeldObjects[], live: ClusterReader): ClusterReader {
  const narrowestFirst = caches.toSorted((one, other) => other.carrying.length - one.carrying.length)
  const byResource = Map.groupBy(narrowestFirst, ({ resource }) => keyOf(resource))
  return {
    async get(of, ref) {
      let isToldByWidest = false
      for (const { inMemory } of byResource.get(keyOf(of)) ?? []) {
        const memory = inMemory(ref.namespace)
        const object = memory?.get(ref)
        if (object !== undefined) return foundAs(of, object)
        isToldByWidest = memory !== undefined
      }
      return isToldByWidest ? undefined : live.get(of, ref)
    },
    async list(of, where) {
      const { labels = {}, carrying: wanted = [] } = where
      const telling = byResource
        .get(keyOf(of))
        ?.find(({ carrying }) => carrying.every((label) => Object.hasOwn(labels, label) || wanted.includes(label)))
      const memory = telling?.inMemory(where.namespace)
      return memory === undefined || where.name !== undefined
        ? live.list(of, where)
        : listedAs(of, memory.list(where), where)
    },
    dryRun: (...asked) => live.dryRun(...asked),
  }
}
