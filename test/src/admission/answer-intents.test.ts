import { describe, expect, it } from 'vitest'
import type { AnswererParts } from '../../../src/admission/answer.ts'
import type { Consequence, Due } from '../../../src/admission/consequence.ts'
import { NOTHING_TO_SAY } from '../../../src/admission/verdict.ts'
import { Fault } from '../../../src/faults.ts'
import { MUTATING, VALIDATING, wordsOf } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aMark, aRule } from '../../support/builders/gadgets.ts'
import { readerOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { answer, creationOf, high, REFUSED } from './answering.ts'

describe('what follows for other objects', () => {
  const intent = aMark('h')
  const due: Due = { ...intent, rule: 'XX-S1' }
  const marking: Consequence<Gadget> = {
    id: due.rule,
    says: 'marks another',
    on: 'write',
    follow: async () => ({ intents: [intent], warnings: ['another is marked'] }),
  }
  const kinds = [aKind({ consequences: [marking], validate: [aRule()] })]

  /** An answer, and what was carried out before it. */
  async function given(body: unknown, wishes: Partial<AnswererParts> = {}) {
    const done: (readonly Due[])[] = []
    const carryOut: AnswererParts['carryOut'] = async (intents) => void done.push(intents)
    return { answer: await answer(VALIDATING, body, { kinds, carryOut, ...wishes }), done }
  }

  it('is written before the answer goes out', async () => {
    const { answer, done } = await given(creationOf(aGadget()))
    expect(done).toEqual([[due]])
    expect(wordsOf(answer)).toBe('allowed\nwarning: another is marked')
  })

  it('is written with what is live, and within the time that is left', async () => {
    const live = readerOf(aGadget())
    const carryOut: AnswererParts['carryOut'] = async (_, context) => {
      expect(context.deadline.left()).toBe(7_200)
      await context.live.list(GADGET, { namespace: 'demo' })
    }
    await given(creationOf(aGadget()), { carryOut, readers: { cached: readerOf(), live } })
    expect(live.reads).toEqual(['list Gadget demo {}'])
  })

  it('is told in a dry run, and never written (W-9)', async () => {
    const { answer, done } = await given(creationOf(aGadget(), { dryRun: true }))
    expect(done).toEqual([])
    expect(wordsOf(answer)).toBe('allowed\nwarning: another is marked')
  })

  it('is never written in a dry run, whatever a kind says', async () => {
    const [kind] = kinds
    const careless = kind && { ...kind, validate: async () => ({ ...NOTHING_TO_SAY, intents: [due] }) }
    const { done } = await given(creationOf(aGadget(), { dryRun: true }), { kinds: careless ? [careless] : [] })
    expect(done).toEqual([])
  })

  it.each([
    { name: 'of what is refused', body: creationOf(high) },
    { name: 'by the mutating door', body: creationOf(aGadget()), path: MUTATING },
  ])('is not written $name', async ({ body, path = VALIDATING }) => {
    const done: unknown[] = []
    await answer(path, body, { kinds, carryOut: async (intents) => void done.push(intents) })
    expect(done).toEqual([])
  })

  it('is not written of what has no answer, for it comes again', async () => {
    const needy = aRule({ check: (_, cluster) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []) })
    const kinds = [aKind({ consequences: [marking], validate: [needy] })]
    const readers = { cached: UNREACHABLE, live: readerOf() }
    const { answer, done } = await given(creationOf(aGadget()), { kinds, readers })
    expect(wordsOf(answer)).toMatch(/^503 ServiceUnavailable: /)
    expect(done).toEqual([])
  })

  it('is written of what is only warned of (UX-3), for it is stored', async () => {
    const { answer, done } = await given(creationOf(high), { enforce: 'warn' })
    expect(wordsOf(answer)).toBe(`allowed\nwarning: would be refused: ${REFUSED}\nwarning: another is marked`)
    expect(done).toEqual([[due]])
    expect((await given(creationOf(high, { dryRun: true }), { enforce: 'warn' })).done).toEqual([])
  })

  it('leaves the review without an answer where it could not be written: it comes again (TC-S3)', async () => {
    const carryOut = () => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'cannot mark Gadget h'))
    const { answer } = await given(creationOf(aGadget()), { carryOut })
    expect(wordsOf(answer)).toMatch(/^503 ServiceUnavailable: cannot decide now: cannot mark Gadget h; .*try again/)
    expect(answer.response.status?.details?.retryAfterSeconds).toBe(1)
  })

  it.each([
    { name: 'by a fault that asking again will not mend', error: new Fault('CLUSTER_REFUSED', 'no right') },
    { name: 'by a mistake of ours', error: new TypeError('x is not a function') },
  ])('throws what fails $name', async ({ error }) => {
    await expect(given(creationOf(aGadget()), { carryOut: () => Promise.reject(error) })).rejects.toBe(error)
  })
})
