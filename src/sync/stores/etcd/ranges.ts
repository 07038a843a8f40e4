import { collapsed, type Key } from '../../keys.ts'

/** The keys from `from` up to and without `to`, in byte order: those of a key, and neighbours of it. */
export interface Range {
  readonly key: Key
  readonly from: string
  readonly to: string
}

/** One for each key, after those that others cover are gone (SY-ETCD-5). */
export function rangesOf(keys: readonly Key[]): readonly Range[] {
  return collapsed(keys).map(rangeOf)
}

/**
 * `/app` and its children lie before `/app0`, for 0 is the byte after the slash; between them lies `/app-x`, which is
 * filtered out later. The children alone are a range that a grant on the prefix `/app/` covers.
 */
function rangeOf(key: Key): Range {
  const start = key.path === '/' ? '' : key.path
  return { key, from: key.childrenOnly ? `${start}/` : key.path, to: `${start}0` }
}

export const nameOf = ({ from, to }: Range): string => `${from}\n${to}`
