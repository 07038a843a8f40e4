import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../src/admission/rule.ts'
import { Fault } from '../../../src/faults.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aRule, created, deleted, high, updated } from '../../support/builders/gadgets.ts'
import { readerOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { judge, none, pathsFound, withLevels } from './judging.ts'

describe('look-ups (SV-7, W-11)', () => {
  const ref = { namespace: 'demo', name: 'g' }
  /** Finds fault with the absence of g. */
  const needy = aRule({
    check: async (_, cluster) => ((await cluster.get(GADGET, ref)) ? [] : [{ path: 'spec.owner' }]),
  })
  const lister = aRule({
    check: async (_, cluster) => ((await cluster.list(GADGET, { namespace: 'demo' })).length ? [] : [{ path: 'spec' }]),
  })

  it.each([
    { rule: needy, read: 'get Gadget demo/g' },
    { rule: lister, read: 'list Gadget demo {}' },
  ])('$read: the cache may allow', async ({ rule, read }) => {
    const cached = readerOf(aGadget())
    const live = readerOf()
    expect(await pathsFound(rule, created(aGadget()), { cached, live })).toEqual([])
    expect([cached.reads, live.reads]).toEqual([[read], []])
  })

  it.each([
    { rule: needy, read: 'get Gadget demo/g' },
    { rule: lister, read: 'list Gadget demo {}' },
  ])('$read: a refusal is asked live once more, and only that counts', async ({ rule, read }) => {
    const live = readerOf(aGadget())
    expect(await pathsFound(rule, created(aGadget()), { cached: readerOf(), live })).toEqual([])
    expect(live.reads).toEqual([read])
    expect(await pathsFound(rule, created(aGadget()), none)).toHaveLength(1)
  })

  it('a refusal that looked nothing up is not asked twice', async () => {
    let requested = 0
    const rule = aRule({
      check: ({ next }) => {
        requested += 1
        return high(next)
      },
    })
    expect(await pathsFound(rule, created(withLevels(2)))).toHaveLength(1)
    expect(requested).toBe(1)
  })

  it('a rule marked `live` never asks the cache', async () => {
    const cached = readerOf(aGadget())
    const live = readerOf(aGadget())
    expect(await pathsFound({ ...needy, live: true }, created(aGadget()), { cached, live })).toEqual([])
    expect([cached.reads.length, live.reads.length]).toEqual([0, 1])
  })

  it('a rule marked `cached` refuses without a live read', async () => {
    const live = readerOf(aGadget())
    const rule = { ...needy, cached: true as const }
    expect(await pathsFound(rule, created(aGadget()), { cached: readerOf(), live })).toHaveLength(1)
    expect(live.reads).toEqual([])
  })

  it('a rule on delete never asks the cache', async () => {
    const rule: Rule<Gadget> = {
      id: 'XX-V1',
      on: 'delete',
      check: async (_, cluster) => ((await cluster.get(GADGET, ref)) ? [{ path: 'metadata.name' }] : []),
      message: () => 'is in use',
      remedy: 'wait',
    }
    const readers = { cached: UNREACHABLE, live: readerOf(aGadget()) }
    expect(await pathsFound(rule, deleted(aGadget()), readers)).toEqual(['metadata.name'])
  })

  it('an old finding that rests on a look-up excuses too', async () => {
    expect(await pathsFound(needy, updated(aGadget(), aGadget()), none)).toEqual([])
  })
})

describe('a look-up that fails', () => {
  const needy = aRule({
    id: 'XX-V2',
    check: async (_, cluster) => {
      await cluster.list(GADGET, { namespace: 'demo' })
      return []
    },
  })
  const readers = { cached: UNREACHABLE, live: UNREACHABLE }

  it('leaves its rule unanswered', async () => {
    const { found, unanswered } = await judge([needy], created(aGadget()), readers)
    expect(found).toEqual([])
    expect(unanswered).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
  })

  it('the other rules answer all the same (SV-4)', async () => {
    const { found, unanswered } = await judge([needy, aRule()], created(withLevels(2)), readers)
    expect(found.map(({ rule }) => rule.id)).toEqual(['XX-V1'])
    expect(unanswered).toBeInstanceOf(Fault)
  })

  it('keeps nobody waiting for a warning', async () => {
    expect(await judge([{ ...needy, effect: 'warn' }], created(aGadget()), readers)).toEqual({ found: [] })
  })

  it('is nothing to a rule that did not need it', async () => {
    expect(await judge([aRule()], created(withLevels(1)), readers)).toEqual({ found: [] })
  })

  it('on the second look leaves the rule unanswered, not refused', async () => {
    const rule = aRule({
      check: async (_, cluster) =>
        (await cluster.list(GADGET, { namespace: 'demo' })).length ? [] : [{ path: 'spec' }],
    })
    const judged = await judge([rule], created(aGadget()), { cached: readerOf(), live: UNREACHABLE })
    expect(judged.found).toEqual([])
    expect(judged.unanswered).toBeInstanceOf(Fault)
  })

  it.each([
    ['a fault that asking again will not mend', new Fault('CLUSTER_REFUSED', 'no right to list')],
    ['a mistake of ours', new TypeError('x is not a function')],
  ])('by %s is thrown', async (_, error) => {
    const broken = aRule({
      check: () => {
        throw error
      },
    })
    await expect(judge([aRule(), broken], created(withLevels(2)), none)).rejects.toBe(error)
  })

  it('by a mistake of ours takes along what others wait for: nothing is left uncaught', async () => {
    const mistake = new TypeError('x is not a function')
    const broken = aRule({
      check: () => {
        throw mistake
      },
    })
    const refused = aRule({
      check: () => Promise.resolve().then(() => Promise.reject(new Fault('CLUSTER_REFUSED', ''))),
    })
    await expect(judge([refused, broken], created(aGadget()), none)).rejects.toBe(mistake)
  })
})
