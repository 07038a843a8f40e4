import { type Mutation, set } from '../../../src/admission/mutation.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import type { Gadget } from '../../support/builders/gadget.ts'
import { readersOf } from '../../support/fakes/readers.ts'
import { quickPasswords } from '../../support/passwords.ts'

export const none = readersOf()
export const MEANS = { passwords: quickPasswords }
/** Types that our schema does not know: an object of another version, or of a bad author. */
export const misfit = { metadata: { name: 'g' }, spec: { title: 7, owner: 'ann', note: 'secret' } }
export const owned: Mutation<Gadget> = { id: 'XX-M1', says: 'sets the owner', edits: () => [set('/spec/owner', 'ann')] }

export const refusing = (rule: Rule<Gadget>, value: number): Mutation<Gadget> => ({
  id: 'XX-M8',
  says: 'refuses',
  edits: () => ({ refuse: rule, findings: [{ path: 'spec.note', value }] }),
})
