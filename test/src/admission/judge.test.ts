import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/admission/change.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import { Fault } from '../../../src/faults.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aRule, created, deleted, high, updated } from '../../support/builders/gadgets.ts'
import { readerOf } from '../../support/fakes/readers.ts'
import { judge, none, pathsFound, withLevels } from './judging.ts'

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
      name: 'nor warnings of a rule that refuses',
      rules: [aRule({ check: ({ next }) => high(next).map((each) => ({ ...each, effect: 'warn' })) }), last()],
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
