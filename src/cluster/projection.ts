import { LAST_APPLIED } from '../kube/metadata.ts'
import { isTree, type Tree } from '../schema.ts'
import type { Built } from './port.ts'
import { isNamed } from './stored.ts'

/** What remains of an object. A copy: the object may be frozen, and the rest of it is not held on to. */
export type Projection = (object: Built) => Built

/** Without `fields`, all but what is there for other writers: who wrote which field, and the text last applied. */
export function projectionOf(fields?: readonly string[]): Projection {
  if (fields === undefined) return withoutBookkeeping
  const paths = outermost(fields).map((field) => field.split('.'))
  return (object) => {
    const { name, namespace, uid, resourceVersion, labels } = object.metadata
    const metadata: Tree = { name, namespace, uid, resourceVersion, labels } // at once, or it takes twice the memory
    const kept: Tree = { metadata }
    for (const path of paths) copy(object, kept, path)
    shortenLastApplied(metadata)
    return named(kept)
  }
}

function withoutBookkeeping(object: Built): Built {
  const metadata: Tree = { ...object.metadata }
  if (Object.hasOwn(metadata, 'managedFields')) metadata.managedFields = undefined
  shortenLastApplied(metadata)
  return named({ ...object, metadata })
}

/** A path within another one that is kept whole says nothing more. */
function outermost(fields: readonly string[]): readonly string[] {
  return fields.filter((field) => !fields.some((other) => field.startsWith(`${other}.`)))
}

/** What should be an object and is none is kept, so that it is as wrong as it was. */
function copy(from: Tree, to: Tree, [key, ...rest]: readonly string[]): void {
  if (key === undefined || !Object.hasOwn(from, key)) return
  const value = from[key]
  to[key] = rest.length === 0 ? value : partOf(value, to[key], rest)
}

/** What was copied before grows. */
function partOf(value: unknown, before: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const parts: readonly unknown[] = Array.isArray(before) ? before : []
    return value.map((item, i) => partOf(item, parts[i], path))
  }
  if (!isTree(value)) return value
  const part = isTree(before) ? before : {}
  copy(value, part, path)
  return part
}

/** The whole object once more. A map of texts with anything else in it would not be one any more, and its object be no object. */
function shortenLastApplied(metadata: Tree): void {
  const { annotations } = metadata
  if (isTree(annotations) && Object.hasOwn(annotations, LAST_APPLIED))
    metadata.annotations = { ...annotations, [LAST_APPLIED]: '' }
}

/** It keeps its name. */
export function named(kept: Tree): Built {
  if (isNamed(kept)) return kept
  throw new TypeError('an object without a name is not kept')
}
