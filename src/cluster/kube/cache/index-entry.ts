import type { Built } from '../../port.ts'

/** Who carries one value of a label. Most values have one carrier, and a set for each of those would be most of the memory. */
export type IndexEntry = Built | Set<Built> | undefined

export function sizeOf(carriers: IndexEntry): number {
  if (carriers === undefined) return 0
  return carriers instanceof Set ? carriers.size : 1
}

export function objectsIn(carriers: IndexEntry): Iterable<Built> {
  if (carriers === undefined) return []
  return carriers instanceof Set ? carriers : [carriers]
}

export function withObject(carriers: IndexEntry, object: Built): IndexEntry {
  if (carriers === undefined) return object
  return carriers instanceof Set ? carriers.add(object) : new Set([carriers, object])
}

export function withoutObject(carriers: IndexEntry, object: Built): IndexEntry {
  if (!(carriers instanceof Set)) return carriers === object ? undefined : carriers
  carriers.delete(object)
  return carriers.size === 0 ? undefined : carriers
}
