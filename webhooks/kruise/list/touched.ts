import { isTree, type Tree } from '../../kit/schema.ts'

/** What is merged of an entry. */
export interface Merging {
  readonly index: number
  readonly patch: Tree
}
type Patched = readonly Pick<Merging, 'patch'>[]

/** The lists of containers that a patch may name: ephemeral ones are not valid in a template. */
export const CONTAINERS = ['initContainers', 'containers'] as const

/** Nothing is read through the prototype. */
export const valueIn = (holder: Tree, key: string): unknown => (Object.hasOwn(holder, key) ? holder[key] : undefined)
export const treeIn = (holder: Tree, key: string): Tree => {
  const value = valueIn(holder, key)
  return isTree(value) ? value : {}
}
export const specOf = (root: Tree): Tree => treeIn(root, 'spec')

export function treesIn(holder: Tree, key: string): readonly Tree[] {
  const value = valueIn(holder, key)
  return Array.isArray(value) ? value.filter(isTree) : []
}

export function without(holder: Tree, keys: readonly string[]): Tree {
  if (keys.every((key) => !Object.hasOwn(holder, key))) return holder
  return Object.fromEntries(Object.entries(holder).filter(([key]) => !keys.includes(key)))
}

/** Whether a patch sets, nulls or orders anything within this field of the spec. */
export function touches(entries: Patched, field: string): boolean {
  return entries.some(({ patch }) => Object.hasOwn(specOf(patch), field))
}

/** The elements of this list of the spec in all patches, by name. */
export function touchedIn(entries: Patched, list: string): ReadonlyMap<unknown, readonly Tree[]> {
  return Map.groupBy(
    entries.flatMap(({ patch }) => treesIn(specOf(patch), list)),
    ({ name }) => name,
  )
}

/** Each element of a list of the spec, changed; what is not changed stays the same value. */
export function eachIn(spec: Tree, list: string, change: (element: Tree) => Tree): Tree {
  const before = valueIn(spec, list)
  if (!Array.isArray(before)) return spec
  const after = before.map((each: unknown) => (isTree(each) ? change(each) : each))
  return after.every((each, i) => each === before[i]) ? spec : { ...spec, [list]: after }
}
