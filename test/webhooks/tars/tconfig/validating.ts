import type { Built, Readers } from '../../../../src/cluster/port.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { answered, CTRL, VALIDATING, WEBHOOK, wordsOf } from '../../../support/answerer-parts.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(TCONFIG)
export const answerTo = async (body: unknown, readers: Readers) =>
  wordsOf(await answered(VALIDATING, body, { readers }))
export const onCreate = (object: unknown, ...there: readonly Built[]) =>
  answerTo(creationOf(object), readersOf(...there))
export const onUpdate = (old: Built, object: unknown, ...there: readonly Built[]) =>
  answerTo(updateOf(old, object), readersOf(old, ...there))
export const onDelete = (old: Built, ...there: readonly Built[]) => answerTo(deletionOf(old), readersOf(old, ...there))
export const asUser = (user: string) => ({ user }) satisfies Sent

export const CONTROLLERS = [CTRL, WEBHOOK]
export const OTHERS = ['ann', 'system:admin', 'system:serviceaccount:demo:namespace-controller']
