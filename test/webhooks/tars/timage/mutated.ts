import { TIMAGE } from '../../../../webhooks/tars/timage/schema.ts'
import { answered, MUTATING } from '../../../support/answerer-parts.ts'
import { aRelease } from '../../../support/builders/images.ts'
import { at } from '../../../support/builders/trees.ts'
import { reviewsOf } from '../../../support/reviews.ts'

export const { creationOf, updateOf } = reviewsOf(TIMAGE)
export type Parts = Parameters<typeof answered>[2]
export const mutated = (body: unknown, parts?: Parts) => answered(MUTATING, body, parts)
export const releasesOf = async (object: unknown, parts?: Parts) =>
  at((await mutated(creationOf(object), parts)).object, 'releases')
export const named = (count: number) => Array.from({ length: count }, (_, i) => aRelease(`v${i + 1}`))
