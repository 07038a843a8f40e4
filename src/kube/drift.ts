import { isTree, type Tree } from '../schema.ts'
import { identityOf, type Layout, layoutIn, layoutOf } from './layout.ts'
import { isSameQuantity } from './quantities.ts'

/** Field names and indexes, innermost first. */
type Trail = (string | number)[]

/**
 * The path of the first field of a desired object that the live one does not have with that value (WK-4), as people
 * write it. Fields that the desired object does not have are no drift. Linear in the size of both.
 */
export function driftIn(desired: Tree, live: unknown): string | undefined {
  const { apiVersion: _, kind: __, ...body } = desired // an item of a LIST has neither
  const place = missing(body, live, layoutOf(desired))
  return place && written(place)
}

function missing(desired: unknown, live: unknown, layout: Layout): Trail | undefined {
  if (Array.isArray(desired)) return missingInList(desired, Array.isArray(live) ? live : [], layout)
  if (isTree(desired)) return missingInTree(desired, live, layout)
  return isSame(desired, live, layout) ? undefined : []
}

function isSame(desired: unknown, live: unknown, { isQuantity }: Layout): boolean {
  if (isQuantity && isAmount(desired) && isAmount(live)) return isSameQuantity(desired, live)
  return desired === live || (isEmpty(desired) && isEmpty(live))
}
const isAmount = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/** The API server does not store these, or stores them by default. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === 0 || value === ''
}

function missingInTree(desired: Tree, live: unknown, layout: Layout): Trail | undefined {
  const stored = isTree(live) ? live : {}
  if (layout.isAtomic && Object.keys(stored).length !== Object.keys(desired).length) return []
  for (const [name, value] of Object.entries(desired)) {
    const place = missing(value, Object.hasOwn(stored, name) ? stored[name] : undefined, layoutIn(layout, name))
    if (place !== undefined) return [...place, name]
  }
  return isTree(live) || (isAbsent(live) && !layout.isKept) ? undefined : []
}
const isAbsent = (value: unknown) => value === undefined || value === null

function missingInList(desired: readonly unknown[], live: readonly unknown[], layout: Layout): Trail | undefined {
  const { keys, ...ofItems } = layout
  if (keys !== undefined) return missingByKey(desired, live, keys, ofItems)
  if (desired.length !== live.length) return []
  return firstOf(desired, (item, index) => missing(item, live[index], ofItems))
}

/** Items of others may stand between ours. An item that is there twice is not as desired: an apply leaves one of them. */
function missingByKey(
  desired: readonly unknown[],
  live: readonly unknown[],
  keys: readonly string[],
  ofItems: Layout,
): Trail | undefined {
  const places = Map.groupBy(live.keys(), (index) => identityOf(live[index], keys))
  let before = -1
  let isInOrder = true
  const place = firstOf(desired, (item) => {
    const [at, second] = places.get(identityOf(item, keys)) ?? []
    if (at === undefined || second !== undefined) return []
    isInOrder &&= at > before
    before = at
    return missing(item, live[at], ofItems)
  })
  return place ?? (isInOrder ? undefined : [])
}

function firstOf(items: readonly unknown[], search: (item: unknown, index: number) => Trail | undefined) {
  for (const [index, item] of items.entries()) {
    const place = search(item, index)
    if (place !== undefined) return [...place, index]
  }
  return undefined
}

const PLAIN = /^[A-Za-z]+$/
function written(place: Trail): string {
  return place.toReversed().reduce<string>((path, step) => {
    if (typeof step === 'string' && PLAIN.test(step)) return path === '' ? step : `${path}.${step}`
    return `${path}[${step}]`
  }, '')
}
