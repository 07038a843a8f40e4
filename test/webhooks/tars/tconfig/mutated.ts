import { isTree, type Tree } from '../../../../src/schema.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { answered, MUTATING } from '../../../support/answerer-parts.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(TCONFIG)
export const mutated = (body: unknown) => answered(MUTATING, body)
export const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
export const made = async (object: object, sent?: Sent) => treeOf((await mutated(creationOf(object, sent))).object)
export const changed = async (old: object, object: object, sent?: Sent) =>
  treeOf((await mutated(updateOf(old, object, sent))).object)
export const withMeta = (object: Tree, more: object) => ({
  ...object,
  metadata: { ...treeOf(object.metadata), ...more },
})
