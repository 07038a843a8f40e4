import { describe, expect, it } from 'vitest'
import type { Consequence } from '../../../src/admission/consequence.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import { Fault } from '../../../src/faults.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aMark, aRule, sent } from '../../support/builders/gadgets.ts'
import { GOING } from '../../support/builders/templates.ts'
import { readerOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { followed, none } from './validated.ts'

const ending = { metadata: { ...aGadget().metadata, ...GOING, finalizers: ['x'] } }
const going = { ...aGadget(), ...ending }

describe('rules', () => {
  const high = aGadget({ levels: { a: 9 } })
  const shown = async (
    rules: readonly Rule<Gadget>[],
    parts: Parameters<typeof sent>[1],
    operation: 'CREATE' | 'UPDATE' | 'DELETE' = 'CREATE',
  ) => aKind({ validate: rules }).validate(sent(operation, parts), none)

  it('refuse', async () => {
    const rule = aRule()
    expect(await shown([rule], { object: high })).toEqual({
      patch: [],
      violations: [{ path: 'spec.levels[a]', value: 9, rule }],
      warnings: [],
      intents: [],
    })
  })

  it('warn', async () => {
    expect(await shown([aRule({ effect: 'warn' })], { object: high })).toEqual({
      patch: [],
      violations: [],
      warnings: ['spec.levels[a]: 9 is too high; take a lower one (XX-V1)'],
      intents: [],
    })
  })

  it('warn of one finding and refuse for another', async () => {
    const old = { path: 'spec.levels[a]', value: 9, effect: 'warn' as const }
    const verdict = await shown([aRule({ check: () => [old, { path: 'spec.levels[b]', value: 8 }] })], { object: high })
    expect(verdict.violations.map(({ path }) => path)).toEqual(['spec.levels[b]'])
    expect(verdict.warnings).toEqual(['spec.levels[a]: 9 is too high; take a lower one (XX-V1)'])
  })

  it.each([
    { profile: 'seed', violations: 1, warnings: 0 },
    { profile: 'upstream', violations: 0, warnings: 1 },
  ] as const)('do what the profile says: $profile', async ({ profile, violations, warnings }) => {
    const verdict = await shown([aRule({ effect: { seed: 'refuse', upstream: 'warn' } })], { object: high, profile })
    expect([verdict.violations.length, verdict.warnings.length]).toEqual([violations, warnings])
  })

  it('speak of a delete by what was there', async () => {
    const used: Rule<Gadget> = {
      id: 'XX-V2',
      on: 'delete',
      check: ({ prev }) => (prev.spec.owner ? [{ path: 'metadata.name', value: prev.spec.owner }] : []),
      message: ({ value }) => `is owned by ${value}`,
      remedy: 'ask there',
    }
    expect((await shown([used], { oldObject: aGadget({ owner: 'ann' }) }, 'DELETE')).violations).toHaveLength(1)
    expect((await shown([used], { oldObject: aGadget() }, 'DELETE')).violations).toEqual([])
  })

  it.each([
    { name: 'by the stored object', oldObject: { ...high, ...ending }, violations: 0 },
    { name: 'not by what the author writes', oldObject: aGadget(), violations: 1 },
    {
      name: 'not by a timestamp of null',
      oldObject: { ...aGadget(), metadata: { name: 'g', deletionTimestamp: null } },
      violations: 1,
    },
  ])(
    'are silent on an object being deleted that loses its finalizers (W-7): $name',
    async ({ oldObject, violations }) => {
      const object = { ...high, metadata: { ...high.metadata, ...GOING } }
      expect((await shown([aRule()], { object, oldObject }, 'UPDATE')).violations).toHaveLength(violations)
    },
  )

  it('leave unanswered what could not be looked up, and say the rest', async () => {
    const needy = aRule({
      id: 'XX-V3',
      check: async (_, cluster) => (await cluster.list(GADGET, { namespace: 'demo' })) && [],
    })
    const kind = aKind({ validate: [needy, aRule()] })
    const verdict = await kind.validate(sent('CREATE', { object: high }), { cached: UNREACHABLE, live: UNREACHABLE })
    expect(verdict.violations.map(({ rule }) => rule.id)).toEqual(['XX-V1'])
    expect(verdict.unanswered).toBeInstanceOf(Fault)
  })
})

describe('consequences', () => {
  const intent = aMark('other')
  const marking: Consequence<Gadget> = {
    id: 'XX-S1',
    says: 'marks the other',
    on: 'write',
    async follow(_, cluster) {
      const found = await cluster.list(GADGET, { namespace: 'demo' })
      return { intents: [intent], warnings: [`${found.length} are marked`] }
    },
  }
  const kind = aKind({ consequences: [marking], validate: [aRule()] })
  const raw = (parts: Parameters<typeof sent>[1] = {}) => sent('CREATE', { object: aGadget(), ...parts })

  it('are looked up live, and told', async () => {
    const readers = { cached: UNREACHABLE, live: readerOf(aGadget()) }
    expect(await followed(kind, raw(), readers)).toMatchObject({ intents: [intent], warnings: ['1 are marked'] })
  })

  it('in a dry run are looked up where it costs nobody anything, and only told (W-9)', async () => {
    const readers = { cached: readerOf(aGadget(), aGadget()), live: UNREACHABLE }
    expect(await followed(kind, raw({ dryRun: true }), readers)).toMatchObject({
      intents: [],
      warnings: ['2 are marked'],
    })
  })

  it('has nothing that is refused, nor what has no answer', async () => {
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    const refused = await followed(kind, raw({ object: aGadget({ levels: { a: 9 } }) }), readers)
    expect(refused).toMatchObject({ violations: [{ value: 9 }], intents: [], warnings: [] })
    const needy = aRule({ check: async (_, cluster) => (await cluster.list(GADGET, { namespace: 'demo' })) && [] })
    const late = await followed(aKind({ consequences: [marking], validate: [needy] }), raw(), readers)
    expect(late).toMatchObject({ unanswered: { code: 'CLUSTER_UNREACHABLE' }, intents: [] })
  })

  it('are not begun behind a rule that has no answer, though they could be looked up', async () => {
    const needy = aRule({ check: async (_, cluster) => (await cluster.list(GADGET, { namespace: 'demo' })) && [] })
    const live = readerOf(aGadget())
    const late = await followed(aKind({ consequences: [marking], validate: [needy] }), raw(), {
      cached: UNREACHABLE,
      live,
    })
    expect(late).toMatchObject({ unanswered: { code: 'CLUSTER_UNREACHABLE' }, intents: [], warnings: [] })
    expect(live.reads).toEqual([])
  })

  it('that cannot be looked up leave the change unanswered; a dry run does without', async () => {
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    expect((await followed(kind, raw(), readers)).unanswered).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
    expect(await followed(kind, raw({ dryRun: true }), readers)).toEqual({
      patch: [],
      violations: [],
      warnings: [],
      intents: [],
    })
  })

  it('that fail by a mistake of ours throw', async () => {
    const error = new TypeError('x is not a function')
    const broken = { ...marking, follow: () => Promise.reject(error) }
    await expect(followed(aKind({ consequences: [broken] }), raw(), none)).rejects.toBe(error)
  })

  it('are none of an object being deleted', async () => {
    expect(await followed(kind, sent('UPDATE', { object: aGadget(), oldObject: going }), none)).toMatchObject({
      intents: [],
      warnings: [],
    })
  })
})
