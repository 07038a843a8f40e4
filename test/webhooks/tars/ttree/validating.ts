import type { Built } from '../../../../src/cluster/port.ts'
import { TTREE } from '../../../../webhooks/tars/ttree/schema.ts'
import { answered, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(TTREE)
export const answerTo = async (body: unknown, ...there: readonly Built[]) =>
  wordsOf(await answered(VALIDATING, body, { readers: readersOf(...there) }))
