import { isDeepStrictEqual } from 'node:util'
import { identityOf, type Layout, layoutIn, layoutOf } from '../../kube/layout.ts'
import { isTree, type Tree } from '../../schema.ts'

// The fields of an object as server-side apply keeps them apart: items of keyed lists by key, atomic values as one field.

/** A field, or an item of a keyed list, with all that is below it. */
export interface FieldNode {
  readonly path: string
  readonly value: unknown
  readonly layout: Layout
}

/** What managers can own of an object. */
export function bodyOf(object: Tree): FieldNode {
  const { apiVersion: _, kind: __, metadata, ...body } = object
  const { labels, annotations, finalizers, ownerReferences } = isTree(metadata) ? metadata : {}
  const owned = Object.entries({ labels, annotations, finalizers, ownerReferences })
  const present = Object.fromEntries(owned.filter(([, value]) => value !== undefined))
  return { path: '', value: { ...body, metadata: present }, layout: layoutOf(object) }
}

/** Undefined for a value that has one owner as a whole. */
export function childrenOf({ path, value, layout }: FieldNode): readonly FieldNode[] | undefined {
  const { keys, ...ofItems } = layout
  if (layout.isAtomic) return undefined
  if (Array.isArray(value) && keys !== undefined)
    return value.map((item) => ({ path: `${path}[${identityOf(item, keys)}]`, value: item, layout: ofItems }))
  if (!isTree(value) || Object.keys(value).length === 0) return undefined
  return Object.entries(value).map(([name, child]) => fieldOf({ path, value, layout }, name, child))
}

export function fieldOf({ path, layout }: FieldNode, name: string, value: unknown): FieldNode {
  return { path: `${path}.${JSON.stringify(name)}`, value, layout: layoutIn(layout, name) }
}

/** The paths of all fields, inner ones and outer ones. */
export function pathsIn(node: FieldNode): ReadonlySet<string> {
  const below = (childrenOf(node) ?? []).flatMap((child) => [child.path, ...pathsIn(child)])
  return new Set(below)
}

/** The paths of the innermost fields that were set, changed or removed, and of all that came. */
export function changedPaths(before: FieldNode, now: FieldNode): ReadonlySet<string> {
  const [old, next] = [leavesOf(before), leavesOf(now)]
  const set = [...next].filter(([path, value]) => !old.has(path) || !isDeepStrictEqual(old.get(path), value))
  const removed = [...old.keys()].filter((path) => !next.has(path))
  return new Set([...set.map(([path]) => path), ...removed, ...pathsIn(now).difference(pathsIn(before))])
}

function leavesOf(node: FieldNode, leaves = new Map<string, unknown>()): ReadonlyMap<string, unknown> {
  const children = childrenOf(node)
  if (children === undefined) leaves.set(node.path, node.value)
  for (const child of children ?? []) leavesOf(child, leaves)
  return leaves
}
