import { keyOf } from './kept.ts'
import type { Built, ClusterReader, Gvr, Ref, Where } from './port.ts'
import { foundAs, listedAs } from './stored.ts'

export interface ObjectsInMemory {
  get(ref: Ref): Built | undefined
  list(where: Where): readonly Built[]
}
/** A cache. A cache of objects with certain labels knows no other objects. */
export interface HeldObjects {
  readonly resource: Gvr
  readonly carrying: readonly string[]
  /** Undefined while the cache cannot be trusted. */
  readonly inMemory: () => ObjectsInMemory | undefined
}

/** Answers from the caches if possible, and otherwise reads live (SV-7, SV-11). */
export function cachedReader(caches: readonly HeldObjects[], live: ClusterReader): ClusterReader {
  const narrowestFirst = caches.toSorted((one, other) => other.carrying.length - one.carrying.length)
  const byResource = Map.groupBy(narrowestFirst, ({ resource }) => keyOf(resource))
  return {
    async get(of, ref) {
      for (const { carrying, inMemory } of byResource.get(keyOf(of)) ?? []) {
        const memory = inMemory()
        const object = memory?.get(ref)
        if (object !== undefined) return foundAs(of, object)
        if (memory !== undefined && carrying.length === 0) return undefined
      }
      return live.get(of, ref)
    },
    async list(of, where) {
      const { labels = {} } = where
      const telling = byResource
        .get(keyOf(of))
        ?.find(({ carrying }) => carrying.every((label) => Object.hasOwn(labels, label)))
      const memory = telling?.inMemory()
      return memory === undefined ? live.list(of, where) : listedAs(of, memory.list(where), where)
    },
  }
}
