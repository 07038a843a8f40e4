import { describe, expect, it } from 'vitest'
import { askMutation, type Removal } from '../../../src/admission/mutating.ts'
import type { Advice, Mutation } from '../../../src/admission/mutation.ts'
import { label, set } from '../../../src/admission/mutation.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import type { ClusterReader } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import { integer } from '../../../src/schema.ts'
import { setting } from '../../../src/setting.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule, created, sent } from '../../support/builders/gadgets.ts'
import { GOING } from '../../support/builders/templates.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { quickPasswords } from '../../support/passwords.ts'

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
    const shown = await kind.mutate(sent('CREATE', { object: misfit }), none, MEANS)
    expect(shown).toMatchObject({
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

describe('a write on an object being deleted (W-7)', () => {
  const { metadata } = ending
  const old = { ...aGadget({ levels: { a: 9 } }), ...ending, status: { phase: 'old' } }
  const requested = async (object: object) => {
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
    expect(await requested({ ...old, ...change })).toEqual({ patched: 0, refused: 0 })
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
    expect(await requested({ ...old, ...change })).toEqual({ patched: 1, refused: 1 })
  })
})

describe('advice of mutations', () => {
  const advising = (id: string, advice: Omit<Advice, 'edits'>): Mutation<Gadget> => ({
    id,
    says: 'advises',
    edits: () => ({ edits: [set('/spec/owner', id)], ...advice }),
  })
  const shown = (...mutate: readonly Mutation<Gadget>[]) =>
    aKind({ mutate }).mutate(sent('CREATE', { object: aGadget() }), none, MEANS)

  it('goes with the edits: warnings in their order, and one set of words for the audit log', async () => {
    const first = advising('one', { warnings: ['a', 'b'], audit: { one: '1', both: '1' } })
    const second = advising('two', { warnings: ['c'], audit: { two: '2', both: '2' } })
    expect(await shown(first, owned, second)).toEqual({
      patch: ['one', 'ann', 'two'].map((value) => ({ op: 'add', path: '/spec/owner', value })),
      violations: [],
      warnings: ['a', 'b', 'c'],
      intents: [],
      audit: { one: '1', two: '2', both: '2' },
    })
  })

  it('may be edits alone', async () => {
    expect(await shown(advising('one', {}))).toEqual(
      await shown({ ...owned, edits: () => [set('/spec/owner', 'one')] }),
    )
  })

  it('is told beside a refusal', async () => {
    const verdict = await shown(advising('one', { warnings: ['a'], audit: { one: '1' } }), refusing(aRule(), 7))
    expect(verdict).toMatchObject({ violations: [{ value: 7 }], warnings: ['a'], audit: { one: '1' } })
  })

  it('may use means that are handed in', async () => {
    const COST = setting('cost', integer({ doc: 'cost', default: 10 }))
    const hashing: Mutation<Gadget> = {
      id: 'XX-M9',
      says: 'hashes',
      edits: async ({ settings }, _, { passwords }) => [
        set('/spec/owner', await passwords.hash('secret', settings.get(COST))),
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
    await expect(shown({ id: 'XX-M9', says: 'hashes', edits: () => Promise.reject(fault) })).rejects.toBe(fault)
  })
})

describe('what a mutation looks up', () => {
  const EDITED = { edits: [], warnings: ['edited'] }
  const REFUSED = { refuse: aRule(), findings: [{ path: 'spec' }] }
  const seen = readerOf(aGadget())

  interface Case {
    readonly name: string
    readonly cached: ClusterReader
    readonly live: ClusterReader
    readonly found: number
    readonly refuses?: boolean
  }
  const cases: readonly Case[] = [
    { name: 'counts when the cache has it', cached: seen, live: UNREACHABLE, found: 1 },
    { name: 'is asked live when the cache has it not', cached: readerOf(), live: seen, found: 1 },
    { name: 'is absent when neither has it', cached: readerOf(), live: readerOf(), found: 0 },
    { name: 'is asked live when it refuses for it', cached: seen, live: readerOf(), found: 0, refuses: true },
  ]
  const lookUps = {
    get: async (cluster: ClusterReader) => ((await cluster.get(GADGET, { namespace: 'demo', name: 'g' })) ? 1 : 0),
    list: async (cluster: ClusterReader) => (await cluster.list(GADGET, { namespace: 'demo' })).length,
  }
  describe.each(Object.entries(lookUps))('by %s', (_, lookUp) => {
    it.each(cases)('$name', async ({ cached, live, found, refuses = false }) => {
      const requested: number[] = []
      const mutation: Mutation<Gadget> = {
        id: 'XX-M1',
        says: 'looks up',
        edits: async (_given, cluster) => {
          const count = await lookUp(cluster)
          requested.push(count)
          return refuses && count === 1 ? REFUSED : EDITED
        },
      }
      expect(await askMutation(mutation, created(aGadget()), { readers: { cached, live }, remotes: MEANS })).toBe(
        EDITED,
      )
      expect(requested.at(-1)).toBe(found)
    })
  })

  it('is nothing where it answers at once, a refusal too', () => {
    const mutation: Mutation<Gadget> = { id: 'XX-M2', says: 'refuses', edits: () => REFUSED }
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    expect(askMutation(mutation, created(aGadget()), { readers, remotes: MEANS })).toBe(REFUSED)
  })
})
