import { describe, expect, it } from 'vitest'
import type { Raw } from '../../../src/admission/change.ts'
import type { Consequence } from '../../../src/admission/consequence.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import { validateBy } from '../../../src/admission/together.ts'
import type { Violation } from '../../../src/admission/verdict.ts'
import { type Readers, resource } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import { defineKind, type Kind } from '../../../src/kind.ts'
import { object } from '../../../src/schema.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aMark, aRule, sent } from '../../support/builders/gadgets.ts'
import { GOING } from '../../support/builders/templates.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../support/fakes/readers.ts'

const none = readersOf()
const ending = { metadata: { ...aGadget().metadata, ...GOING, finalizers: ['x'] } }
const going = { ...aGadget(), ...ending }
/** Types that our schema does not know: an object of another version, or of a bad author. */
const misfit = { metadata: { name: 'g' }, spec: { title: 7, owner: 'ann', note: 'secret' } }

/** With what follows where the kind lets the change in. */
const followed = (kind: Kind, raw: Raw, readers: Readers) => validateBy([kind], raw, readers, 'refuse')

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

describe('objects that our schema does not know (CV-8)', () => {
  const words = { check: () => [{ path: 'spec' }], message: () => 'is wrong', remedy: 'leave it' }
  const onUpdate: Rule<Gadget> = { ...words, id: 'XX-V4', on: 'update' }
  const onCreate: Rule<Gadget> = { ...words, id: 'XX-V5', on: 'create' }
  const onDelete: Rule<Gadget> = { ...words, id: 'XX-V6', on: 'delete' }
  const kind = aKind({ validate: [aRule(), onUpdate, onCreate, onDelete] })
  /** Of any form. */
  const aGadgetOf = (spec: object) => ({ ...aGadget(), spec: { ...aGadget().spec, ...spec } })
  const NOT_CHECKED = 'of another shape than this tars-admission knows, so the object is not checked (CV-8)'
  const unknown = { patch: [], violations: [], warnings: [`spec.title: ${NOT_CHECKED}`], intents: [], unfit: 'object' }
  const found = ({ violations }: { violations: readonly Violation[] }) =>
    violations.map(({ rule, path }) => `${rule.id} ${path}`)

  it.each([
    { name: 'a new one', raw: sent('CREATE', { object: misfit }) },
    { name: 'a change to one', raw: sent('UPDATE', { object: misfit, oldObject: aGadget() }) },
    { name: 'a change of one to another', raw: sent('UPDATE', { object: misfit, oldObject: misfit }) },
    { name: 'the delete of one', raw: sent('DELETE', { oldObject: misfit }) },
  ])('$name is allowed with a warning that names the path, and counted', async ({ raw }) => {
    expect(await kind.validate(raw, none)).toEqual(unknown)
  })

  it.each([
    { name: 'no object at all', object: null, path: 'the object' },
    { name: 'no name', object: { ...aGadget(), metadata: {} }, path: 'metadata.name' },
    { name: 'an item without a name', object: aGadgetOf({ parts: [{ name: 'a' }, {}] }), path: 'spec.parts[1].name' },
    { name: 'a value of a map', object: aGadgetOf({ levels: { 'a/b~c': 'x' } }), path: 'spec.levels[a/b~c]' },
  ])('by its path: $name', async ({ object, path }) => {
    expect((await kind.validate(sent('CREATE', { object }), none)).warnings).toEqual([`${path}: ${NOT_CHECKED}`])
  })

  describe('of what fits the outline, beyond limits, enums and patterns, every rule is asked', () => {
    const excess = { title: 'A', color: 'mauve', tags: ['a', 'b', 'c', 'd'], source: {}, levels: { a: 9 } }
    const beyond = aGadgetOf(excess)

    it.each([
      {
        name: 'CREATE',
        raw: sent('CREATE', { object: beyond }),
        rules: ['XX-V1 spec.levels[a]', 'XX-V5 spec'],
        unfit: 'object',
      },
      {
        name: 'UPDATE',
        raw: sent('UPDATE', { object: beyond, oldObject: aGadget() }),
        rules: ['XX-V1 spec.levels[a]'],
        unfit: 'object',
      },
      {
        name: 'UPDATE of one to a good one',
        raw: sent('UPDATE', { object: aGadget({ levels: { b: 9 } }), oldObject: beyond }),
        rules: ['XX-V1 spec.levels[b]'],
        unfit: 'oldObject',
      },
      {
        name: 'UPDATE of one to itself',
        raw: sent('UPDATE', { object: beyond, oldObject: beyond }),
        rules: [],
        unfit: 'object',
      },
      { name: 'DELETE', raw: sent('DELETE', { oldObject: beyond }), rules: ['XX-V6 spec'], unfit: 'object' },
    ])('on $name, and it is counted', async ({ raw, rules, unfit }) => {
      const verdict = await kind.validate(raw, none)
      expect(found(verdict)).toEqual(rules)
      expect(verdict).toMatchObject({ unfit, warnings: [] })
    })
    it('and what follows, follows', async () => {
      const marking: Consequence<Gadget> = {
        id: 'XX-S1',
        says: 'tells',
        on: 'write',
        follow: async () => ({ intents: [], warnings: ['follows'] }),
      }
      const raw = sent('CREATE', { object: beyond })
      const { warnings } = await followed(aKind({ consequences: [marking] }), raw, none)
      expect(warnings).toEqual(['follows'])
    })
  })

  it('on DELETE rules that need metadata alone are asked of every object that has some', async () => {
    const named: Rule<Gadget> = {
      ...words,
      id: 'XX-V7',
      on: 'deleteByMetadata',
      check: ({ prev }) => [{ path: 'metadata.name', value: prev.metadata.name }],
    }
    const deletion = async (oldObject: unknown) =>
      found(await aKind({ validate: [aRule(), onDelete, named] }).validate(sent('DELETE', { oldObject }), none))
    expect(await deletion(misfit)).toEqual(['XX-V7 metadata.name'])
    expect(await deletion({ metadata: { name: 'g' } })).toEqual(['XX-V7 metadata.name'])
    expect(await deletion({ metadata: {} })).toEqual([])
    expect(await deletion(aGadget())).toEqual(['XX-V6 spec', 'XX-V7 metadata.name'])
  })

  it('a change of one to a good one asks the rules on write, of the new object alone, and is counted', async () => {
    const verdict = await kind.validate(
      sent('UPDATE', { object: aGadget({ levels: { a: 9 } }), oldObject: misfit }),
      none,
    )
    expect(verdict.violations.map(({ rule, path }) => `${rule.id} ${path}`)).toEqual(['XX-V1 spec.levels[a]'])
    expect(verdict.unfit).toBe('oldObject')
  })

  it('a field that is not known is warned of by its path, of the items of a list one, and counted', async () => {
    const parts = [
      { name: 'a', later: 1 },
      { name: 'b', later: 1 },
    ]
    const object = { ...aGadget(), other: 1, spec: { title: 'a gadget', later: { much: true }, parts } }
    const verdict = await kind.validate(sent('UPDATE', { object, oldObject: aGadget() }), none)
    expect(verdict.unfit).toBe('object')
    expect(verdict.warnings).toEqual(
      ['other', 'spec.later', 'spec.parts[0].later'].map(
        (path) => `${path}: a field that this tars-admission does not know, so no rule looks at it (CV-8)`,
      ),
    )
  })

  it.each([
    { name: 'of metadata', object: { ...aGadget(), metadata: { name: 'g', managedFields: [], finalizers: ['x'] } } },
    { name: 'of a map', object: aGadget({ settings: { any: 'x' } }) },
  ])('but not $name, which takes any', async ({ object }) => {
    const { warnings, unfit } = await kind.validate(sent('UPDATE', { object, oldObject: aGadget() }), none)
    expect({ warnings, unfit }).toEqual({ warnings: [], unfit: undefined })
  })

  it('nor where the schema names none, for it is of others', async () => {
    const of = resource({ ...GADGET, kind: 'Foreign' }, object({}))
    const foreign = defineKind({ resource: of, doors: [] })
    expect(await foreign.validate(sent('CREATE', { object: aGadget() }), none)).toMatchObject({ warnings: [] })
  })
})
