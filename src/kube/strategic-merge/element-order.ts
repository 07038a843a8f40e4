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
  const named: unknown[] = []
  const others: unknown[] = []
  for (const each of merged) (wanted.has(identity(each)) ? named : others).push(each)
  return interleaved(sorted(others, stored, identity), sorted(named, wanted, identity), (each) =>
    stored.get(identity(each)),
  )
}

function placesOf(list: readonly unknown[], identity: Identity): Places {
  const places = new Map<unknown, number>()
  for (let i = list.length - 1; i >= 0; i -= 1) places.set(identity(list[i]), i)
  return places
}

/** What an earlier patch left to be deleted goes last. */
function sorted(list: readonly unknown[], places: Places, identity: Identity): readonly unknown[] {
  const isLeft = (each: unknown) => isMarked(each) && each[PATCH] === 'delete'
  const place = (each: unknown) => places.get(identity(each))
  const left = list.filter(isLeft)
  if (left.length === 0) return sortedByPlace(list, place)
  return [
    ...sortedByPlace(
      list.filter((each) => !isLeft(each)),
      place,
    ),
    ...left,
  ]
}

function sortedByPlace(list: readonly unknown[], place: (each: unknown) => number | undefined): readonly unknown[] {
  if (isInOrder(list, place)) return list
  const found = list.filter((each) => place(each) !== undefined)
  if (found.length < list.length && list.length <= INSERTED) return inserted(list, place)
  const lost = list.filter((each) => place(each) === undefined)
  return [...lost, ...found.toSorted((left, right) => (place(left) ?? 0) - (place(right) ?? 0))]
}

/** As most lists are, and the sort would leave them. */
function isInOrder(list: readonly unknown[], place: (each: unknown) => number | undefined): boolean {
  let last = -1
  for (const each of list) {
    const own = place(each)
    if (own === undefined || own < last) return false
    last = own
  }
  return true
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
