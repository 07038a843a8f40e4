import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/admission/change.ts'
import { judge as judgeThere } from '../../../src/admission/judge.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import type { Readers } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aRule, created, deleted, high, updated } from '../../support/builders/gadgets.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../support/fakes/readers.ts'

const withLevels = (...levels: readonly number[]) => aGadget({ levels: Object.fromEntries(levels.entries()) })
const none = readersOf()
/** In a namespace that is not terminating, unless the case says otherwise. */
const judge = (
  rules: readonly Rule<Gadget>[],
  change: Change<Gadget>,
  readers: Readers,
  isNamespaceTerminating = async () => false,
) => judgeThere(rules, change, { ...readers, isNamespaceTerminating })

async function pathsFound(rule: Rule<Gadget>, change: Change<Gadget>, readers: Readers = none) {
  const { found } = await judge([rule], change, readers)
  return found.map(({ path }) => path)
}

describe('a rule is asked on the operations that it names', () => {
  const finds = () => [{ path: 'spec' }]
  const words = { id: 'XX-V1', message: () => '', remedy: '' }
  const rules: readonly Rule<Gadget>[] = [
    { ...words, id: 'on create', on: 'create', check: finds },
    { ...words, id: 'on update', on: 'update', check: finds, always: true },
    { ...words, id: 'on delete', on: 'delete', check: finds },
    { ...words, id: 'on write', on: 'write', check: finds, always: true },
  ]
  it.each([
    { change: created(aGadget()), requested: ['on create', 'on write'] },
    { change: updated(aGadget(), aGadget()), requested: ['on update', 'on write'] },
    { change: deleted(aGadget()), requested: ['on delete'] },
  ])('$change.operation', async ({ change, requested }) => {
    const { found } = await judge(rules, change, none)
    expect(found.map(({ rule }) => rule.id)).toEqual(requested)
  })

  it('and not where `when` says no', async () => {
    const rule = aRule({ when: ({ next }) => next.spec.active === true })
    expect(await pathsFound(rule, created(aGadget({ levels: { a: 9 } })))).toEqual([])
    expect(await pathsFound(rule, created(aGadget({ levels: { a: 9 }, active: true })))).toHaveLength(1)
  })

  it('all rules speak, in their order (W-13)', async () => {
    const later = aRule({ id: 'XX-V2', check: async () => [{ path: 'late' }] })
    const { found } = await judge([later, aRule()], created(withLevels(2)), none)
    expect(found.map(({ rule, path }) => `${rule.id} ${path}`)).toEqual(['XX-V2 late', 'XX-V1 spec.levels[0]'])
  })
})

describe('rules stop when more is refused than anybody reads (CV-8)', () => {
  const levels = (count: number) => withLevels(...Array.from({ length: count }, () => 2))
  const last = (wishes: Parameters<typeof aRule>[0] = {}) =>
    aRule({ id: 'XX-V2', check: () => [{ path: 'spec.last' }], ...wishes })
  async function idsOf(rules: readonly Rule<Gadget>[], change: Change<Gadget>) {
    const { found } = await judge(rules, change, none)
    return [...new Set(found.map(({ rule }) => rule.id))]
  }

  it.each([
    { name: '100 findings do not stop them', rules: [aRule(), last()], change: created(levels(100)), requested: 2 },
    { name: 'one more does', rules: [aRule(), last()], change: created(levels(101)), requested: 1 },
    {
      name: 'which may be of several rules',
      rules: [aRule(), aRule({ id: 'XX-V3' }), last()],
      change: created(levels(60)),
      requested: 2,
    },
    {
      name: 'warnings do not, however many, or they would hide a refusal',
      rules: [aRule({ effect: 'warn' }), last()],
      change: created(levels(1_000)),
      requested: 2,
    },
    {
      name: 'nor what was there before, which does not count',
      rules: [aRule(), last({ check: ({ next }) => (next.spec.owner ? [{ path: 'spec.last' }] : []) })],
      change: updated(levels(1_000), aGadget({ ...levels(1_000).spec, owner: 'ann' })),
      requested: 1,
    },
  ])('$name', async ({ rules, change, requested }) => {
    expect(await idsOf(rules, change)).toHaveLength(requested)
  })
  it('and nothing is looked up any more', async () => {
    const cached = readerOf()
    const looking = last({ check: (_, cluster) => cluster.list(GADGET, { namespace: '' }).then(() => []) })
    await judge([aRule(), looking], created(levels(101)), { cached, live: cached })
    expect(cached.reads).toEqual([])
  })
})

describe('ratcheting (CV-8, W-12): what was there before does not count', () => {
  it.each([
    { name: 'a new finding counts', before: [], after: [2], found: ['spec.levels[0]'] },
    { name: 'an old one does not', before: [2], after: [2], found: [] },
    { name: 'one that went is nothing', before: [2], after: [], found: [] },
    { name: 'another value counts', before: [2], after: [3], found: ['spec.levels[0]'] },
    { name: 'another index does not', before: [2, 0], after: [0, 2], found: [] },
    { name: 'one old excuses one new', before: [2], after: [2, 2], found: ['spec.levels[1]'] },
    { name: 'two old excuse two new', before: [2, 2], after: [2, 2], found: [] },
    { name: 'each value is excused by its own', before: [2, 3], after: [3, 4], found: ['spec.levels[1]'] },
  ])('$name', async ({ before, after, found }) => {
    expect(await pathsFound(aRule(), updated(withLevels(...before), withLevels(...after)))).toEqual(found)
  })

  it('takes its time for 30,000 findings, and not for each with each', async () => {
    const levels = Array.from({ length: 30_000 }, (_, at) => at + 2)
    expect(await pathsFound(aRule(), updated(withLevels(...levels), withLevels(...levels.toReversed())))).toEqual([])
  })

  it('what another rule found does not excuse what this one finds at the same place', async () => {
    const lender = (id: string) => aRule({ id })
    const borrowed = aRule({
      check: ({ next }) => [{ path: 'spec.note', value: 1, through: lender(next.spec.owner ?? 'XX-V8') }],
    })
    const change = (before: string, after: string) => updated(aGadget({ owner: before }), aGadget({ owner: after }))
    expect(await pathsFound(borrowed, change('XX-V8', 'XX-V9'))).toEqual(['spec.note'])
    expect(await pathsFound(borrowed, change('XX-V8', 'XX-V8'))).toEqual([])
  })

  it('a number does not excuse the same number as a text', async () => {
    const rule = aRule({ check: ({ next }) => [{ path: 'spec', value: next.spec.owner ?? 1 }] })
    expect(await pathsFound(rule, updated(aGadget(), aGadget({ owner: '1' })))).toEqual(['spec'])
  })

  it('another path counts, though the value is the same', async () => {
    const old = aGadget({ levels: { a: 2 } })
    expect(await pathsFound(aRule(), updated(old, aGadget({ levels: { b: 2 } })))).toEqual(['spec.levels[b]'])
  })

  it('a finding without a value is excused by one without', async () => {
    const rule = aRule({ check: () => [{ path: 'spec' }] })
    expect(await pathsFound(rule, updated(aGadget(), aGadget()))).toEqual([])
  })

  it('a rule of transition finds nothing from old to old, so it always counts', async () => {
    const rule: Rule<Gadget> = {
      id: 'XX-V1',
      on: 'update',
      check: ({ prev, next }) => (prev.spec.owner === next.spec.owner ? [] : [{ path: 'spec.owner' }]),
      message: () => 'is immutable',
      remedy: 'leave it',
    }
    expect(await pathsFound(rule, updated(aGadget({ owner: 'a' }), aGadget({ owner: 'b' })))).toEqual(['spec.owner'])
    expect(await pathsFound(rule, updated(aGadget({ owner: 'a' }), aGadget({ owner: 'a' })))).toEqual([])
  })

  it('a rule marked `always` is not ratcheted', async () => {
    expect(await pathsFound(aRule({ always: true }), updated(withLevels(2), withLevels(2)))).toHaveLength(1)
  })

  it('a new object has no past', async () => {
    expect(await pathsFound(aRule(), created(withLevels(2)))).toHaveLength(1)
  })
})

describe('exemptions', () => {
  const rule = aRule({ exempt: ['CTRL'] })
  const requested = (among: readonly ('CTRL' | 'KUBE')[]) => created(withLevels(2), { user: { name: 'x', among } })

  it.each([
    { among: ['CTRL'], found: 0 },
    { among: ['KUBE', 'CTRL'], found: 0 },
    { among: ['KUBE'], found: 1 },
    { among: [], found: 1 },
  ] as const)('for CTRL: of $among $found counts', async ({ among, found }) => {
    expect(await pathsFound(rule, requested(among))).toHaveLength(found)
  })

  const onlyWhenNew = aRule({ exemptOnUpdate: ['CTRL'] })
  it.each([
    { name: 'CREATE, CTRL', change: requested(['CTRL']), found: 1 },
    {
      name: 'UPDATE, CTRL',
      change: updated(aGadget(), withLevels(2), { user: { name: 'x', among: ['CTRL'] } }),
      found: 0,
    },
    {
      name: 'UPDATE, KUBE',
      change: updated(aGadget(), withLevels(2), { user: { name: 'x', among: ['KUBE'] } }),
      found: 1,
    },
  ])('on UPDATE alone: of $name $found counts', async ({ change, found }) => {
    expect(await pathsFound(onlyWhenNew, change)).toHaveLength(found)
  })

  it('on UPDATE are added to those that always hold', async () => {
    const both = aRule({ exempt: ['KUBE'], exemptOnUpdate: ['CTRL'] })
    const update = (who: 'CTRL' | 'KUBE') => updated(aGadget(), withLevels(2), { user: { name: 'x', among: [who] } })
    expect(await pathsFound(both, update('CTRL'))).toEqual([])
    expect(await pathsFound(both, update('KUBE'))).toEqual([])
    expect(await pathsFound(both, requested(['CTRL']))).toHaveLength(1)
  })

  describe('of a deputy, who deletes for others (tars.md 1.5)', () => {
    const held: Rule<Gadget> = {
      id: 'XX-V1',
      on: 'delete',
      exempt: ['KUBE'],
      check: ({ prev }) => high(prev),
      message: () => 'is held',
      remedy: 'let go',
    }
    const byDeputy = (object: Gadget) => deleted(object, { user: { name: 'x', among: ['DEPUTY'] } })
    const isCalled = () => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'asked'))

    it.each([
      { name: 'holds', terminating: false, found: 1 },
      { name: 'does not hold while the namespace is terminating', terminating: true, found: 0 },
    ])('a rule $name', async ({ terminating, found }) => {
      const judged = await judge([held], byDeputy(withLevels(2)), none, async () => terminating)
      expect(judged.found).toHaveLength(found)
    })
    it('a rule that exempts others holds', async () => {
      const judged = await judge([{ ...held, exempt: ['CTRL'] }], byDeputy(withLevels(2)), none, isCalled)
      expect(judged).toMatchObject({ found: [{ path: 'spec.levels[0]' }] })
    })
    it('the namespace is asked for only where a rule would refuse, and is waited for', async () => {
      expect(await judge([held], byDeputy(withLevels(0)), none, isCalled)).toEqual({ found: [] })
      const { found, unanswered } = await judge([held], byDeputy(withLevels(2)), none, isCalled)
      expect({ found, code: unanswered?.code }).toEqual({ found: [], code: 'CLUSTER_UNREACHABLE' })
    })
  })

  it('a rule that exempts nobody holds for all', async () => {
    expect(await pathsFound(aRule(), requested(['CTRL', 'KUBE']))).toHaveLength(1)
  })
})

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
