import type { Built, ClusterReader, Gvr, Ref, Where } from '../../port.ts'
import { foundAs, listedAs } from '../../stored.ts'

export interface ObjectsInMemory {
  get(ref: Ref): Built | undefined
  list(where: Where): readonly Built[]
}

/** Answers from memory what `inMemory` says can be answered so, and asks the live reader for the rest (SV-7, SV-11). */
export function cachedReader(inMemory: (of: Gvr) => ObjectsInMemory | undefined, live: ClusterReader): ClusterReader {
  return {
    async get(of, ref) {
      const memory = inMemory(of)
      if (memory === undefined) return live.get(of, ref)
      const object = memory.get(ref)
      return object && foundAs(of, object)
    },
    async list(of, where) {
      const memory = inMemory(of)
      if (memory === undefined) return live.list(of, where)
      return listedAs(of, memory.list(where), where)
    },
  }
}
