import type { Built, Gvr } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'

/** What an author wrote that does not stand, and the warning by the letter. */
export interface Overruled {
  readonly id: string
  readonly name?: string
  readonly of: Gvr
  readonly written: Built
  /** On UPDATE. */
  readonly stored?: Built
  readonly warnings: readonly string[]
}

export const labelled = (object: Built, labels: Tree): Built => within(object, 'labels', labels)
export const annotated = (object: Built, annotations: Tree): Built => within(object, 'annotations', annotations)
function within(object: Built, field: 'labels' | 'annotations', entries: Tree): Built {
  return { ...object, metadata: { ...object.metadata, [field]: { ...object.metadata[field], ...entries } } }
}
