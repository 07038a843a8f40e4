import type { Built } from '../../port.ts'

/** The objects with one value of a label. Most values have a single object, for which a set would take most of the memory. */
export type IndexEntry = Built | Set<Built> | undefined

export function sizeOf(entry: IndexEntry): number {
  if (entry === undefined) return 0
  return entry instanceof Set ? entry.size : 1
}

export function objectsIn(entry: IndexEntry): Iterable<Built> {
  if (entry === undefined) return []
  return entry instanceof Set ? entry : [entry]
}

export function withObject(entry: IndexEntry, object: Built): IndexEntry {
  if (entry === undefined) return object
  return entry instanceof Set ? entry.add(object) : new Set([entry, object])
}

export function withoutObject(entry: IndexEntry, object: Built): IndexEntry {
  if (!(entry instanceof Set)) return entry === object ? undefined : entry
  entry.delete(object)
  return entry.size === 0 ? undefined : entry
}
