import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import jsonPatch from 'fast-json-patch'
import { pointerTo } from '../../src/admission/patch.ts'
import { reviewOf } from '../../src/admission/review.ts'
import { IDS_AT_END } from '../../src/admission/rule-id.ts'
import type { Verdict } from '../../src/admission/verdict.ts'
import type { Built } from '../../src/cluster/port.ts'
import type { Kind } from '../../src/kind.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { outlineOf } from '../../src/schema-check.ts'
import { ANNOTATIONS, LABELS } from '../../webhooks/tars/names.ts'
import { answered, answeredAt, arrivalAt, wordsOf } from '../support/answerer-parts.ts'
import { readersOf } from '../support/fakes/readers.ts'
import { goingOf, sentOf, storedOf } from '../support/generated.ts'
import { reviewsOf, withRequest } from '../support/reviews.ts'
import { type At, atDoors, bodiesOf, inWorld, othersOf, sentAt, sentInWorld } from './doors.ts'
import { readingAsStated } from './stated-reader.ts'
import { must, type Target, target } from './target.ts'

const unthrown = target({
  name: 'no mutation throws, whatever JSON comes (W-4)',
  share: 4,
  ofReviews: true,
  cases: atDoors('mutate', sentInWorld),
  async holds({ given: [body, there], door }) {
    const answer = await answered(door.path, body, { readers: readersOf(...there) })
    must(answer.door === door, 'no door was opened')
    must(answer.response.allowed || answer.verdict.violations.length > 0, wordsOf(answer))
  },
})

const leads = target({
  name: 'the patch, applied to the object of the request, gives the mutated object (SV-8)',
  share: 4,
  ofReviews: true,
  cases: atDoors('mutate', sentInWorld),
  async holds({ given: [body, there], door }) {
    const { verdict, object } = await answered(door.path, fromText(body), { readers: readersOf(...there) })
    const sent = reviewOf(fromText(body)).object
    const { newDocument } = jsonPatch.applyPatch(sent, structuredClone([...verdict.patch]), true)
    must(isDeepStrictEqual(newDocument, object), 'another object')
  },
})

/** What a new TConfig is given of the moment and the request, and one that is activated: nobody calls there twice (W-8). */
const MADE_ANEW: Readonly<Record<string, readonly string[]>> = {
  TConfig: [
    '/version',
    pointerTo('metadata', 'labels', LABELS.version),
    '/updateTime',
    pointerTo('metadata', 'annotations', ANNOTATIONS.activatedAt),
  ],
}

/** As an API server calls again: later, and under another uid. */
const twice = target({
  name: 'mutating twice is mutating once (W-8)',
  share: 6,
  ofReviews: true,
  cases: atDoors('mutate', sentInWorld),
  async holds({ given: [body, there], kind, door }) {
    const parts = { readers: readersOf(...there) }
    const { object } = await answered(door.path, fromText(body), parts)
    const again = withRequest(body, { object: fromText(object), uid: 'another' })
    const { verdict } = await answeredAt({ ...arrivalAt(door.path), at: LATER }, again, parts)
    const anew = MADE_ANEW[kind.resource.kind] ?? []
    must(
      verdict.patch.every(({ path }) => anew.includes(path)),
      JSON.stringify(verdict.patch),
    )
  },
})
const LATER = new Date('2026-11-18T12:01:00Z')

const mutatedInAnyOrder = target({
  name: 'the order of keys in what comes changes no mutation, nor does a dry run (W-9)',
  share: 5,
  ofReviews: true,
  cases: atDoors('mutate', sentInWorld),
  holds: ({ given: [body, there], door }) => mustAnswerTheSame(door.path, body, there),
})

const judgedInAnyOrder = target({
  name: 'the order of keys in what comes changes no verdict, nor does a dry run (W-9)',
  share: 5,
  ofReviews: true,
  cases: atDoors('validate', inWorld),
  holds: ({ given: [body, there], door }) => mustAnswerTheSame(door.path, body, there),
})

const loses = target({
  name: 'an object being deleted that loses its finalizers loses at most what must go beside them (W-7)',
  share: 3,
  ofReviews: true,
  cases: atDoors('mutate', (at) => storedOf(at.kind).map(goingOf), 'UPDATE'),
  async holds({ given, ...at }) {
    const { response, verdict } = await answered(at.door.path, updateIn(at, [given, letGo(given)]))
    must(response.allowed && verdict.patch.every(({ op }) => op === 'remove'), JSON.stringify(verdict.patch))
  },
})

const goes = target({
  name: 'an object being deleted may always lose its finalizers, and is judged otherwise as if it stayed (W-7)',
  share: 3,
  ofReviews: true,
  cases: atDoors('validate', (at) => fc.tuple(storedOf(at.kind), sentOf(at.kind)), 'UPDATE'),
  async holds({ given: [stored, sent], ...at }) {
    const shown = async (old: Built, object: unknown) =>
      wordsOf(await answered(at.door.path, updateIn(at, [old, object])))
    const going = goingOf(stored)
    const words = await shown(going, letGo(going))
    must(words === 'allowed', words)
    const judged = await shown(going, sent)
    must(judged === (await shown(stored, sent)), judged)
  },
})

const letGo = (going: Built): Tree => ({
  ...going,
  status: {},
  metadata: { ...going.metadata, finalizers: [], ownerReferences: [], managedFields: [] },
})

const updateIn = ({ kind, door }: At, [stored, sent]: readonly [Built, unknown]) =>
  reviewsOf(kind.resource).updateOf(stored, isTree(sent) ? sent : {}, sentAt(door))

const complete = target({
  name: 'each refusal names a path, is complete by itself and ends with its rule id (SV-9)',
  share: 7,
  ofReviews: true,
  cases: atDoors('validate', inWorld),
  async holds({ given: [body, there], door }) {
    const answer = await answered(door.path, body, { readers: readersOf(...there) })
    must(!/undefined|\[object|NaN/.test(wordsOf(answer)), wordsOf(answer))
    for (const { field, message } of answer.response.status?.details?.causes ?? []) {
      must(/^\w+(\.\w+|\[[^\]]+\])*$/.test(field), `a field ${field}`)
      must(
        /^\S.*; .*\S \(\S+(, \S+)?\)$/.test(message) && IDS_AT_END.test(message) && !message.includes(`${field}:`),
        message,
      )
    }
  },
})

const stated = target({
  name: 'a kind looks up only what it states, for rights and indexes come from that',
  share: 5,
  ofReviews: true,
  cases: fc.oneof(atDoors('mutate', inWorld), atDoors('validate', inWorld)),
  async holds({ kind, given: [body, there], door }) {
    const { cached, live } = readersOf(...there)
    const readers = { cached: readingAsStated(kind, cached), live: readingAsStated(kind, live) }
    await answered(door.path, body, { readers })
  },
})

const any = target({
  name: 'any JSON gets an answer, whatever there is beside it (W-4)',
  share: 3,
  ofReviews: true,
  cases: atDoors('validate', sentInWorld),
  async holds({ given: [body, there], door }) {
    const { response } = await answered(door.path, body, { readers: readersOf(...there) })
    must(!Object.hasOwn(response, 'patch'), 'a patch from a validating door')
  },
})

const again = target({
  name: 'what is stored may be stored again, whatever is wrong with it, and in whatever order its keys are (CV-8)',
  share: 5,
  ofReviews: true,
  cases: atDoors('validate', (at) => fc.tuple(storedOf(at.kind), othersOf(at)), 'UPDATE'),
  async holds({ kind, given: [stored, there], door }) {
    const always = kind.rules.filter((rule) => rule.always)
    const body = reviewsOf(kind.resource).updateOf(stored, reversed(stored))
    const { verdict } = await answered(door.path, body, { readers: readersOf(...there) })
    const refused = verdict.violations.filter(({ rule }) => !always.includes(rule))
    must(refused.length === 0, refused.map(({ rule }) => rule.id).join())
  },
})

/** As a cluster stores them whose definitions have the types of ours, and no limit. */
const unlimited = (kind: Kind) =>
  storedOf({ ...kind, resource: { ...kind.resource, schema: outlineOf(kind.resource.schema) } })

const outlined = target({
  name: 'what has the outline of its kind is judged, beyond whatever limit, and may be stored again (CV-8)',
  share: 2,
  ofReviews: true,
  cases: atDoors('validate', (at) => fc.tuple(bodiesOf(at, unlimited(at.kind)), unlimited(at.kind), othersOf(at))),
  async holds({ kind, given: [body, stored, there], door }) {
    const parts = { readers: readersOf(...there) }
    const { verdict } = await answered(door.path, body, parts)
    must(!verdict.warnings.some((warning) => warning.includes('not checked')), 'not checked')
    if (!door.operations.includes('UPDATE')) return
    const again = await answered(door.path, reviewsOf(kind.resource).updateOf(stored, reversed(stored)), parts)
    must(
      again.verdict.violations.every(({ rule }) => rule.always),
      again.verdict.violations.map(({ rule }) => rule.id).join(),
    )
  },
})

async function mustAnswerTheSame(path: string, body: Tree, there: readonly Built[]): Promise<void> {
  const ask = (each: unknown) => answered(path, fromText(each), { readers: readersOf(...there) })
  const { response, verdict, object } = await ask(body)
  for (const other of [reversed(body), withRequest(body, { dryRun: true })]) {
    const answer = await ask(other)
    must(isDeepStrictEqual(shownIn(answer.verdict), shownIn(verdict)), 'another verdict')
    must(isDeepStrictEqual(answer.object, object), 'another object')
    const [one, two] = [answer, { response }].map(({ response: { status } }) => ({ ...status, ...WORDED }))
    must(isDeepStrictEqual(one, two), 'another status')
  }
}

/** In a dry run a refusal says what is not there in one, beside what the verdict has. */
const WORDED = { message: '', details: undefined }
/** In a dry run nothing is written. */
const shownIn = ({ intents: _, ...shown }: Verdict) => shown

function fromText(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body))
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isTree(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner)] as const)
  return Object.fromEntries(entries.reverse())
}

export const kindTargets: readonly Target[] = [
  ...[unthrown, leads, twice, mutatedInAnyOrder, judgedInAnyOrder, loses, goes],
  ...[complete, stated, any, again, outlined],
]
