import { describe, expect, it } from 'vitest'
import { type AnswererParts, answerer } from '../../../src/admission/answer.ts'
import { drop, type Mutation, set } from '../../../src/admission/mutation.ts'
import { reviewOf } from '../../../src/admission/review.ts'
import { selfCheck } from '../../../src/admission/self-check.ts'
import type { Kind } from '../../../src/kind.ts'
import { isTree } from '../../../src/schema.ts'
import { answererPartsOf, arrivalAt, MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { UNREACHABLE } from '../../support/fakes/readers.ts'
import { reviewsOf } from '../../support/reviews.ts'

type Edits = Mutation<Gadget>['edits']
const mutating = (edits: Edits): Kind => aKind({ mutate: [{ id: 'XX-M1', says: '', edits }] })

/** As the server goes, from the body of the request on. */
async function checked(path: string, body: unknown, wishes: Partial<AnswererParts>) {
  const answers = answerer(answererPartsOf(wishes))
  const review = reviewOf(structuredClone(body))
  const arrival = arrivalAt(path)
  const answer = await answers(review, arrival)
  return selfCheck(answers, { review, answer, arrival, sent: reviewOf(structuredClone(body)).object })
}
const { creationOf, deletionOf } = reviewsOf(GADGET)
const body = creationOf(aGadget({ note: 'x', tags: ['b', 'a'] }))

let turn = 0
const next = () => {
  turn += 1
  return String(turn)
}
function quietly(object: unknown): readonly [] {
  if (isTree(object) && isTree(object.spec)) object.spec.note = 'changed'
  return []
}

describe('an answer is checked by what the API server will do with it (SV-8)', () => {
  it.each<{ name: string; edits: Edits; result: string }>([
    { name: 'nothing to do', edits: () => [], result: 'holds' },
    { name: 'values set and dropped', edits: () => [set('/spec/owner', 'ann'), drop('/spec/note')], result: 'holds' },
    {
      name: 'a value within a value',
      edits: (given) => (given.next.spec?.box ? [] : [set('/spec/box', {}), set('/spec/box/unit', 'cm')]),
      result: 'holds',
    },
    { name: 'an object edited without a word', edits: (given) => quietly(given.next), result: 'patch differs' },
    {
      name: 'an object edited without a word beside a patch',
      edits: (given) => [set('/spec/owner', 'ann'), ...quietly(given.next)],
      result: 'patch differs',
    },
    { name: 'another value each time', edits: () => [set('/spec/owner', next())], result: 'not idempotent' },
    {
      name: 'the moment of each call',
      edits: ({ at }) => [set('/spec/owner', at.toISOString().slice(0, 19))],
      result: 'not idempotent',
    },
    { name: 'the uid of each call', edits: ({ uid }) => [set('/spec/owner', uid)], result: 'not idempotent' },
    {
      name: 'the moment of the first call',
      edits: ({ at, next: { spec } }) => (spec?.owner ? [] : [set('/spec/owner', at.toISOString())]),
      result: 'holds',
    },
    {
      name: 'one value there, another back',
      edits: (given) => [set('/spec/owner', given.next.spec?.owner === 'ann' ? 'bob' : 'ann')],
      result: 'not idempotent',
    },
  ])('$name: $result', async ({ edits, result }) => {
    expect(await checked(MUTATING, body, { kinds: [mutating(edits)] })).toBe(result)
  })

  it('where a door is not called again, values may differ each time (W-8)', async () => {
    const kind = mutating(() => [set('/spec/owner', next())])
    const doors = kind.doors.map(({ reinvocation: _, ...door }) => door)
    expect(await checked(MUTATING, body, { kinds: [{ ...kind, doors }] })).toBe('holds')
  })

  it('there is nothing to check of DELETE, nor where a door validates', async () => {
    const kinds = [mutating(() => [set('/spec/owner', 'ann')])]
    expect(await checked(MUTATING, deletionOf(aGadget()), { kinds })).toBe('holds')
    expect(await checked(VALIDATING, body, { kinds: [aKind({ validate: [aRule()] })] })).toBe('holds')
  })

  it('what could not be looked up leaves nothing to compare with', async () => {
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    const kinds = [mutating((_, cluster) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []))]
    expect(await checked(MUTATING, body, { kinds, readers })).toBe('holds')
  })

  it('what can be looked up no more is not checked', async () => {
    let looks = 0
    const once = () => {
      looks += 1
      return looks === 1 ? Promise.resolve([]) : UNREACHABLE.list(GADGET, { namespace: 'demo' })
    }
    const kinds = [mutating(async () => [set('/spec/owner', `${(await once()).length}`)])]
    expect(await checked(MUTATING, body, { kinds })).toBe('not checked')
  })
})
