import { expect } from 'vitest'
import type { AnswererParts } from '../../../../src/admission/answer.ts'
import { TACCOUNT } from '../../../../webhooks/tars/taccount/schema.ts'
import { answered, MUTATING } from '../../../support/answerer-parts.ts'
import { aTAccount } from '../../../support/builders/accounts.ts'
import { at } from '../../../support/builders/trees.ts'
import { reviewsOf } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(TACCOUNT)
export const CLEAR = 'Passw0rd!'
export const OTHER = '0ther-Passw0rd'
export const REFUSED =
  '422 Invalid: spec.authentication.password: must be 6 to 32 printable ASCII characters without spaces; ' +
  'choose another one, in quotes if it is all digits (TA-V1)'
export const PASSWORD_REMOVED = { op: 'remove', path: '/spec/authentication/password' }

export const mutated = (body: unknown, wishes: Partial<AnswererParts> = {}) => answered(MUTATING, body, wishes)
/** What the mutations made of spec.authentication. */
export async function madeOf(body: unknown, wishes?: Partial<AnswererParts>) {
  return at((await mutated(body, wishes)).object, 'spec.authentication')
}
export const creation = (authentication: object) => creationOf(aTAccount({ authentication }))
export const isNowhereIn = (answer: object, clear = CLEAR) => expect(JSON.stringify(answer)).not.toContain(clear)
