import { isTree, type Tree } from '../../schema.ts'
import { isMarked, PATCH, takenInOrder } from './directives.ts'
import { type Identity, ordered } from './element-order.ts'
import type { ListType } from './fields.ts'
import { kindOf } from './kind-of.ts'
import { MergeError, under } from './merge-error.ts'
import { unionOf } from './scalar-union.ts'

export type List = readonly unknown[]

/** What is known of a list of the original and that of the patch. */
export interface ListContext {
  readonly list: ListType
  readonly path: string
  readonly mergeElement: (original: Tree, patch: Tree, path: string) => Tree
}

interface Merged {
  readonly items: List
  /** The original's slots after the merge. The Go library reuses them while it merges, and then orders by them. */
  readonly slots: List
}

/** Merges two lists as the strategy of their field says. */
export function mergedList(original: List, patch: List, context: ListContext): List {
  return context.list.merges ? merged(original, patch, context).items : patch
}

/** What `$deleteFromPrimitiveList` leaves; elements that are objects are merged as if the directive were not there. */
export function listWithout(original: List, deleted: List, context: ListContext): List {
  if (original.length === 0 && deleted.length === 0) return original
  if (kindOfElements([original, deleted], context.path) === 'object') return merged(original, deleted, context).items
  const gone = new Set(deleted)
  return original.filter((each) => !gone.has(each))
}

/** Merges the list that both sides may have, then orders it by `$setElementOrder`. */
export function mergedInOrder(
  { original, patch }: { readonly original: List | undefined; readonly patch: List | undefined },
  order: List,
  context: ListContext,
): List {
  const identity = identityIn(kindOfElements([original ?? [], patch ?? []], context.path), context)
  for (const each of [...order, ...(original ?? [])]) identity(each)
  if (patch !== undefined && order.length > 0) assertInOrder(patch, order, identity, context)
  const { items, slots } = eitherMerged(original, patch, context)
  return ordered(items, order, slots, identity)
}

function eitherMerged(original: List | undefined, patch: List | undefined, context: ListContext): Merged {
  if (original === undefined) return { items: takenInOrder(patch ?? [], context.path), slots: [] }
  if (patch === undefined) return { items: original, slots: original }
  return context.list.merges ? merged(original, patch, context) : { items: patch, slots: original }
}

/** SMP-DIR-ORDER-2. An element with a directive other than delete is looked over while the order list lasts. */
function assertInOrder(patch: List, order: List, identity: Identity, { path }: ListContext): void {
  const kept = patch.filter((each) => !(isMarked(each) && each[PATCH] === 'delete'))
  let at = 0
  for (const wanted of order) {
    while (at < kept.length && isMarked(kept[at])) at += 1
    if (at < kept.length && isSameKey(identity(kept[at]), identity(wanted), path)) at += 1
  }
  if (at < kept.length) throw new MergeError(path, 'has elements in another order than $setElementOrder, or beyond it')
}

/** SMP-ERR-KEY-2: two keys are compared that are objects, or lists. The Go library compares each with itself too. */
function isSameKey(one: unknown, other: unknown, path: string): boolean {
  if (typeof one === 'object' && one !== null && kindOf(one) === kindOf(other)) {
    throw new MergeError(path, 'a merge key is no scalar')
  }
  return one === other
}

function merged(original: List, patch: List, context: ListContext): Merged {
  if (original.length === 0 && patch.length === 0) return { items: original, slots: original }
  const kind = kindOfElements([original, patch], context.path)
  const identity = identityIn(kind, context)
  if (kind !== 'object') {
    const { items, slots } = unionOf(original, patch)
    return { items: ordered(items, patch, slots, identity), slots }
  }
  if (context.list.key === undefined) throw new MergeError(context.path, 'is merged by scalars')
  const plain = patch.filter((each) => !isMarked(each))
  const { remaining, slots, isReplaced } = withoutMarked(original, patch, identity, context)
  const items = isReplaced ? plain : mergedElements(remaining, patch, identity, context)
  if (items.length > 1) for (const each of items) isSameKey(identity(each), identity(each), context.path)
  if (isReplaced) return { items: ordered(plain, [], plain, identity), slots }
  const filled = [...items.slice(0, slots.length), ...slots.slice(items.length)]
  return { items: ordered(items, plain, remaining, identity), slots: filled }
}

interface Remaining {
  readonly remaining: List
  /** Each deletion moves the rest one slot down, and leaves the last element in its slot as well. */
  readonly slots: List
  readonly isReplaced: boolean
}

/** Nothing is deleted that has no key, and all may be replaced. */
function keyIn(element: unknown, { key }: ListType): unknown {
  return key !== undefined && isTree(element) && Object.hasOwn(element, key) ? element[key] : NO_KEY
}
const NO_KEY = Symbol('no key')

/** What the elements with `$patch` leave of the original. */
function withoutMarked(original: List, patch: List, identity: Identity, { list, path }: ListContext): Remaining {
  if (!patch.some(isMarked)) return { remaining: original, slots: original, isReplaced: false }
  const places = Map.groupBy(original.keys(), (i) => keyIn(original[i], list))
  const gone = new Set<number>()
  const left: unknown[] = []
  let last = original.length - 1
  let isReplaced = false
  for (const [i, each] of patch.entries()) {
    if (!isMarked(each)) continue
    if (each[PATCH] !== 'delete' && each[PATCH] !== 'replace') {
      throw new MergeError(under(path, i), `an element takes ${PATCH} with delete or replace`)
    }
    if (each[PATCH] === 'replace') isReplaced = true
    for (const place of (each[PATCH] === 'delete' && places.get(identity(each))) || []) {
      if (gone.has(place)) continue
      while (gone.has(last)) last -= 1
      left.push(original[last])
      gone.add(place)
    }
  }
  const remaining = original.filter((_, i) => !gone.has(i))
  return { remaining, slots: [...remaining, ...left.reverse()], isReplaced }
}

function mergedElements(original: List, patch: List, identity: Identity, context: ListContext): List {
  const items = [...original]
  const places = new Map<unknown, number>()
  for (let i = items.length - 1; i >= 0; i -= 1) places.set(identity(items[i]), i)
  for (const [i, each] of patch.entries()) {
    if (!isTree(each) || isMarked(each)) continue
    const place = placeOf(identity(each), places, items.length, under(context.path, i))
    const before = items[place]
    items[place] = isTree(before) ? context.mergeElement(before, each, under(context.path, i)) : each
  }
  for (const each of items) identity(each)
  return items
}

/** SMP-ERR-KEY-2: the key is a scalar. A new one gets the next place. */
function placeOf(key: unknown, places: Map<unknown, number>, next: number, path: string): number {
  if (typeof key === 'object' && key !== null) throw new MergeError(path, 'the merge key is no scalar')
  const place = places.get(key) ?? next
  places.set(key, place)
  return place
}

function identityIn(kind: string, { list: { key }, path }: ListContext): Identity {
  return (element) => {
    if (kind !== 'object' && key === undefined && !(typeof element === 'object' && element !== null)) return element
    if (kind === 'object' && key !== undefined && isTree(element) && Object.hasOwn(element, key)) return element[key]
    throw new MergeError(path, key === undefined ? 'is merged by scalars' : `an element has no merge key ${key}`)
  }
}

/** SMP-ERR-TYPE-1: one type for all elements of all lists, which is neither null nor a list. */
function kindOfElements(lists: readonly List[], path: string): string {
  const kinds = new Set<string>()
  for (const list of lists) for (const each of list) kinds.add(kindOf(each))
  const [kind] = kinds
  if (kind === undefined) throw new MergeError(path, '$setElementOrder has no element to order')
  if (kinds.size > 1) throw new MergeError(path, 'has elements of several types')
  if (kind === 'null' || kind === 'list') throw new MergeError(path, `has a ${kind} as an element`)
  return kind
}
