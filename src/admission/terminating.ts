import { isDeepStrictEqual } from 'node:util'
import { isTree } from '../schema.ts'
import type { Raw } from './change.ts'

/** Finalizers of a terminating object can always be removed. Every other change of it is reviewed (W-7). */
export function onlyLetsGo(raw: Raw): boolean {
  return wasTerminating(raw) && isDeepStrictEqual(contentOf(raw.object), contentOf(raw.oldObject))
}

/** The author's part of an object without finalizers and owners; the API server fills in the rest of the metadata. */
function contentOf(object: unknown): unknown {
  if (!isTree(object)) return object
  const { status: _, metadata, ...content } = object
  const { labels, annotations } = isTree(metadata) ? metadata : {}
  return { content, labels: labels ?? {}, annotations: annotations ?? {} }
}

/** Only the stored object counts: an author who writes this field does not delete the object (W-7). */
export function wasTerminating({ operation, oldObject }: Raw): boolean {
  const metadata = operation === 'UPDATE' && isTree(oldObject) ? oldObject.metadata : undefined
  return isTree(metadata) && Boolean(metadata.deletionTimestamp)
}
