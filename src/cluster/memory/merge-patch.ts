import { isDeepStrictEqual } from 'node:util'
import { own } from '../../admission/patch.ts'
import { isTree, type Tree } from '../../schema.ts'

// RFC 7396.

export function mergePatched(target: unknown, patch: Tree): Tree {
  const base = isTree(target) ? target : {}
  const kept = Object.entries(base).filter(([key]) => !Object.hasOwn(patch, key))
  const set = Object.entries(patch).filter(([, value]) => value !== null)
  const merged = set.map(([key, value]) => [key, isTree(value) ? mergePatched(own(base, key), value) : value] as const)
  return Object.fromEntries([...kept, ...merged])
}

/** The merge patch that turns one object into the other. */
export function mergePatchFor(from: Tree, to: Tree): Tree {
  const dropped = Object.keys(from).filter((key) => !Object.hasOwn(to, key))
  const changed = Object.entries(to).flatMap(([key, value]) => {
    const before = own(from, key)
    if (!isTree(before) || !isTree(value)) return isDeepStrictEqual(before, value) ? [] : [[key, value] as const]
    const inner = mergePatchFor(before, value)
    return Object.keys(inner).length === 0 ? [] : [[key, inner] as const]
  })
  return Object.fromEntries([...dropped.map((key) => [key, null] as const), ...changed])
}
