/** A key of a resource with its prefix: absolute, clean, a byte string (SY-RES-7). */
export interface Key {
  /** Without a slash at its end, but for `/` itself. */
  readonly path: string
  /** It was written with a slash at its end: what is below it, and not itself. */
  readonly childrenOnly: boolean
}

/** A key has the values at its path and below it, whose path goes on with a slash (SY-BE-5). */
export function isOf({ path, childrenOnly }: Key, value: string): boolean {
  return (!childrenOnly && value === path) || value.startsWith(below(path))
}

/** The keys that cover all of them: no key twice, and none below another (SY-BE-4). In byte order. */
export function collapsed(keys: readonly Key[]): readonly Key[] {
  const kept = new Map<string, Key>()
  for (const key of [...keys].sort(byPath)) if (!isCovered(key, kept)) kept.set(key.path, key)
  return [...kept.values()]
}

/** A key with its children comes before the children alone, and both before what is below them. */
function byPath(one: Key, other: Key): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return Number(one.childrenOnly) - Number(other.childrenOnly)
}

function isCovered({ path }: Key, kept: ReadonlyMap<string, Key>): boolean {
  if (kept.has(path) || kept.has('/')) return true
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    if (kept.has(path.slice(0, at))) return true
  }
  return false
}

const below = (path: string) => (path === '/' ? path : `${path}/`)
