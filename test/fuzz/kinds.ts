import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import jsonPatch from 'fast-json-patch'
import type { Operation } from '../../src/admission/change.ts'
import type { Door } from '../../src/admission/door.ts'
import { pointerTo } from '../../src/admission/patch.ts'
import { reviewOf } from '../../src/admission/review.ts'
import { IDS_AT_END } from '../../src/admission/rule-id.ts'
import type { Verdict } from '../../src/admission/verdict.ts'
import type { Built, ClusterReader, Gvr, Words } from '../../src/cluster/port.ts'
import type { Kind } from '../../src/kind.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { outlineOf } from '../../src/schema-check.ts'
import { ANNOTATIONS, LABELS } from '../../webhooks/tars/names.ts'
import { answered, answeredAt, arrivalAt, wordsOf } from '../support/answerer-parts.ts'
import { readersOf } from '../support/fakes/readers.ts'
import { goingOf, sentOf, storedOf } from '../support/generated.ts'
import { kinds } from '../support/kinds.ts'
import { reviewsOf, type Sent, withRequest } from '../support/reviews.ts'
import { must, type Target, target } from './target.ts'

/** What holds of every kind, at each of its doors: a kind joins by being in the list of kinds. */
interface At {
  readonly kind: Kind
  readonly door: Door
}
type Given<T> = At & { readonly given: T }

function atDoors<T>(
  phase: Door['phase'],
  casesOf: (at: At) => fc.Arbitrary<T>,
  operation?: Operation,
): fc.Arbitrary<Given<T>> {
  const places = kinds.flatMap((kind) => kind.doors.map((door) => ({ kind, door })))
  const chosen = places
    .filter(({ door }) => door.phase === phase)
    .filter(({ door }) => operation === undefined || door.operations.includes(operation))
  return fc.oneof(...chosen.map((place) => casesOf(place).map((given) => reported({ ...place, given }))))
}

/** A report names kind and door, which would fill pages. */
function reported<T>(given: Given<T>): Given<T> {
  const { kind, door } = given
  const words = () => `${kind.resource.kind} at ${door.name}: ${fc.stringify(given.given)}`
  return Object.assign(given, { [fc.toStringMethod]: words })
}

/** What the door is opened for. */
function bodiesOf({ kind, door }: At, objects: fc.Arbitrary<unknown>): fc.Arbitrary<Tree> {
  const { creationOf, updateOf, deletionOf } = reviewsOf(kind.resource)
  const trees = objects.filter(isTree)
  const sent = sentAt(door)
  const bodies: Readonly<Record<Operation, fc.Arbitrary<Tree>>> = {
    CREATE: trees.map((object) => creationOf(object, sent)),
    UPDATE: fc.tuple(trees, trees).map(([oldObject, object]) => updateOf(oldObject, object, sent)),
    DELETE: trees.map((oldObject) => deletionOf(oldObject, sent)),
  }
  return fc.oneof(...door.operations.map((operation) => bodies[operation]))
}
const sentAt = ({ subresource }: Door): Sent => (subresource === undefined ? {} : { subResource: subresource })

/** Its own objects, and those that it looks up. */
function othersOf({ kind }: At): fc.Arbitrary<Built[]> {
  const readNames = kind.reads.map(({ resource }) => resource.kind)
  const requested = kinds.filter(({ resource }) => readNames.includes(resource.kind))
  return fc.array(fc.oneof(storedOf(kind), ...requested.map(storedOf)), { maxLength: 6 })
}
const inWorld = (at: At) => fc.tuple(bodiesOf(at, storedOf(at.kind)), othersOf(at))
const sentInWorld = (at: At) => fc.tuple(bodiesOf(at, sentOf(at.kind)), othersOf(at))

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

/** Fails on what the printed rights do not allow, and on a look-up by labels of which none has an index. */
function readingAsStated({ reads }: Kind, reader: ClusterReader): ClusterReader {
  const isIndexed = (labels: Words, byLabels: readonly string[]) =>
    Object.keys(labels).length === 0 || Object.keys(labels).some((key) => byLabels.includes(key))
  function mustBeStated(verb: 'get' | 'list', of: Gvr, labels: Words = {}): void {
    const stated = reads.some(
      (read) =>
        read.resource.group === of.group &&
        read.resource.plural === of.plural &&
        (read.keeps === undefined ? read.asks?.includes(verb) : isIndexed(labels, read.keeps.byLabels ?? [])),
    )
    must(stated, `${verb} of ${of.plural} by ${JSON.stringify(labels)} is not stated`)
  }
  return {
    async get(of, ref) {
      mustBeStated('get', of)
      return reader.get(of, ref)
    },
    async list(of, where) {
      mustBeStated('list', of, where.labels)
      return reader.list(of, where)
    },
  }
}

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
