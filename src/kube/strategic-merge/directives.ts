import { isTree, type Tree } from '../../schema.ts'
import { MergeError, under } from './merge-error.ts'

export const PATCH = '$patch'
export const RETAIN_KEYS = '$retainKeys'
export const DELETE_FROM = '$deleteFromPrimitiveList'
export const SET_ORDER = '$setElementOrder'

/** Types of core/v1 nest about 15 levels, so what nests deeper is no pod. */
const DEEPEST = 100

export function isDirective(key: string): boolean {
  return key === PATCH || key === RETAIN_KEYS || key.startsWith(DELETE_FROM) || key.startsWith(SET_ORDER)
}

/** The field behind the slash of `$setElementOrder/containers`. */
export function namedBy(directive: string, prefix: string, path: string): string {
  if (!directive.startsWith(`${prefix}/`)) throw new MergeError(under(path, directive), `${prefix} names no field`)
  return directive.slice(prefix.length + 1)
}

/** What a field that did not exist takes of a patch (SMP-NULL-3): undefined where the value itself is a directive. */
export function taken(value: unknown, path: string): unknown {
  return kept(value, path, TAKEN)
}

/** The same, of a list that `$setElementOrder` orders: nulls stay (SMP-DIR-ORDER-3). */
export function takenInOrder(list: readonly unknown[], path: string): readonly unknown[] {
  return elementsOf(list, path, { keeps: () => true, drops: isMarked }, 0)
}

/** SMP-POST-1: what the API server would drop, or would store by mistake. */
export function withoutDirectives(result: Tree): Tree {
  return entriesOf(result, '', STORED, 0)
}

interface Sieve {
  /** Of the entries of an object. */
  readonly keeps: (key: string, value: unknown) => boolean
  /** Values that go whole. */
  readonly drops: (value: unknown, within: 'object' | 'list') => boolean
}
/** The nulls of an object go first, and `$patch: null` with them. */
const TAKEN: Sieve = {
  keeps: (_, value) => value !== null,
  drops: (value) => isMarked(value) && value[PATCH] !== null,
}
const STORED: Sieve = {
  keeps: (key, value) => value !== null && !isDirective(key),
  drops: (value, within) => within === 'list' && (value === null || isMarked(value)),
}

function kept(value: unknown, path: string, how: Sieve, within: 'object' | 'list' = 'object', depth = 0): unknown {
  if (depth > DEEPEST) throw new MergeError(path, `nests deeper than ${DEEPEST} levels`)
  if (how.drops(value, within)) return undefined
  if (Array.isArray(value)) return elementsOf(value, path, how, depth)
  return isTree(value) ? entriesOf(value, path, how, depth) : value
}

/** The list itself where nothing of it goes, as of an object below: most values of a pod are no directives. */
function elementsOf(list: readonly unknown[], path: string, how: Sieve, depth: number): readonly unknown[] {
  const result: unknown[] = []
  let isWhole = true
  for (const [i, each] of list.entries()) {
    const child = isObject(each) ? kept(each, under(path, i), how, 'list', depth + 1) : each
    isWhole &&= child === each
    if (child !== undefined) result.push(child)
  }
  return isWhole ? list : result
}

function entriesOf(value: Tree, path: string, how: Sieve, depth: number): Tree {
  const entries: [string, unknown][] = []
  let isWhole = true
  for (const [key, each] of Object.entries(value)) {
    const child = how.keeps(key, each) ? childOf(each, path, key, how, depth) : undefined
    isWhole &&= child === each
    if (child !== undefined) entries.push([key, child])
  }
  return isWhole ? value : Object.fromEntries(entries)
}

/** Paths are for errors, and scalars make none. */
function childOf(value: unknown, path: string, key: string, how: Sieve, depth: number): unknown {
  return isObject(value) ? kept(value, under(path, key), how, 'object', depth + 1) : value
}
const isObject = (value: unknown) => typeof value === 'object'

export function isMarked(value: unknown): value is Tree {
  return isTree(value) && Object.hasOwn(value, PATCH)
}
