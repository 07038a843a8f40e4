import type { Built, Readers } from '../../../../src/cluster/port.ts'
import { TTEMPLATE } from '../../../../webhooks/tars/ttemplate/schema.ts'
import { answered, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(TTEMPLATE)
export const answerTo = async (body: unknown, readers: Readers) =>
  wordsOf(await answered(VALIDATING, body, { readers }))
export const onCreate = (object: unknown, ...there: readonly Built[]) =>
  answerTo(creationOf(object), readersOf(...there))
export const onUpdate = (old: Built, object: unknown, ...there: readonly Built[]) =>
  answerTo(updateOf(old, object), readersOf(old, ...there))
export const onDelete = (old: Built, ...there: readonly Built[]) => answerTo(deletionOf(old), readersOf(old, ...there))

export const base = aTTemplate({ name: 'base' })
export const LONG = 'p'.repeat(64)
