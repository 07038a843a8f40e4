/** An item whose key an earlier one has already. */
export interface Repeated<T> {
  readonly item: T
  readonly at: number
  readonly first: T
  readonly firstAt: number
}

/** Finds all but the first item of each key. */
export function repeated<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly Repeated<T>[] {
  const firsts = new Map<unknown, { readonly first: T; readonly firstAt: number }>()
  return items.flatMap((item, at) => {
    const key = keyOf(item)
    const earlier = firsts.get(key)
    if (earlier === undefined) firsts.set(key, { first: item, firstAt: at })
    return earlier === undefined ? [] : [{ item, at, ...earlier }]
  })
}
