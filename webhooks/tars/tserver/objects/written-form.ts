import { isTree } from '../../../kit/schema.ts'

/** Leaves out a field whose whole value is an empty list or map. Empty values inside of it stay. */
export function filled(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === undefined || (isTree(value) && Object.keys(value).length === 0)
}

/** WK-13: an apply fails where two items of a keyed list have one key, so the first of them is written. */
export function firsts<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly T[] {
  const seen = new Set<unknown>()
  return items.filter((item) => {
    const key = keyOf(item)
    return !seen.has(key) && seen.add(key)
  })
}

/** As `firsts`, where the last one counts: kubelet takes the last of two variables of one name (WK-13). */
export function lasts<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly T[] {
  const last = new Map(items.map((item, at) => [keyOf(item), at]))
  return items.filter((item, at) => last.get(keyOf(item)) === at)
}
