import { isTree, type Tree } from '../../schema.ts'
import { DELETE_FROM, namedBy, PATCH, RETAIN_KEYS, SET_ORDER, taken } from './directives.ts'
import { type FieldType, fieldIn, type ListType, POD_TEMPLATE } from './fields.ts'
import { kindOf } from './kind-of.ts'
import { type List, type ListContext, listWithout, mergedInOrder, mergedList } from './lists.ts'
import { MergeError, under } from './merge-error.ts'

type Entries = Map<string, unknown>
/** An object that is merged: its type where it has one. */
interface Within {
  readonly type: FieldType
  readonly path: string
}

/**
 * The strategic merge of the Go library `strategicpatch`, for a Pod or a PodTemplateSpec. The inputs stay as they are,
 * and the result shares with them what no patch changes. Throws MergeError.
 */
export function strategicMerge(original: Tree, patch: unknown, type = POD_TEMPLATE): Tree {
  if (patch === null) return original
  if (!isTree(patch)) throw new MergeError('', 'a patch is an object')
  return mergedObject(original, patch, { type, path: '' })
}

function mergedObject(original: Tree, patch: Tree, within: Within): Tree {
  if (Object.hasOwn(patch, PATCH)) return directed(patch, within)
  const merged: Entries = new Map(Object.entries(original))
  const left: Entries = new Map(Object.entries(patch))
  retain(merged, left, within)
  for (const [key, order] of [...left]) if (key.startsWith(SET_ORDER)) orderList(merged, left, { key, order }, within)
  for (const [key, value] of left) if (!key.startsWith(DELETE_FROM)) mergeField(merged, key, value, within)
  for (const [key, value] of left) if (key.startsWith(DELETE_FROM)) deleteFrom(merged, key, value, within)
  return Object.fromEntries(merged)
}

function directed({ [PATCH]: directive, ...rest }: Tree, { path }: Within): Tree {
  if (directive === 'replace') return rest
  if (directive === 'delete') return {}
  throw new MergeError(path, `an object takes ${PATCH} with replace or delete`)
}

/** SMP-DIR-RETAIN-1 and 2. */
function retain(merged: Entries, left: Entries, { path }: Within): void {
  if (!left.has(RETAIN_KEYS)) return
  const listed = left.get(RETAIN_KEYS)
  left.delete(RETAIN_KEYS)
  if (!Array.isArray(listed) || listed.some((each) => typeof each === 'object' && each !== null)) {
    throw new MergeError(under(path, RETAIN_KEYS), 'is a list of keys')
  }
  const retained = new Set<unknown>(listed)
  for (const [key, value] of left) {
    if (value === null || key.startsWith(DELETE_FROM) || key.startsWith(SET_ORDER) || retained.has(key)) continue
    throw new MergeError(under(path, key), `is set and not listed in ${RETAIN_KEYS}`)
  }
  for (const key of [...merged.keys()]) if (!retained.has(key)) merged.delete(key)
}

/** `$setElementOrder` and the list that it orders are merged together, and both are done with then. */
function orderList(
  merged: Entries,
  left: Entries,
  { key, order }: { readonly key: string; readonly order: unknown },
  within: Within,
): void {
  const name = namedBy(key, SET_ORDER, within.path)
  const context = listContext(name, within)
  const given = listIn(order, under(within.path, key))
  const original = merged.has(name) ? listIn(merged.get(name), context.path) : undefined
  const patch = left.has(name) ? listIn(left.get(name), context.path) : undefined
  left.delete(key)
  left.delete(name)
  if (original === undefined && patch === undefined) return
  merged.set(name, mergedInOrder({ original, patch }, given, context))
}

function mergeField(merged: Entries, key: string, value: unknown, within: Within): void {
  const before = merged.get(key)
  if (value === null) merged.delete(key)
  else if (kindOf(before) !== kindOf(value)) take(merged, key, value, within)
  else merged.set(key, mergedValue(before, value, key, within))
}

function take(merged: Entries, key: string, value: unknown, { path }: Within): void {
  const kept = taken(value, under(path, key))
  if (kept === undefined) merged.delete(key)
  else merged.set(key, kept)
}

/** Both values are of one JSON type. */
function mergedValue(before: unknown, value: unknown, key: string, within: Within): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return mergedList(before, value, listContext(key, within))
  if (!isTree(before) || !isTree(value)) return value
  const path = under(within.path, key)
  const field = fieldIn(within.type, key)
  if (field === undefined) throw new MergeError(path, 'is no field that could be merged')
  return mergedObject(before, value, { type: field.type, path })
}

/** SMP-DIR-DELPRIM-1 to 5. Of other types than lists it works as the field itself, as in the Go library. */
function deleteFrom(merged: Entries, key: string, value: unknown, within: Within): void {
  const name = namedBy(key, DELETE_FROM, within.path) || key // the Go library looks up what names nothing as it is
  const before = merged.get(name)
  if (value === null) merged.delete(name)
  else if (kindOf(before) !== kindOf(value)) return
  else if (Array.isArray(before) && Array.isArray(value)) {
    merged.set(name, listWithout(before, value, listContext(name, within)))
  } else merged.set(name, mergedValue(before, value, name, within))
}

function listContext(name: string, within: Within): ListContext {
  const path = under(within.path, name)
  const type = fieldIn(within.type, name)?.type
  if (type?.is !== 'list') throw new MergeError(path, 'is no list that could be merged')
  return { list: type, path, mergeElement: elementMerge(type) }
}

function elementMerge({ items }: ListType): ListContext['mergeElement'] {
  return (original, patch, path) => mergedObject(original, patch, { type: items, path })
}

function listIn(value: unknown, path: string): List {
  if (!Array.isArray(value)) throw new MergeError(path, 'must be a list')
  return value
}
