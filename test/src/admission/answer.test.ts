import { describe, expect, it } from 'vitest'
import { answerer } from '../../../src/admission/answer.ts'
import type { Mutation } from '../../../src/admission/mutation.ts'
import { reviewOf } from '../../../src/admission/review.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import { selfCheck } from '../../../src/admission/self-check.ts'
import { type Facts, factsOf } from '../../../src/fact.ts'
import {
  answererPartsOf,
  arrivalAt,
  CTRL,
  MUTATING,
  patchIn,
  VALIDATING,
  wordsOf,
} from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import { answer, creationOf, deletionOf, high, kind, owned, REFUSED, updateOf } from './answering.ts'

const WARNED = 'spec.levels[a]: 9 is too high; take a lower one (XX-V2)'

describe('a review goes to the door of its path', () => {
  it('mutating', async () => {
    const given = await answer(MUTATING, creationOf(high))
    expect(given.response.allowed).toBe(true)
    expect(patchIn(given)).toEqual([{ op: 'add', path: '/spec/owner', value: 'ann' }])
    expect(given.door).toMatchObject({ phase: 'mutate', path: MUTATING })
    expect(given.verdict.patch).toHaveLength(1)
  })

  it('validating, which never has a patch (AP-7)', async () => {
    const given = await answer(VALIDATING, creationOf(high))
    expect(wordsOf(given)).toBe(`422 Invalid: ${REFUSED}\nwarning: ${WARNED}`)
    expect(patchIn(given)).toBeUndefined()
    expect(given.door).toMatchObject({ phase: 'validate', path: VALIDATING })
  })

  it('each kind by its own resource', async () => {
    const other = { ...kind, resource: { ...GADGET, plural: 'gizmos' } }
    const body = reviewsOf(other.resource).creationOf(high)
    expect((await answer(VALIDATING, body, { kinds: [kind, other] })).response.allowed).toBe(false)
    expect(wordsOf(await answer(VALIDATING, body))).toMatch('no handler')
  })
})

describe('a review without a door is allowed with a warning (W-3)', () => {
  const v2 = reviewsOf({ ...GADGET, version: 'v2' })
  const core = reviewsOf({ ...GADGET, group: '', version: 'v1', plural: 'pods', kind: 'Pod' })

  it.each([
    {
      name: 'another version',
      path: VALIDATING,
      body: v2.creationOf(high),
      warning: 'no handler for CREATE of gadgets v2 on /validating',
    },
    {
      name: 'a subresource',
      path: MUTATING,
      body: updateOf(high, high, { subResource: 'scale' }),
      warning: 'no handler for UPDATE of gadgets/scale v1 on /mutating',
    },
    {
      name: 'another resource',
      path: VALIDATING,
      body: core.deletionOf(high),
      warning: 'no handler for DELETE of pods v1 on /validating',
    },
    {
      name: 'another path',
      path: '/elsewhere',
      body: creationOf(high),
      warning: 'no handler for CREATE of gadgets v1 on /elsewhere',
    },
    {
      name: 'CONNECT',
      path: VALIDATING,
      body: withRequest(creationOf(high), { operation: 'CONNECT' }),
      warning: 'no handler for CONNECT of gadgets v1 on /validating',
    },
  ])('$name', async ({ path, body, warning }) => {
    const given = await answer(path, body)
    expect(wordsOf(given)).toBe(`allowed\nwarning: ${warning}`)
    expect(given.door).toBeUndefined()
  })

  it('an operation that its door does not list', async () => {
    const [first] = kind.doors
    const doors = first === undefined ? [] : [{ ...first, operations: ['CREATE'] as const }]
    const given = await answer(MUTATING, updateOf(high, high), { kinds: [{ ...kind, doors }] })
    expect(wordsOf(given)).toBe('allowed\nwarning: no handler for UPDATE of gadgets v1 on /mutating')
  })

  it('with no kinds at all', async () => {
    expect(wordsOf(await answer(VALIDATING, deletionOf(high), { kinds: [] }))).toMatch(/^allowed\n/)
  })
})

describe('what a rule is told of a review', () => {
  const telling: Rule<Gadget> = aRule({
    check: ({ user, namespace, dryRun, at, profile }) => [
      { path: 'spec', value: [user.name, user.among, namespace, dryRun, at.toISOString(), profile].join(' ') },
    ],
  })
  it('who asks and who that is, where, whether it is a dry run, when, and the profile', async () => {
    const { verdict } = await answer(VALIDATING, creationOf(high, { user: CTRL, dryRun: true }), {
      kinds: [aKind({ validate: [telling] })],
      profile: 'upstream',
    })
    expect(verdict.violations[0]?.value).toBe(`${CTRL} CTRL demo true 2026-11-18T12:00:00.000Z upstream`)
  })

  it('what the process has found out', async () => {
    const weather = { name: 'weather', everyMs: 1, needs: [], until: 'unknown', is: isText, ask: async () => 'fine' }
    const aware = aRule({ check: ({ facts }) => [{ path: 'spec', value: facts.get(weather) }] })
    const value = async (facts?: Facts) =>
      (await answer(VALIDATING, creationOf(high), { kinds: [aKind({ validate: [aware] })], facts })).verdict
        .violations[0]?.value
    expect(await value()).toBe('unknown')
    expect(await value(factsOf(new Map([['weather', 'fine']])))).toBe('fine')
  })
  const isText = (value: unknown) => typeof value === 'string'

  it.each([true, false])('a dryRun of %s changes nothing in the answer (W-9)', async (dryRun) => {
    const sent = { dryRun }
    expect(wordsOf(await answer(VALIDATING, creationOf(high, sent)))).toMatch(REFUSED)
    expect(patchIn(await answer(MUTATING, creationOf(high, sent)))).toHaveLength(1)
  })
})

describe('a deadline that has passed (SV-4)', () => {
  const looking = aRule({
    id: 'XX-V3',
    check: async (_, cluster) => (await cluster.list(GADGET, { namespace: 'demo' })) && [],
  })
  const late = async (rules: readonly Rule<Gadget>[], live = readerOf()) => {
    const parts = answererPartsOf({ kinds: [aKind({ validate: rules })], readers: { cached: readerOf(), live } })
    const arrival = { ...arrivalAt(VALIDATING), deadline: { left: () => 0 } }
    return answerer(parts)(reviewOf(creationOf(high)), arrival)
  }

  it('leaves no time for a live look-up', async () => {
    const live = readerOf()
    expect(wordsOf(await late([{ ...looking, live: true }], live))).toBe(
      '503 ServiceUnavailable: cannot decide now: gadgets could not be read in time; nothing is wrong with the object, try again. [ref 29d991ef]',
    )
    expect(live.reads).toEqual([])
  })

  it('is nothing to the cache, nor to a rule without look-ups', async () => {
    expect(wordsOf(await late([looking]))).toBe('allowed')
    expect(wordsOf(await late([aRule()]))).toMatch(REFUSED)
  })
})

describe('a mutation that refuses', () => {
  const secret = aGadget({ note: 'secret' })
  const refusing: Mutation<Gadget> = {
    id: 'XX-M2',
    says: 'refuses a note',
    edits: () => ({ refuse: aRule(), findings: [{ path: 'spec.note', value: 9 }] }),
  }
  const removals = [{ id: 'XX-M2', path: '/spec/note', on: 'write' }] as const
  const kinds = [aKind({ removals, mutate: [owned, refusing] })]

  it('is refused without a patch (AP-7), and what was edited is what the patch would say (SV-8)', async () => {
    const body = creationOf(secret)
    const review = reviewOf(body)
    const arrival = arrivalAt(MUTATING)
    const ask = answerer(answererPartsOf({ kinds }))
    const given = await ask(review, arrival)
    expect(wordsOf(given)).toBe('422 Invalid: spec.note: 9 is too high; take a lower one (XX-V1)')
    expect(patchIn(given)).toBeUndefined()
    expect(await selfCheck(ask, { review, answer: given, sent: structuredClone(secret), arrival })).toBe('holds')
  })

  it('under --enforce warn goes on mutated, and without what must not be stored (UX-3)', async () => {
    const given = await answer(MUTATING, creationOf(secret), { kinds, enforce: 'warn' })
    expect(wordsOf(given)).toMatch(/^allowed\nwarning: would be refused: spec.note/)
    expect(given.object).toEqual(aGadget({ owner: 'ann' }))
    expect(patchIn(given)).toEqual([
      { op: 'add', path: '/spec/owner', value: 'ann' },
      { op: 'remove', path: '/spec/note' },
    ])
  })
})

describe('--enforce warn (UX-3)', () => {
  it('says every refusal as a warning and refuses nothing', async () => {
    const given = await answer(VALIDATING, creationOf(high), { enforce: 'warn' })
    expect(given.response.allowed).toBe(true)
    expect(given.response.warnings).toEqual([`would be refused: ${REFUSED}`, WARNED])
    expect(given.verdict.violations).toHaveLength(1) // for the count
  })

  it('still refuses what must not be stored at all, and warns of the rest', async () => {
    const strict = aRule({ id: 'XX-V9', evenInWarn: true })
    const wishes = { kinds: [aKind({ validate: [aRule(), strict] })], enforce: 'warn' } as const
    const { response } = await answer(VALIDATING, creationOf(high), wishes)
    expect(response.allowed).toBe(false)
    expect(response.status?.message).toBe('spec.levels[a]: 9 is too high; take a lower one (XX-V9)')
    expect(response.warnings).toEqual(['would be refused: spec.levels[a]: 9 is too high; take a lower one (XX-V1)'])
  })

  it('says what could not be looked up, and lets it pass', async () => {
    const needy = aRule({ check: (_, cluster) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []) })
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    const wishes = { kinds: [aKind({ validate: [needy] })], enforce: 'warn', readers } as const
    const given = await answer(VALIDATING, creationOf(high), wishes)
    expect(wordsOf(given)).toBe('allowed\nwarning: not checked: the cluster is out of reach')
    expect(given.verdict.unanswered).toBeDefined()
  })
  it('a mutation that could not look something up waits all the same', async () => {
    const needy: Mutation<Gadget> = {
      ...owned,
      edits: (_, cluster) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []),
    }
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    const wishes = { kinds: [aKind({ mutate: [needy] })], enforce: 'warn', readers } as const
    expect((await answer(MUTATING, creationOf(high), wishes)).response.status?.code).toBe(503)
  })

  it('mutates as ever', async () => {
    expect(patchIn(await answer(MUTATING, creationOf(high), { enforce: 'warn' }))).toHaveLength(1)
  })

  it('changes nothing where nothing is wrong', async () => {
    expect(wordsOf(await answer(VALIDATING, creationOf(aGadget()), { enforce: 'warn', readers: readersOf() }))).toBe(
      'allowed',
    )
  })
})
