/**
 * SMP-LIST-SET-1. The Go library closes the gap of a duplicate with the last element. It does so in the slots of the
 * original where they are enough for both lists, and what stands there is the order that its other elements get.
 */
export function unionOf(
  original: readonly unknown[],
  patch: readonly unknown[],
): { readonly items: readonly unknown[]; readonly slots: readonly unknown[] } {
  const both = [...original, ...patch]
  const items = deduplicated(both)
  const isInPlace = both.length <= capacityOf(original.length)
  return { items, slots: isInPlace ? both.slice(0, original.length) : original }
}

/** Go doubles the room of a list that is decoded element by element. */
function capacityOf(length: number): number {
  return length === 0 ? 0 : 2 ** Math.ceil(Math.log2(length))
}

/** Changes the list in place and returns what counts of it. */
function deduplicated(slots: unknown[]): readonly unknown[] {
  const places = new Map<unknown, number[]>()
  for (const [i, each] of slots.entries()) placesOf(places, each).push(i)
  let length = slots.length
  for (let i = 0; i < length; i += 1) {
    const value = slots[i]
    for (const place of placesOf(places, value).sort((left, right) => left - right)) {
      if (place <= i) continue
      while (place < length && slots[place] === value) {
        length -= 1
        slots[place] = slots[length]
      }
      if (place < length) placesOf(places, slots[place]).push(place)
    }
  }
  return slots.slice(0, length)
}

function placesOf(places: Map<unknown, number[]>, value: unknown): number[] {
  const found = places.get(value) ?? []
  places.set(value, found)
  return found
}
