import { isTree, type Tree, type Words } from '../../../kit/schema.ts'

// Parts of objects that their authors may have written in any shape.

export const treeIn = (value: unknown): Tree => (isTree(value) ? value : {})
export const treesIn = (value: unknown): readonly Tree[] => (Array.isArray(value) ? value.filter(isTree) : [])
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
export const wordsIn = (value: unknown): Words =>
  Object.fromEntries(
    Object.entries(treeIn(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

/** Without what is absent or empty, which the API server does not store. */
export const filled = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([, value]) => !isEmpty(value)))
const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** By code units, which no locale changes (NC-STS-14). */
export function sortedBy<T>(items: readonly T[], ...keys: readonly ((item: T) => unknown)[]): readonly T[] {
  const rank = (item: T) => keys.map((key) => textIn(key(item)))
  return items.toSorted((one, other) => compared(rank(one), rank(other)))
}
function compared(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((text, i) => text !== other[i])
  return at === -1 ? 0 : (one[at] ?? '') < (other[at] ?? '') ? -1 : 1
}
