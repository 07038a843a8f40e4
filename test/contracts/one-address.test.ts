import jsonPatch from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { type AnswererParts, answerer } from '../../src/admission/answer.ts'
import type { Consequence } from '../../src/admission/consequence.ts'
import { checkDoors, type Door } from '../../src/admission/door.ts'
import { drop, type Mutation, set } from '../../src/admission/mutation.ts'
import { reviewOf } from '../../src/admission/review.ts'
import { selfCheck } from '../../src/admission/self-check.ts'
import { inProcess, registeredWebhooks } from '../../src/cluster/memory/registered-webhooks.ts'
import { resource } from '../../src/cluster/resource.ts'
import { defineKind, type Kind } from '../../src/kind.ts'
import { configurations } from '../../src/print/configurations.ts'
import { object, text } from '../../src/schema.ts'
import {
  answered,
  answererPartsOf,
  arrivalAt,
  MUTATING,
  patchIn,
  VALIDATING,
  WEBHOOK,
  wordsOf,
} from '../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../support/builders/gadget.ts'
import { aGadget, aKind, aMark, aRule } from '../support/builders/gadgets.ts'
import { treesOf } from '../support/builders/trees.ts'
import { clusterAsking } from '../support/clusters.ts'
import { readersOf, UNREACHABLE } from '../support/fakes/readers.ts'
import { reviewsOf } from '../support/reviews.ts'
import { serving } from '../support/serving.ts'

const { creationOf, updateOf } = reviewsOf(GADGET)
const high = aGadget({ levels: { a: 9 } })
const mutation = (id: string, edits: Mutation<Gadget>['edits'], says = 'edits'): Mutation<Gadget> => ({
  id,
  says,
  edits,
})
const answer = (path: string, body: unknown, kinds: readonly Kind[], wishes: Partial<AnswererParts> = {}) =>
  answered(path, body, { kinds, ...wishes })

describe('two kinds for one resource are both asked, in the order of the list', () => {
  const first = aKind({ validate: [aRule({ id: 'XX-V1' }), aRule({ id: 'XX-V2', effect: 'warn' })] })
  const second = aKind({ validate: [aRule({ id: 'YY-V1' }), aRule({ id: 'YY-V2', effect: 'warn' })] })
  const words = (id: string) => `spec.levels[a]: 9 is too high; take a lower one (${id})`

  it('for violations and warnings', async () => {
    const given = await answer(VALIDATING, creationOf(high), [first, second])
    const refusals = `${words('XX-V1')}; ${words('YY-V1')}`
    expect(wordsOf(given)).toBe(`422 Invalid: ${refusals}\nwarning: ${words('XX-V2')}\nwarning: ${words('YY-V2')}`)
    expect(wordsOf(await answer(VALIDATING, creationOf(high), [second, first]))).toMatch(/YY-V1.*XX-V1/)
  })

  it('and a warning of both is read once', async () => {
    const warning = aKind({ validate: [aRule({ effect: 'warn' })] })
    const given = await answer(VALIDATING, creationOf(high), [warning, warning])
    expect(wordsOf(given)).toBe(`allowed\nwarning: ${words('XX-V1')}`)
  })

  it('each on the operations of its own door', async () => {
    const onCreate = aKind({
      doors: first.doors.map((door) => ({ ...door, operations: ['CREATE'] })),
      validate: [aRule()],
    })
    expect(wordsOf(await answer(VALIDATING, creationOf(high), [onCreate, second]))).toMatch(/XX-V1.*YY-V1/)
    expect(wordsOf(await answer(VALIDATING, updateOf(high, aGadget()), [onCreate, second]))).not.toMatch('XX-V1')
  })

  it('and what one of them cannot look up leaves the change unanswered', async () => {
    const needy = aRule({ check: (_, cluster) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []) })
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    const kinds = [aKind({ validate: [needy] }), aKind({})]
    expect(wordsOf(await answer(VALIDATING, creationOf(high), kinds, { readers }))).toMatch(/^503 /)
    expect(wordsOf(await answer(VALIDATING, creationOf(high), kinds.toReversed(), { readers }))).toMatch(/^503 /)
  })
})

describe('what follows for other objects', () => {
  const marking = (name: string): Consequence<Gadget> => ({
    id: `${name}-S1`,
    says: 'marks',
    on: 'write',
    follow: async () => ({
      intents: [aMark(name)],
      warnings: [`${name} is marked`],
    }),
  })
  const kinds = [
    aKind({ consequences: [marking('XX')], validate: [aRule()] }),
    aKind({ consequences: [marking('YY')] }),
  ]

  async function marked(body: unknown, wishes: Partial<AnswererParts> = {}, of = kinds) {
    const done: string[] = []
    const carryOut: AnswererParts['carryOut'] = async (intents) => void done.push(...intents.map(({ rule }) => rule))
    const given = await answer(VALIDATING, body, of, { carryOut, ...wishes })
    return { done, shown: wordsOf(given) }
  }

  it('follows from both', async () => {
    const shown = 'allowed\nwarning: XX is marked\nwarning: YY is marked'
    expect(await marked(creationOf(aGadget()))).toEqual({ done: ['XX-S1', 'YY-S1'], shown })
  })
  it('does not follow of what the other kind refuses, nor is it told', async () => {
    for (const of of [kinds, kinds.toReversed()]) {
      const { done, shown } = await marked(creationOf(high), {}, of)
      expect(done).toEqual([])
      expect(shown).not.toMatch('is marked')
    }
    expect((await marked(creationOf(high), { enforce: 'warn' })).done).toEqual(['XX-S1', 'YY-S1'])
  })
  it('does not follow of what the other kind leaves unanswered, for it comes again', async () => {
    const late = {
      ...marking('ZZ'),
      follow: () => UNREACHABLE.get(GADGET, { namespace: '', name: '' }).then(() => assertNever()),
    }
    expect((await marked(creationOf(aGadget()), {}, [...kinds, aKind({ consequences: [late] })])).done).toEqual([])
  })
})
function assertNever(): never {
  throw new Error('it answered')
}

describe('mutations go one after the other', () => {
  const boxed = mutation('XX-M1', () => [set('/spec/box', { unit: 'cm', width: 1 }), set('/spec/owner', 'ann')])
  const copying = mutation('YY-M1', ({ next }) => [set('/spec/note', next.spec?.owner), drop('/spec/box/unit')])
  const kinds = [aKind({ mutate: [boxed] }), aKind({ mutate: [copying] })]
  const sent = aGadget({ owner: 'eve' })

  it('the second sees what the first made, and both are one patch that applies', async () => {
    const given = await answer(MUTATING, creationOf(sent), kinds)
    const patch = [
      { op: 'add', path: '/spec/box', value: { width: 1 } },
      { op: 'add', path: '/spec/owner', value: 'ann' },
      { op: 'add', path: '/spec/note', value: 'ann' },
    ]
    expect(patchIn(given)).toEqual(patch)
    expect(jsonPatch.applyPatch(structuredClone(sent), structuredClone([...given.verdict.patch])).newDocument).toEqual(
      given.object,
    )
  })
  it('and the author reads what they overruled, but not what one kind made of the other', async () => {
    const again = aKind({ mutate: [mutation('YY-M1', () => [set('/spec/owner', 'bob')])] })
    const given = await answer(MUTATING, creationOf(sent), [aKind({ mutate: [boxed] }), again])
    expect(given.response.warnings).toEqual(['spec.owner: replaced (XX-M1)'])
  })
  it('a secret in the schema of one keeps the values out of the words of both', async () => {
    const plain = resource({ ...GADGET }, object({ spec: object({}, { owner: text({ doc: 'Owner.' }) }) }))
    const open = defineKind({
      resource: plain,
      doors: aKind().doors,
      mutate: [{ id: 'YY-M1', says: 'sets', edits: () => [set('/spec/owner', 'ann')] }],
    })
    const warnings = async (kinds: readonly Kind[]) =>
      (await answer(MUTATING, creationOf(sent), kinds)).response.warnings
    expect(await warnings([open])).toEqual(['spec.owner: "eve" becomes "ann" (YY-M1)'])
    expect(await warnings([open, aKind()])).toEqual(['spec.owner: replaced (YY-M1)'])
  })
  it('an object that only lets go of its finalizers is mutated by none (W-7)', async () => {
    const removing = aKind({ removals: [{ id: 'XX-M2', path: '/spec/note', on: 'write' }] })
    const going = {
      ...aGadget({ note: 'x' }),
      metadata: { ...sent.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    }
    const given = await answer(MUTATING, updateOf(going, going), [removing, ...kinds])
    expect(patchIn(given)).toEqual([{ op: 'remove', path: '/spec/note' }])
  })
  it('hold in the self-check, which finds a kind that undoes another', async () => {
    const checked = async (of: readonly Kind[]) => {
      const ask = answerer(answererPartsOf({ kinds: of }))
      const [review, arrival] = [reviewOf(creationOf(sent)), arrivalAt(MUTATING)]
      return selfCheck(ask, { review, answer: await ask(review, arrival), sent: structuredClone(sent), arrival })
    }
    expect(await checked(kinds.toReversed())).toBe('not idempotent') // the copy lags behind
    expect(
      await checked([
        kinds[0] ?? aKind(),
        aKind({ mutate: [mutation('YY-M1', ({ next }) => [set('/spec/note', next.spec?.owner)])] }),
      ]),
    ).toBe('holds')
  })
})

describe('around them', () => {
  const kinds = [aKind({ validate: [aRule()] }), aKind({ validate: [aRule({ id: 'YY-V1' })] })]

  it('the webhook is printed once, with one rule for both', () => {
    const printed = configurations(kinds, { namespace: 'tars-system', kubeMinor: 33 })
    expect(printed).toEqual(configurations(kinds.slice(1), { namespace: 'tars-system', kubeMinor: 33 }))
    expect(printed.flatMap(({ webhooks }) => treesOf(webhooks)).map(({ rules }) => treesOf(rules).length)).toEqual([
      1, 1,
    ])
  })
  it('a review is counted once, by its webhook and kind, and each rule by its own', async () => {
    await using server = await serving({ kinds })
    await server.caller.call(server.webhook(VALIDATING), creationOf(high))
    const counts = (await server.metrics.registry.metrics())
      .split('\n')
      .filter((line) => /webhook="validating.test"|rule="/.test(line))
    expect(counts.filter((line) => /_count\{/.test(line))).toEqual([expect.stringMatching(/kind="Gadget".* 1$/)])
    expect(counts.filter((line) => /rule="(XX|YY)-V1".* 1$/.test(line))).toHaveLength(2)
  })
  it('the cluster in memory asks them in one call', async () => {
    let calls = 0
    const answers = inProcess(answerer(answererPartsOf({ kinds, readers: readersOf() })), {
      now: () => new Date(0),
      tick: () => 0,
    })
    const admit = registeredWebhooks(
      kinds,
      (door, review) =>
        answers(door, review).finally(() => {
          calls += 1
        }),
      WEBHOOK,
    )
    const writing = clusterAsking(admit).create(GADGET, high)
    await expect(writing).rejects.toThrow(/XX-V1.*YY-V1/)
    expect(calls).toBe(2) // mutating and validating
  })
  it('and two webhooks at different paths one after the other, as an API server does', async () => {
    const elsewhere = (door: Door): Door => ({ ...door, name: `other.${door.name}`, path: `/other${door.path}` })
    const owned = aKind({ mutate: [mutation('XX-M1', () => [set('/spec/owner', 'ann')])] })
    const noted = aKind({ mutate: [mutation('YY-M1', ({ next }) => [set('/spec/note', next.spec?.owner)])] })
    const both = [owned, { ...noted, doors: noted.doors.map(elsewhere) }]
    const answers = inProcess(answerer(answererPartsOf({ kinds: both })), { now: () => new Date(0), tick: () => 0 })
    const cluster = clusterAsking(registeredWebhooks(both, answers, WEBHOOK))
    expect((await cluster.create(GADGET, aGadget())).spec).toMatchObject({ owner: 'ann', note: 'ann' })
  })
})

describe('what one webhook entry has only once must be the same', () => {
  const [door] = aKind().doors
  const contradicting = (other: Partial<Door>): readonly Kind[] => [
    aKind({ doors: door ? [door] : [] }),
    aKind({ doors: door ? [{ ...door, ...other }] : [] }),
  ]
  it.each<{ readonly other: Partial<Door>; readonly in: string }>([
    { other: { failurePolicy: 'Ignore' }, in: 'failurePolicy' },
    { other: { timeoutSeconds: 5 }, in: 'timeoutSeconds' },
    { other: { sideEffects: 'NoneOnDryRun' }, in: 'sideEffects' },
    { other: { matchPolicy: 'Exact' }, in: 'matchPolicy' },
    { other: { exceptOurselves: true }, in: 'exceptOurselves' },
    { other: { objectSelector: { matchExpressions: [] }, timeoutSeconds: 5 }, in: 'timeoutSeconds, objectSelector' },
  ])('or it is refused at start: another $in', ({ other, in: fields }) => {
    const kinds = contradicting(other)
    const message = `the doors named mutating.test differ in more than their rules: in ${fields}`
    expect(() => checkDoors(kinds)).toThrow(message)
    expect(() => answerer(answererPartsOf({ kinds }))).toThrow(message)
    expect(() => configurations(kinds, { namespace: 'tars-system', kubeMinor: 33 })).toThrow(message)
  })
  it('nor may one address have two names, for the API server would ask twice', () => {
    expect(() => checkDoors(contradicting({ name: 'other.test', failurePolicy: 'Ignore' }))).toThrow(
      'the doors mutating.test and other.test meet the same reviews of gadgets v1 on /mutating, but differ in failurePolicy, name',
    )
  })
})
