import type { AnswererParts } from '../../../src/admission/answer.ts'
import { type Mutation, set } from '../../../src/admission/mutation.ts'
import { answered } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { reviewsOf } from '../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(GADGET)
export const owned: Mutation<Gadget> = { id: 'XX-M1', says: 'sets the owner', edits: () => [set('/spec/owner', 'ann')] }
export const kind = aKind({ mutate: [owned], validate: [aRule(), aRule({ id: 'XX-V2', effect: 'warn' })] })
export const high = aGadget({ levels: { a: 9 } })
export const answer = (path: string, body: unknown, wishes: Partial<AnswererParts> = {}) =>
  answered(path, body, { kinds: [kind], ...wishes })
export const REFUSED = 'spec.levels[a]: 9 is too high; take a lower one (XX-V1)'
