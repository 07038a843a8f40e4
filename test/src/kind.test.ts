import { describe, expect, it } from 'vitest'
import type { Exempt } from '../../src/admission/change.ts'
import type { Consequence, Intent } from '../../src/admission/consequence.ts'
import type { Advice, Mutation } from '../../src/admission/mutation.ts'
import { label, set } from '../../src/admission/mutation.ts'
import type { Rule } from '../../src/admission/rule.ts'
import type { Violation } from '../../src/admission/verdict.ts'
import { resource } from '../../src/cluster/port.ts'
import { Fault } from '../../src/faults.ts'
import { defineKind, type Removal } from '../../src/kind.ts'
import { object } from '../../src/schema.ts'
import { GADGET, type Gadget } from '../support/builders/gadget.ts'
import { aGadget, aKind, aRule, sent, TWINS } from '../support/builders/gadgets.ts'
import { GOING } from '../support/builders/templates.ts'
import { readerOf, readersOf, UNREACHABLE } from '../support/fakes/readers.ts'
import { quickPasswords } from '../support/passwords.ts'

const none = readersOf()
const MEANS = { passwords: quickPasswords }
const ending = { metadata: { ...aGadget().metadata, ...GOING, finalizers: ['x'] } }
const going = { ...aGadget(), ...ending }
/** Types that our schema does not know: an object of another version, or of a bad author. */
const misfit = { metadata: { name: 'g' }, spec: { title: 7, owner: 'ann', note: 'secret' } }
const owned: Mutation<Gadget> = { id: 'XX-M1', says: 'sets the owner', edits: () => [set('/spec/owner', 'ann')] }

const refusing = (rule: Rule<Gadget>, value: number): Mutation<Gadget> => ({
  id: 'XX-M8',
  says: 'refuses',
  edits: () => ({ refuse: rule, findings: [{ path: 'spec.note', value }] }),
})

describe('a kind', () => {
  const words = { resource: GADGET, definition: undefined, reads: [], mutations: [], rules: [] }

  it('needs no more than a resource and doors', () => {
    expect({ definition: undefined, ...aKind() }).toMatchObject(words)
  })

  it('does not mutate for those whom a mutation does not bind', async () => {
    const kind = aKind({ mutate: [{ ...owned, exempt: ['CTRL'] }] })
    const by = (name: string, among: readonly Exempt[]) =>
      kind.mutate(sent('CREATE', { object: aGadget(), user: { name, among } }), none, MEANS)
    expect((await by('tars-controller', ['CTRL'])).patch).toEqual([])
    expect((await by('ann', [])).patch).toEqual([set('/spec/owner', 'ann')])
  })

  it('shows its parts', () => {
    const definition = { description: 'A gadget.', writers: 'authors' as const, shortNames: ['g'], columns: [] }
    const reads = [{ resource: GADGET, asks: ['get'] as const }]
    const kind = aKind({ definition, reads, mutate: [owned], validate: [aRule()] })
    expect(kind).toMatchObject({ definition, reads })
    expect(kind.mutations.map(({ id, says }) => [id, says])).toEqual([['XX-M1', 'sets the owner']])
    expect(kind.rules.map(({ id }) => id)).toEqual(['XX-V1'])
  })

  it('without mutations and rules has nothing to say', async () => {
    const nothing = { patch: [], violations: [], warnings: [], intents: [] }
    expect(await aKind().mutate(sent('CREATE', { object: aGadget() }), none, MEANS)).toEqual(nothing)
    expect(await aKind().validate(sent('CREATE', { object: aGadget() }), none)).toEqual(nothing)
  })
})

describe('mutations', () => {
  const mutated = (mutate: readonly Mutation<Gadget>[], object: unknown = aGadget(), readers = none) =>
    aKind({ mutate }).mutate(sent('CREATE', { object }), readers, MEANS)

  it('go in their order, and each sees what those before it did', async () => {
    const copied: Mutation<Gadget> = {
      id: 'XX-M2',
      says: 'copies the owner',
      edits: async ({ next }) => [label('owner', next.spec?.owner)],
    }
    expect((await mutated([owned, copied])).patch).toEqual([
      { op: 'add', path: '/spec/owner', value: 'ann' },
      { op: 'add', path: '/metadata/labels', value: { owner: 'ann' } },
    ])
    expect((await mutated([copied, owned])).patch).toEqual([{ op: 'add', path: '/spec/owner', value: 'ann' }])
  })

  it('are passed over where `when` says no', async () => {
    const unowned: Mutation<Gadget> = { ...owned, when: ({ next }) => next.spec?.owner === undefined }
    expect((await mutated([unowned])).patch).toHaveLength(1)
    expect((await mutated([unowned], aGadget({ owner: 'bob' }))).patch).toEqual([])
  })

  it.each([
    ['what everything is missing of', {}],
    ['metadata alone', { metadata: {} }],
    ['an empty name (W-4)', { metadata: { name: '', generateName: 'g-' }, spec: {} }],
    ['labels of null (W-4)', { metadata: { labels: null, annotations: null }, spec: {} }],
    ['fields that the schema does not know', { spec: { unknown: [{}] }, other: 7 }],
  ])('run on %s', async (_, object) => {
    const kind = aKind({ mutate: [{ ...owned, edits: () => [set('/ran', true)] }] })
    expect((await kind.mutate(sent('CREATE', { object }), none, MEANS)).patch).toHaveLength(1)
  })

  it('are told what was there before, if it had the shape', async () => {
    const kept: Mutation<Gadget> = {
      id: 'XX-M3',
      says: 'keeps the owner',
      edits: ({ prev, operation }) => [
        set('/spec/owner', prev === undefined ? `none on ${operation}` : prev.spec?.owner),
      ],
    }
    const kind = aKind({ mutate: [kept] })
    const patchOn = async (operation: 'CREATE' | 'UPDATE', oldObject: unknown) =>
      (await kind.mutate(sent(operation, { object: aGadget(), oldObject }), none, MEANS)).patch
    expect(await patchOn('UPDATE', aGadget({ owner: 'bob' }))).toEqual([
      { op: 'add', path: '/spec/owner', value: 'bob' },
    ])
    expect(await patchOn('UPDATE', misfit)).toEqual([{ op: 'add', path: '/spec/owner', value: 'none on UPDATE' }])
    expect(await patchOn('CREATE', null)).toEqual([{ op: 'add', path: '/spec/owner', value: 'none on CREATE' }])
  })

  it('are told who asks, when and how', async () => {
    const at = new Date('2026-01-01T00:00:00Z')
    const stamped: Mutation<Gadget> = {
      id: 'XX-M4',
      says: 'stamps',
      edits: ({ user, namespace, dryRun, at: now, profile }) => [
        set('/spec/note', [user.name, namespace, dryRun, now.toISOString(), profile].join(' ')),
      ],
    }
    const raw = sent('CREATE', { object: aGadget(), at, dryRun: true, profile: 'upstream' })
    expect((await aKind({ mutate: [stamped] }).mutate(raw, none, MEANS)).patch).toEqual([
      { op: 'add', path: '/spec/note', value: 'ann demo true 2026-01-01T00:00:00.000Z upstream' },
    ])
  })

  describe('and look-ups', () => {
    const found: Mutation<Gadget> = {
      id: 'XX-M5',
      says: 'takes the owner of another gadget',
      edits: async (_, cluster) => {
        const other = await cluster.get(GADGET, { namespace: 'demo', name: 'g' })
        return [set('/spec/owner', other?.spec?.owner)]
      },
    }

    it('what the cache does not have is looked up live (SV-7)', async () => {
      const readers = { cached: readerOf(), live: readerOf(aGadget({ owner: 'bob' })) }
      expect((await mutated([found], aGadget(), readers)).patch).toEqual([
        { op: 'add', path: '/spec/owner', value: 'bob' },
      ])
    })

    it('one that fails leaves the whole change unanswered', async () => {
      const verdict = await mutated([owned, found], aGadget(), { cached: readerOf(), live: UNREACHABLE })
      expect(verdict).toMatchObject({ violations: [], unanswered: { code: 'CLUSTER_UNREACHABLE' } })
    })

    it('one that fails takes nothing back of what was refused before', async () => {
      const readers = { cached: readerOf(), live: UNREACHABLE }
      const verdict = await mutated([refusing(aRule(), 7), found], aGadget(), readers)
      expect(verdict).toMatchObject({ violations: [{ value: 7 }], unanswered: { code: 'CLUSTER_UNREACHABLE' } })
    })
  })

  it('that fail by a mistake of ours throw', async () => {
    const error = new TypeError('x is not a function')
    const broken: Mutation<Gadget> = { id: 'XX-M6', says: 'breaks', edits: () => Promise.reject(error) }
    await expect(mutated([broken])).rejects.toBe(error)
  })

  it('that fail by a fault that asking again will not mend throw', async () => {
    const fault = new Fault('CLUSTER_REFUSED', 'no right')
    await expect(mutated([{ id: 'XX-M7', says: 'breaks', edits: () => Promise.reject(fault) }])).rejects.toBe(fault)
  })

  it('may refuse, in the words of a rule, and the others go on: all is told at once (W-13)', async () => {
    const rule = aRule()
    expect(await mutated([refusing(rule, 7), owned, refusing(rule, 9)])).toEqual({
      patch: [{ op: 'add', path: '/spec/owner', value: 'ann' }],
      violations: [
        { path: 'spec.note', value: 7, rule },
        { path: 'spec.note', value: 9, rule },
      ],
      warnings: [],
      intents: [],
    })
  })
})

describe('removals are for where no mutation runs, or one refuses', () => {
  const removals: readonly Removal[] = [
    { id: 'XX-M1', path: '/spec/note', on: 'write' },
    { id: 'XX-M2', path: '/spec/owner', on: 'create' },
  ]
  const kind = aKind({ removals, mutate: [{ id: 'XX-M3', says: 'marks', edits: () => [set('/ran', true)] }] })
  const bad = () => structuredClone(misfit)
  const NOTE = { op: 'remove', path: '/spec/note' }
  const OWNER = { op: 'remove', path: '/spec/owner' }
  const RAN = { op: 'add', path: '/ran', value: true }

  it.each([
    { name: 'a new object of wrong types (W-4)', raw: sent('CREATE', { object: bad() }), patch: [NOTE, OWNER] },
    {
      name: 'an update to wrong types: what counts on CREATE stays',
      raw: sent('UPDATE', { object: bad(), oldObject: aGadget() }),
      patch: [NOTE],
    },
    {
      name: 'an object being deleted (W-7)',
      raw: sent('UPDATE', { object: aGadget({ note: 'secret', owner: 'ann' }), oldObject: going }),
      patch: [NOTE, RAN],
    },
    {
      name: 'an object being deleted that loses no more than its finalizers',
      raw: sent('UPDATE', {
        object: aGadget({ note: 'secret' }),
        oldObject: { ...aGadget({ note: 'secret' }), ...ending },
      }),
      patch: [NOTE],
    },
    {
      name: 'an object being deleted that has nothing to remove',
      raw: sent('UPDATE', { object: aGadget(), oldObject: going }),
      patch: [],
    },
    {
      name: 'where mutations run, removing is theirs',
      raw: sent('CREATE', { object: aGadget({ note: 'secret' }) }),
      patch: [RAN],
    },
    {
      name: 'the author’s own deletionTimestamp changes nothing (W-7)',
      raw: sent('UPDATE', { object: { ...going, metadata: { ...going.metadata } }, oldObject: aGadget() }),
      patch: [RAN],
    },
    {
      name: 'nor does one on CREATE',
      raw: sent('CREATE', { object: structuredClone(going), oldObject: going }),
      patch: [RAN],
    },
    { name: 'a delete', raw: sent('DELETE', { oldObject: bad() }), patch: [] },
    { name: 'no object', raw: sent('CREATE', { object: null }), patch: [] },
    { name: 'a list for an object', raw: sent('CREATE', { object: [] }), patch: [] },
  ])('$name', async ({ raw, patch }) => {
    expect(await kind.mutate(raw, none, MEANS)).toMatchObject({ patch, violations: [], intents: [] })
  })

  it('an object that a mutation refuses loses them too, for it may travel on with a warning (UX-3)', async () => {
    const parts = { removals, mutate: [refusing(aRule(), 7)] }
    const object = aGadget({ note: 'secret', owner: 'ann' })
    expect((await aKind(parts).mutate(sent('CREATE', { object }), none, MEANS)).patch).toEqual([NOTE, OWNER])
  })

  describe('and for what is of a wrong type by itself, which no schema sees once it is gone', () => {
    const rule = aRule()
    const misfit = { refuse: rule, findings: [{ path: 'spec.note' }] }
    const telling = aKind({ removals: [{ id: 'XX-M1', path: '/spec/note', on: 'write', misfit }], mutate: [owned] })
    const wrong = (spec: object) => ({ metadata: { name: 'g' }, spec })
    const OWNED = { op: 'add', path: '/spec/owner', value: 'ann' }

    it('the rest is mutated as ever, and the author told', async () => {
      const object = wrong({ title: 'a', note: 7 })
      expect(await telling.mutate(sent('CREATE', { object }), none, MEANS)).toMatchObject({
        patch: [NOTE, OWNED],
        violations: [{ path: 'spec.note', rule }],
      })
    })
    it('or not told, where nobody has to be', async () => {
      const object = wrong({ title: 'a', note: 7 })
      const kind = aKind({ removals, mutate: [owned] })
      expect(await kind.mutate(sent('CREATE', { object }), none, MEANS)).toMatchObject({
        patch: [NOTE, OWNED],
        violations: [],
      })
    })
    it.each([
      { name: 'what fits is not told of', spec: { title: 'a', note: 'secret' }, patch: [OWNED] },
      { name: 'nor is it where something else does not', spec: { title: 7, note: 'secret' }, patch: [NOTE] },
      { name: 'nor where both do not: the schema will see the other', spec: { title: 7, note: 7 }, patch: [NOTE] },
    ])('$name', async ({ spec, patch }) => {
      const verdict = await telling.mutate(sent('CREATE', { object: wrong(spec) }), none, MEANS)
      expect(verdict).toMatchObject({ patch, violations: [] })
    })
    it('nor on an object being deleted (W-7)', async () => {
      const raw = sent('UPDATE', { object: wrong({ title: 'a', note: 7 }), oldObject: going })
      expect(await telling.mutate(raw, none, MEANS)).toMatchObject({ patch: [NOTE, OWNED], violations: [] })
    })
  })

  it('what lacks its quotes is told, for the schema will not say so; not of an object that only lets go (W-7)', async () => {
    const kind = aKind({ mutate: [owned] })
    const said = await kind.mutate(sent('CREATE', { object: misfit }), none, MEANS)
    expect(said).toMatchObject({
      patch: [],
      violations: [],
      warnings: ['spec.title: is a number, and a text belongs there; write it in quotes'],
    })
    const left = { ...misfit, metadata: going.metadata }
    const update = sent('UPDATE', { object: left, oldObject: left })
    expect((await kind.mutate(update, none, MEANS)).warnings).toEqual([])
  })

  it('a kind without removals leaves a misfit as it is', async () => {
    expect((await aKind({ mutate: [owned] }).mutate(sent('CREATE', { object: bad() }), none, MEANS)).patch).toEqual([])
  })
})

describe('rules', () => {
  const high = aGadget({ levels: { a: 9 } })
  const said = async (
    rules: readonly Rule<Gadget>[],
    parts: Parameters<typeof sent>[1],
    operation: 'CREATE' | 'UPDATE' | 'DELETE' = 'CREATE',
  ) => aKind({ validate: rules }).validate(sent(operation, parts), none)

  it('refuse', async () => {
    const rule = aRule()
    expect(await said([rule], { object: high })).toEqual({
      patch: [],
      violations: [{ path: 'spec.levels[a]', value: 9, rule }],
      warnings: [],
      intents: [],
    })
  })

  it('warn', async () => {
    expect(await said([aRule({ effect: 'warn' })], { object: high })).toEqual({
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
    const verdict = await said([aRule({ effect: { seed: 'refuse', upstream: 'warn' } })], { object: high, profile })
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
    expect((await said([used], { oldObject: aGadget({ owner: 'ann' }) }, 'DELETE')).violations).toHaveLength(1)
    expect((await said([used], { oldObject: aGadget() }, 'DELETE')).violations).toEqual([])
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
      expect((await said([aRule()], { object, oldObject }, 'UPDATE')).violations).toHaveLength(violations)
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

describe('a write on an object being deleted (W-7)', () => {
  const { metadata } = ending
  const old = { ...aGadget({ levels: { a: 9 } }), ...ending, status: { phase: 'old' } }
  const asked = async (object: object) => {
    const kind = aKind({ mutate: [owned], validate: [aRule({ always: true })] })
    const { patch } = await kind.mutate(
      sent('UPDATE', { object: structuredClone(object), oldObject: old }),
      none,
      MEANS,
    )
    const { violations } = await kind.validate(sent('UPDATE', { object, oldObject: old }), none)
    return { patched: patch.length, refused: violations.length }
  }

  it.each([
    { name: 'nothing', change: {} },
    { name: 'its finalizers', change: { metadata: { ...metadata, finalizers: [] } } },
    { name: 'its owners', change: { metadata: { ...metadata, ownerReferences: [{ uid: 'u' }] } } },
    { name: 'who manages its fields', change: { metadata: { ...metadata, managedFields: [{ manager: 'm' }] } } },
    { name: 'its status', change: { status: { phase: 'new' } } },
    { name: 'what the API server fills in', change: { metadata: { name: 'g', namespace: 'demo', finalizers: [] } } },
  ])('that changes $name is neither judged nor mutated', async ({ change }) => {
    expect(await asked({ ...old, ...change })).toEqual({ patched: 0, refused: 0 })
  })

  it.each([
    { name: 'a field', change: { spec: { ...old.spec, title: 'another' } } },
    { name: 'a field that the schema does not know', change: { other: 1 } },
    { name: 'a label', change: { metadata: { ...metadata, labels: { a: 'b' } } } },
    { name: 'an annotation', change: { metadata: { ...metadata, annotations: { a: 'b' } } } },
    {
      name: 'a field together with its finalizers',
      change: { metadata: { ...metadata, finalizers: [] }, spec: { ...old.spec, title: 'another' } },
    },
  ])('that changes $name is judged and mutated like any other', async ({ change }) => {
    expect(await asked({ ...old, ...change })).toEqual({ patched: 1, refused: 1 })
  })
})

describe('advice of mutations', () => {
  const advising = (id: string, advice: Omit<Advice, 'edits'>): Mutation<Gadget> => ({
    id,
    says: 'advises',
    edits: () => ({ edits: [set('/spec/owner', id)], ...advice }),
  })
  const said = (...mutate: readonly Mutation<Gadget>[]) =>
    aKind({ mutate }).mutate(sent('CREATE', { object: aGadget() }), none, MEANS)

  it('goes with the edits: warnings in their order, and one set of words for the audit log', async () => {
    const first = advising('one', { warnings: ['a', 'b'], audit: { one: '1', both: '1' } })
    const second = advising('two', { warnings: ['c'], audit: { two: '2', both: '2' } })
    expect(await said(first, owned, second)).toEqual({
      patch: ['one', 'ann', 'two'].map((value) => ({ op: 'add', path: '/spec/owner', value })),
      violations: [],
      warnings: ['a', 'b', 'c'],
      intents: [],
      audit: { one: '1', two: '2', both: '2' },
    })
  })

  it('may be edits alone', async () => {
    expect(await said(advising('one', {}))).toEqual(await said({ ...owned, edits: () => [set('/spec/owner', 'one')] }))
  })

  it('is told beside a refusal', async () => {
    const verdict = await said(advising('one', { warnings: ['a'], audit: { one: '1' } }), refusing(aRule(), 7))
    expect(verdict).toMatchObject({ violations: [{ value: 7 }], warnings: ['a'], audit: { one: '1' } })
  })

  it('may use means that are handed in', async () => {
    const hashing: Mutation<Gadget> = {
      id: 'XX-M9',
      says: 'hashes',
      edits: async ({ settings }, _, { passwords }) => [
        set('/spec/owner', await passwords.hash('secret', settings.bcryptCost)),
      ],
    }
    const passwords = { hash: async (text: string, cost: number) => `${text} ${cost}`, verify: async () => true }
    const kind = aKind({ mutate: [hashing] })
    expect((await kind.mutate(sent('CREATE', { object: aGadget() }), none, { passwords })).patch).toEqual([
      { op: 'add', path: '/spec/owner', value: 'secret 10' },
    ])
  })

  it('when there is too much to do, the whole request is sent away (SV-12)', async () => {
    const fault = new Fault('OVERLOADED', 'too many wait')
    await expect(said({ id: 'XX-M9', says: 'hashes', edits: () => Promise.reject(fault) })).rejects.toBe(fault)
  })
})

describe('consequences', () => {
  const ref = { namespace: 'demo', name: 'other' }
  const intent: Intent = { of: GADGET, ref, patch: { spec: { count: 1 } }, again: async () => undefined }
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
    expect(await kind.validate(raw(), readers)).toMatchObject({ intents: [intent], warnings: ['1 are marked'] })
  })

  it('in a dry run are looked up where it costs nobody anything, and only told (W-9)', async () => {
    const readers = { cached: readerOf(aGadget(), aGadget()), live: UNREACHABLE }
    expect(await kind.validate(raw({ dryRun: true }), readers)).toMatchObject({
      intents: [],
      warnings: ['2 are marked'],
    })
  })

  it('has nothing that is refused, nor what has no answer', async () => {
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    const refused = await kind.validate(raw({ object: aGadget({ levels: { a: 9 } }) }), readers)
    expect(refused).toMatchObject({ violations: [{ value: 9 }], intents: [], warnings: [] })
    const needy = aRule({ check: async (_, cluster) => (await cluster.list(GADGET, { namespace: 'demo' })) && [] })
    const late = await aKind({ consequences: [marking], validate: [needy] }).validate(raw(), readers)
    expect(late).toMatchObject({ unanswered: { code: 'CLUSTER_UNREACHABLE' }, intents: [] })
  })

  it('are not begun behind a rule that has no answer, though they could be looked up', async () => {
    const needy = aRule({ check: async (_, cluster) => (await cluster.list(GADGET, { namespace: 'demo' })) && [] })
    const live = readerOf(aGadget())
    const late = await aKind({ consequences: [marking], validate: [needy] }).validate(raw(), {
      cached: UNREACHABLE,
      live,
    })
    expect(late).toMatchObject({ unanswered: { code: 'CLUSTER_UNREACHABLE' }, intents: [], warnings: [] })
    expect(live.reads).toEqual([])
  })

  it('that cannot be looked up leave the change unanswered; a dry run does without', async () => {
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    expect((await kind.validate(raw(), readers)).unanswered).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
    expect(await kind.validate(raw({ dryRun: true }), readers)).toEqual({
      patch: [],
      violations: [],
      warnings: [],
      intents: [],
    })
  })

  it('that fail by a mistake of ours throw', async () => {
    const error = new TypeError('x is not a function')
    const broken = { ...marking, follow: () => Promise.reject(error) }
    await expect(aKind({ consequences: [broken] }).validate(raw(), none)).rejects.toBe(error)
  })

  it('are none of an object being deleted', async () => {
    expect(await kind.validate(sent('UPDATE', { object: aGadget(), oldObject: going }), none)).toMatchObject({
      intents: [],
      warnings: [],
    })
  })
})

describe('what the twins in CEL say (CV-1)', () => {
  const kind = aKind({ validate: [...TWINS, aRule()] })
  const said = (next: unknown, prev?: unknown) =>
    kind.identity(next, prev).map(({ rule, path, value }) => `${rule.id} ${path} ${value}`)
  const made = (maker: string, spec: Partial<Gadget['spec']> = {}) => aGadget({ maker, ...spec })

  it.each([
    { name: 'a new object, by what is said of new ones', next: made('Ann'), found: ['GX-V2 metadata.name ann'] },
    { name: 'a new object that fits', next: made('G'), found: [] },
    {
      name: 'a change, by what is said of changes',
      next: made('Eve'),
      prev: made('Ann'),
      found: ['GX-V1 spec.maker Eve'],
    },
    { name: 'a change that leaves it', next: made('Ann'), prev: made('Ann'), found: [] },
    { name: 'a field that was not there', next: made('Eve'), prev: aGadget(), found: [] },
    { name: 'a field that is not there any more', next: aGadget(), prev: made('Eve'), found: [] },
    { name: 'rules without a twin are not asked', next: aGadget({ levels: { a: 9 } }), found: [] },
    {
      name: 'what is beyond a limit is asked all the same',
      next: made('Ann', { count: 99, motto: 'A' }),
      found: ['GX-V2 metadata.name ann'],
    },
    { name: 'what is of a wrong type is not', next: { ...made('Ann'), purpose: 7 }, found: [] },
    { name: 'nor where it was before', next: made('Eve'), prev: { ...made('Ann'), purpose: 7 }, found: [] },
    { name: 'nor what lacks a field', next: { metadata: { name: 'g' }, spec: { maker: 'Ann' } }, found: [] },
  ] as const)('$name', ({ next, prev, found }: { next: unknown; prev?: unknown; found: readonly string[] }) => {
    expect(said(next, prev)).toEqual(found)
  })

  it('counts on an update where its field is another: the API server lets stay what stays', () => {
    const short = { ...aRule({ check: ({ next }) => [{ path: 'spec.owner', value: next.spec.owner ?? '' }] }) }
    const kind = aKind({ validate: [{ ...short, cel: { at: 'spec.owner', holds: 'self.size() < 2' } }] })
    const [ann, eve] = [aGadget({ owner: 'ann' }), aGadget({ owner: 'eve' })]
    const found = (next: Gadget, prev?: Gadget) => kind.identity(next, prev).length
    expect([found(ann), found(eve, ann), found(ann, ann), found(ann, aGadget()), found(aGadget(), ann)]).toEqual([
      ...[1, 1, 0, 1, 0],
    ])
  })

  it('rests on no look-up', () => {
    const looksUp = aRule({
      async check({ namespace }, cluster) {
        const [found, all] = [cluster.get(GADGET, { namespace, name: 'g' }), cluster.list(GADGET, { namespace })]
        return (await found) === undefined && (await all).length === 0 ? [] : [{ path: 'spec.owner' }]
      },
    })
    const looking = { ...looksUp, cel: { at: '', holds: 'true' } }
    expect(() => aKind({ validate: [looking] }).identity(aGadget())).toThrow('XX-V1 looks something up')
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
    { name: 'a value of a map', object: aGadgetOf({ levels: { 'a/b~c': 'x' } }), path: 'spec.levels.a/b~c' },
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
      const { warnings } = await aKind({ consequences: [marking] }).validate(sent('CREATE', { object: beyond }), none)
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
