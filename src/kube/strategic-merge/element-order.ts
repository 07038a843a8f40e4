import { isMarked, PATCH } from './directives.ts'

/** By what two elements are the same: by their merge key, or by themselves where they are scalars. */
export type Identity = (element: unknown) => unknown

/** Go sorts so many elements by insertion, which is seen where their order is not one. */
const INSERTED = 20

type Places = ReadonlyMap<unknown, number>

/** SMP-ORD-1 to 3: the elements that `by` names in its order, among the others in the order of `live`. */
export function ordered(
  merged: readonly unknown[],
  by: readonly unknown[],
  live: readonly unknown[],
  identity: Identity,
): readonly unknown[] {
  const wanted = placesOf(by, identity)
  const stored = placesOf(live, identity)
  const isNamed = (each: unknown) => wanted.has(identity(each))
  const named = sorted(merged.filter(isNamed), wanted, identity)
  const others = sorted(
    merged.filter((each) => !isNamed(each)),
    stored,
    identity,
  )
  return interleaved(others, named, (each) => stored.get(identity(each)))
}

function placesOf(list: readonly unknown[], identity: Identity): Places {
  const places = new Map<unknown, number>()
  for (const [i, each] of list.entries()) if (!places.has(identity(each))) places.set(identity(each), i)
  return places
}

/** What an earlier patch left to be deleted goes last. */
function sorted(list: readonly unknown[], places: Places, identity: Identity): readonly unknown[] {
  const isLeft = (each: unknown) => isMarked(each) && each[PATCH] === 'delete'
  const kept = list.filter((each) => !isLeft(each))
  return [...sortedByPlace(kept, (each) => places.get(identity(each))), ...list.filter(isLeft)]
}

function sortedByPlace(list: readonly unknown[], place: (each: unknown) => number | undefined): readonly unknown[] {
  const found = list.filter((each) => place(each) !== undefined)
  if (found.length < list.length && list.length <= INSERTED) return inserted(list, place)
  const lost = list.filter((each) => place(each) === undefined)
  return [...lost, ...found.toSorted((left, right) => (place(left) ?? 0) - (place(right) ?? 0))]
}

/** The Go library takes an element without a place for less than any other, in both directions. */
function inserted(list: readonly unknown[], place: (each: unknown) => number | undefined): readonly unknown[] {
  const result: unknown[] = []
  for (const each of list) {
    const own = place(each)
    const before = result.findLastIndex((other) => {
      const theirs = place(other)
      return own !== undefined && theirs !== undefined && theirs <= own
    })
    result.splice(before + 1, 0, each)
  }
  return result
}

function interleaved(
  others: readonly unknown[],
  named: readonly unknown[],
  place: (each: unknown) => number | undefined,
): readonly unknown[] {
  const result: unknown[] = []
  let at = 0
  for (const each of named) {
    const own = place(each)
    while (at < others.length && own !== undefined && isBefore(place(others[at]), own)) {
      result.push(others[at])
      at += 1
    }
    result.push(each)
  }
  return [...result, ...others.slice(at)]
}

function isBefore(place: number | undefined, other: number): boolean {
  return place !== undefined && place < other
}
