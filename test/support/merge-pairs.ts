import {
  type FieldType,
  type ListType,
  POD_TEMPLATE,
  type PodFields,
  type ScalarName,
} from '../../src/kube/strategic-merge/fields.ts'
import { isTree, type Tree } from '../../src/schema.ts'

export interface Pair {
  readonly original: Tree
  readonly patch: Tree
}
type Random = () => number

/** Pods and patches of them over all fields of the table, with all directives, right and wrong. The seed gives them all. */
export function pairsOf(seed: number): () => Pair {
  const dice = diceOf(seed)
  return () => {
    const original = stored(dice, POD_TEMPLATE)
    return { original: isTree(original) ? original : {}, patch: changesOf(dice, POD_TEMPLATE, original) }
  }
}

class Dice {
  readonly next: Random
  /** No other element with this key, or with the keys of the elements around it, stands before in the patch. */
  isFirst = true

  constructor(next: Random) {
    this.next = next
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  of<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }

  list<T>(most: number, element: (at: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, i) => element(i))
  }
}

/** mulberry32. */
function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return new Dice(() => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  })
}

const NAMES = ['a', 'b', 'c', 'd', 'e']
const KEYS = [...NAMES, '__proto__', 'constructor', 'a/b']
const SCALARS: Readonly<Record<ScalarName, readonly unknown[]>> = {
  string: NAMES,
  boolean: [true, false],
  int32: [0, 1, 2, 3, 80],
  int64: [0, 1, 2, 3, -1],
  time: ['2026-01-01T00:00:00Z'],
  quantity: ['1', '100m', 1, 0.5],
  intOrString: ['a', 80],
  any: [{}, { 'f:a': {} }],
}
const STRANGE: readonly unknown[] = [
  'x',
  1,
  1.5,
  true,
  {},
  { a: 1 },
  { a: null, b: [null] },
  [],
  ['x'],
  [1],
  [{}],
  [[]],
]

/**
 * Two lists in a field that takes none: the library replaces where its field is a pointer, which no document says. Ours
 * refuses, so a second element of a key brings no such list.
 */
const NO_LISTS = STRANGE.filter((each) => !Array.isArray(each))

/** A value as the API server stores it: of its type, with duplicates and now and then a field of another release. */
function stored(dice: Dice, type: FieldType): unknown {
  if (type.is === 'list') return dice.list(type.items.is === 'object' ? 4 : 6, () => storedElement(dice, type))
  if (type.is === 'map') return Object.fromEntries(dice.list(3, () => [dice.of(KEYS), stored(dice, type.values)]))
  if (type.is === 'enum') return dice.of(type.values)
  if (type.is !== 'object') return dice.of(SCALARS[type.is])
  const entries = chosen(dice, type.fields()).map(([key, of]): [string, unknown] => [key, stored(dice, of)])
  if (dice.chance(0.02)) entries.push(['unknown', dice.of(STRANGE)])
  if (dice.chance(0.02)) entries.push([dice.of([...type.fields().keys(), 'x']), null])
  return Object.fromEntries(entries)
}

function storedElement(dice: Dice, { items, key }: ListType): unknown {
  const element = stored(dice, items)
  return key !== undefined && isTree(element) ? { ...element, [key]: keyOf(dice, items, key) } : element
}

function keyOf(dice: Dice, items: FieldType, key: string): unknown {
  const type = items.is === 'object' ? items.fields().get(key)?.type : undefined
  return type === undefined ? 'a' : stored(dice, type)
}

/** Few fields, so that a pair stays small; and the way down to the large types first. */
function chosen(dice: Dice, fields: PodFields): readonly Entry[] {
  const all = entriesOf(fields)
  return all.length <= 2 ? all : dice.list(3, () => dice.of(all))
}

type Entry = readonly [string, FieldType]
const ENTRIES = new WeakMap<PodFields, readonly Entry[]>()

function entriesOf(fields: PodFields): readonly Entry[] {
  const entries = ENTRIES.get(fields) ?? [...fields].map(([key, { type }]) => [key, type] as const)
  ENTRIES.set(fields, entries)
  return entries
}

/** A patch of an object. */
function changesOf(dice: Dice, type: FieldType, original: unknown): Tree {
  const before = isTree(original) ? original : {}
  const patch: Tree = Object.fromEntries([...shared(dice, type, before), ...added(dice, type, before)])
  if (dice.chance(0.06)) patch.$retainKeys = retained(dice, patch, before)
  if (dice.chance(0.03)) patch.$patch = dice.of(['replace', 'replace', 'delete', 'merge', 'Delete', null, 1])
  if (type.is === 'object') direct(dice, type.fields(), patch, before)
  return patch
}

function shared(dice: Dice, type: FieldType, before: Tree): readonly [string, unknown][] {
  const keys = Object.keys(before).filter(() => dice.chance(0.7))
  return keys.map((key) => [key, changed(dice, typeIn(type, key), before[key])])
}

function added(dice: Dice, type: FieldType, before: Tree): readonly [string, unknown][] {
  const own: [string, unknown][] = []
  if (dice.chance(0.02)) own.push([dice.of(['unknown', 'Containers', 'x', '__proto__']), dice.of(STRANGE)])
  if (type.is === 'map') own.push(...dice.list(2, (): [string, unknown] => [dice.of(KEYS), stored(dice, type.values)]))
  if (type.is !== 'object') return own
  const fields = dice.chance(0.6) ? chosen(dice, type.fields()) : []
  return [...own, ...fields.map(([key, of]): [string, unknown] => [key, changed(dice, of, before[key])])]
}

function typeIn(type: FieldType, key: string): FieldType {
  if (type.is === 'map') return type.values
  return (type.is === 'object' ? type.fields().get(key)?.type : undefined) ?? { is: 'string' }
}

function changed(dice: Dice, type: FieldType, before: unknown): unknown {
  if (dice.chance(0.06)) return null
  if (dice.chance(0.02)) return dice.of(type.is === 'list' || dice.isFirst ? STRANGE : NO_LISTS)
  if (type.is === 'object' || type.is === 'map') return changesOf(dice, type, before)
  if (type.is === 'list') return changedList(dice, type, Array.isArray(before) ? before : [])
  return stored(dice, type)
}

function changedList(dice: Dice, list: ListType, before: readonly unknown[]): unknown {
  const used = new Set<unknown>()
  return dice.list(4, (): unknown => {
    if (dice.chance(0.01)) return dice.of([null, ...STRANGE])
    const one = before.length > 0 && dice.chance(0.6) ? dice.of(before) : undefined
    if (list.items.is !== 'object') return one ?? stored(dice, list.items)
    return changedElement(dice, list, one, used)
  })
}

function changedElement(dice: Dice, { items, key }: ListType, one: unknown, used: Set<unknown>): Tree {
  const value = key !== undefined && (isTree(one) && Object.hasOwn(one, key) ? one[key] : keyOf(dice, items, key))
  const isKept = key !== undefined && !dice.chance(0.02)
  const outer = dice.isFirst
  dice.isFirst = outer && isKept && !used.has(value)
  used.add(value)
  const patch = changesOf(dice, items, one)
  dice.isFirst = outer
  if (dice.chance(0.12)) patch.$patch = dice.of(['delete', 'delete', 'delete', 'replace', 'merge', 'x'])
  return isKept ? { ...patch, [key]: value } : patch
}

function retained(dice: Dice, patch: Tree, before: Tree): unknown {
  if (dice.chance(0.1)) return dice.of(STRANGE)
  const listed = Object.keys(patch).filter((key) => !key.startsWith('$') && dice.chance(0.95))
  return [
    ...listed,
    ...Object.keys(before).filter(() => dice.chance(0.3)),
    ...dice.list(1, () => dice.of([1, null, 'x'])),
  ]
}

/** Adds the directives that name a field. */
function direct(dice: Dice, fields: PodFields, patch: Tree, before: Tree): void {
  for (const name of Object.keys({ ...before, ...patch })) {
    const type = fields.get(name)?.type
    if (type?.is !== 'list') continue
    const lists = [before[name], patch[name]].map((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    if (dice.chance(0.3)) patch[`$setElementOrder/${name}`] = orderOf(dice, type, lists)
    if (dice.chance(0.12)) deleteFrom(dice, patch, name, lists)
  }
  if (dice.chance(0.01)) patch[dice.of(['$setElementOrder', '$deleteFromPrimitiveList/', '$setElementOrder/x'])] = ['a']
}

function orderOf(dice: Dice, { key }: ListType, lists: readonly (readonly unknown[])[]): unknown {
  if (dice.chance(0.03)) return dice.of(STRANGE)
  const [before = [], patch = []] = lists
  const rest = before.filter((each) => dice.chance(0.7) && !patch.some((other) => isSame(each, other, key)))
  const order = dice.chance(0.9) ? mixed(dice, patch, rest) : rest
  return order.flatMap((each) => {
    if (key === undefined || !isTree(each)) return [each]
    return Object.hasOwn(each, key) && !(each.$patch === 'delete') ? [{ [key]: each[key] }] : []
  })
}

function isSame(one: unknown, other: unknown, key: string | undefined): boolean {
  return key !== undefined && isTree(one) && isTree(other) ? one[key] === other[key] : one === other
}

/** Both lists, each in its own order. */
function mixed(dice: Dice, one: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const rest = [...other]
  const result = one.flatMap((each) => [...rest.splice(0, dice.below(rest.length + 1)), each])
  return [...result, ...rest]
}

/**
 * A list that one patch both changes and deletes from has no certain end in the library, which takes the keys of a
 * patch in any order: where a value is in both lists (SMP-DIR-DELPRIM-6), twice in the original, or no scalar.
 */
function deleteFrom(
  dice: Dice,
  patch: Tree,
  name: string,
  [before = [], own = []]: readonly (readonly unknown[])[],
): void {
  const isOrdered = Array.isArray(patch[`$setElementOrder/${name}`])
  const deleted = before.filter((each) => dice.chance(0.5) && (isOrdered || !own.includes(each)))
  const isAlone = !Object.hasOwn(patch, name) || isOrdered
  const isScalar = (each: unknown) => typeof each === 'string'
  const isPlain = own.length > 0 && [...own, ...before].every(isScalar) && new Set(before).size === before.length
  if (!isAlone && !(isPlain && dice.isFirst)) return
  patch[`$deleteFromPrimitiveList/${name}`] = isAlone && dice.chance(0.1) ? dice.of([null, ...STRANGE]) : deleted
}
