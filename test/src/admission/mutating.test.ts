import { describe, expect, it } from 'vitest'
import { askMutation } from '../../../src/admission/mutating.ts'
import { type Advice, label, type Mutation, type MutationAnswer, set } from '../../../src/admission/mutation.ts'
import type { ClusterReader } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import { integer } from '../../../src/schema.ts'
import { setting } from '../../../src/setting.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule, created, sent } from '../../support/builders/gadgets.ts'
import { readerOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { MEANS, misfit, none, owned, refusing } from './misfits.ts'

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
    readonly first?: MutationAnswer
  }
  const cases: readonly Case[] = [
    { name: 'counts when the cache has it', cached: seen, live: UNREACHABLE, found: 1 },
    { name: 'is asked live when the cache has it not', cached: readerOf(), live: seen, found: 1 },
    { name: 'is absent when neither has it', cached: readerOf(), live: readerOf(), found: 0 },
    { name: 'is asked live when it refuses for it', cached: seen, live: readerOf(), found: 0, first: REFUSED },
    {
      name: 'is asked live when it doubts it',
      cached: seen,
      live: seen,
      found: 1,
      first: { edits: [], doubtful: true },
    },
  ]
  const lookUps = {
    get: async (cluster: ClusterReader) => ((await cluster.get(GADGET, { namespace: 'demo', name: 'g' })) ? 1 : 0),
    list: async (cluster: ClusterReader) => (await cluster.list(GADGET, { namespace: 'demo' })).length,
  }
  describe.each(Object.entries(lookUps))('by %s', (_, lookUp) => {
    it.each(cases)('$name', async ({ cached, live, found, first }) => {
      const requested: number[] = []
      const mutation: Mutation<Gadget> = {
        id: 'XX-M1',
        says: 'looks up',
        edits: async (_given, cluster) => {
          const count = await lookUp(cluster)
          requested.push(count)
          return first !== undefined && requested.length === 1 ? first : EDITED
        },
      }
      expect(await askMutation(mutation, created(aGadget()), { readers: { cached, live }, remotes: MEANS })).toBe(
        EDITED,
      )
      expect(requested.at(-1)).toBe(found)
    })
  })

  it('is no look-up if it is a dry run, which is always live', async () => {
    const cached = readerOf()
    const mutation: Mutation<Gadget> = {
      id: 'XX-M3',
      says: 'tries out',
      edits: async (_given, cluster) => (await cluster.dryRun(GADGET, aGadget(), 'create')) && EDITED,
    }
    const readers = { cached, live: UNREACHABLE }
    expect(await askMutation(mutation, created(aGadget()), { readers, remotes: MEANS })).toBe(EDITED)
    expect(cached.reads).toEqual(['dry-run create Gadget demo/g'])
  })

  it('is nothing where it answers at once, a refusal too', () => {
    const mutation: Mutation<Gadget> = { id: 'XX-M2', says: 'refuses', edits: () => REFUSED }
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    expect(askMutation(mutation, created(aGadget()), { readers, remotes: MEANS })).toBe(REFUSED)
  })
})
