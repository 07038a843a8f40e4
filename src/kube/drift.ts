import { isTree, type Tree } from '../schema.ts'
import { identityOf, type Layout, layoutIn, layoutOf } from './layout.ts'
import { isSameQuantity } from './quantities.ts'

/** A place in an object, as a chain up to its root. */
interface Spot {
  readonly step: string | number
  readonly above: Spot | undefined
}
/** A field of a desired object that the live one does not have with that value. */
export interface Drift {
  /** As people write it; an item of a list has the index of the desired list. */
  readonly path: string
  /** What is there instead. */
  readonly live: unknown
}
type TellDrift = (place: Spot | undefined, live: unknown) => void

/** The path of the first drift of a live object (WK-4). */
export const driftIn = (desired: Tree, live: unknown): string | undefined => driftsIn(desired, live)[0]?.path

/**
 * All that a desired object has and the live one does not (WK-4). Fields that the desired object does not have are no
 * drift. Linear in the size of both.
 */
export function driftsIn(desired: Tree, live: unknown): readonly Drift[] {
  const { apiVersion: _, kind: __, ...body } = desired // an item of a LIST has neither
  const found: Drift[] = []
  compare({ desired: body, live, layout: layoutOf(desired), place: undefined }, (place, live) =>
    found.push({ path: written(place), live }),
  )
  return found
}

interface Pair<D = unknown> {
  readonly desired: D
  readonly live: unknown
  readonly layout: Layout
  readonly place: Spot | undefined
}

function compare(pair: Pair, tell: TellDrift): void {
  const { desired, live, layout, place } = pair
  if (Array.isArray(desired)) compareLists({ ...pair, desired }, tell)
  else if (isTree(desired)) compareTrees({ ...pair, desired }, tell)
  else if (!isSame(desired, live, layout)) tell(place, live)
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

function compareTrees({ desired, live, layout, place }: Pair<Tree>, tell: TellDrift): void {
  const stored = isTree(live) ? live : {}
  if (isOther(desired, live, layout)) {
    tell(place, live)
    return
  }
  for (const [step, value] of Object.entries(desired)) {
    const there = Object.hasOwn(stored, step) ? stored[step] : undefined
    compare({ desired: value, live: there, layout: layoutIn(layout, step), place: { step, above: place } }, tell)
  }
}

/** Whether it differs as a whole, whatever is in it. */
function isOther(desired: Tree, live: unknown, { isAtomic, isKept }: Layout): boolean {
  const isAbsent = live === undefined || live === null
  if (!isTree(live) && (isKept || !isAbsent)) return true
  return isAtomic === true && Object.keys(live ?? {}).length !== Object.keys(desired).length
}

function compareLists({ desired, live, layout, place }: Pair<readonly unknown[]>, tell: TellDrift): void {
  const { keys, ...ofItems } = layout
  const items: readonly unknown[] = Array.isArray(live) ? live : []
  if (keys !== undefined) compareByKey({ desired, live: items, layout: ofItems, place }, keys, tell)
  else if (desired.length !== items.length) tell(place, live)
  else
    for (const [step, item] of desired.entries())
      compare({ desired: item, live: items[step], layout: ofItems, place: { step, above: place } }, tell)
}

/** Items of others may stand between ours. An item that is there twice is not as desired: an apply leaves one of them. */
function compareByKey(
  { desired, live, layout, place: above }: Pair<readonly unknown[]> & { readonly live: readonly unknown[] },
  keys: readonly string[],
  tell: TellDrift,
): void {
  const places = Map.groupBy(live.keys(), (index) => identityOf(live[index], keys))
  const order: number[] = []
  for (const [step, item] of desired.entries()) {
    const place = { step, above }
    const [at, second] = places.get(identityOf(item, keys)) ?? []
    if (at === undefined || second !== undefined) {
      tell(place, at === undefined ? undefined : live)
      continue
    }
    order.push(at)
    compare({ desired: item, live: live[at], layout, place }, tell)
  }
  if (order.some((at, index) => at < (order[index - 1] ?? 0))) tell(above, live)
}

const PLAIN = /^[A-Za-z]+$/
function written(place: Spot | undefined): string {
  const steps: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.above) steps.unshift(at.step)
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'string' && PLAIN.test(step)) return path === '' ? step : `${path}.${step}`
    return `${path}[${step}]`
  }, '')
}
