import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Door } from '../../src/admission/door.ts'
import { reviewOf } from '../../src/admission/review.ts'
import type { Verdict } from '../../src/admission/verdict.ts'
import { answerer } from '../../src/answer.ts'
import type { ClusterReader, Gvr, Stored, Words } from '../../src/cluster/port.ts'
import type { Kind } from '../../src/kind.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { selfCheck } from '../../src/self-check.ts'
import { kinds } from '../../webhooks/index.ts'
import { answered, arrivalAt, deskOf, wordsOf } from '../support/desk.ts'
import { goingOf, sentOf, storedOf } from '../support/generated.ts'
import { readersOf } from '../support/readers.ts'
import { reviewsOf, withRequest } from '../support/reviews.ts'
import { must, type Target, target } from './target.ts'

/** What holds of every kind, at each of its doors: a kind joins by being in the list of kinds. */
interface At {
  readonly kind: Kind
  readonly path: string
}
type Given<T> = At & { readonly given: T }

function atDoors<T>(phase: Door['phase'], casesOf: (kind: Kind) => fc.Arbitrary<T>): fc.Arbitrary<Given<T>> {
  const places = kinds.flatMap((kind) =>
    kind.doors.filter((door) => door.phase === phase && !door.subresource).map(({ path }) => ({ kind, path })),
  )
  return fc.oneof(...places.map((place) => casesOf(place.kind).map((given) => ({ ...place, given }))))
}

function bodiesOf({ resource }: Kind, objects: fc.Arbitrary<unknown>): fc.Arbitrary<Tree> {
  const { creationOf, updateOf, deletionOf } = reviewsOf(resource)
  const trees = objects.filter(isTree)
  return fc.oneof(
    trees.map((object) => creationOf(object)),
    fc.tuple(trees, trees).map(([oldObject, object]) => updateOf(oldObject, object)),
    trees.map((oldObject) => deletionOf(oldObject)),
  )
}
const othersOf = (kind: Kind): fc.Arbitrary<Stored[]> => fc.array(storedOf(kind), { maxLength: 6 })
const inWorld = (kind: Kind) => fc.tuple(bodiesOf(kind, storedOf(kind)), othersOf(kind))
const goingAndSent = (kind: Kind) => fc.tuple(storedOf(kind).map(goingOf), sentOf(kind))

const twice = target({
  name: 'mutating twice is mutating once, and the patch leads there (W-4, W-8, SV-8)',
  share: 12,
  ofReviews: true,
  cases: atDoors('mutate', (kind) => bodiesOf(kind, sentOf(kind))),
  async holds({ given, path }) {
    const answer = answerer(deskOf())
    const [review, { object: sent }] = [reviewOf(fromText(given)), reviewOf(fromText(given))]
    const arrival = arrivalAt(path)
    const first = await answer(review, arrival)
    must(first.response.allowed || first.verdict.violations.length > 0, wordsOf(first))
    const result = await selfCheck(answer, { review, answer: first, sent, arrival })
    must(result === 'holds', result)
  },
})

const mutatedInAnyOrder = target({
  name: 'the order of keys changes no mutation, nor does a dry run (W-9)',
  share: 5,
  ofReviews: true,
  cases: atDoors('mutate', (kind) => bodiesOf(kind, sentOf(kind))),
  holds: ({ given, path }) => mustAnswerTheSame(path, given, []),
})

const judgedInAnyOrder = target({
  name: 'the order of keys changes no verdict, nor does a dry run (W-9)',
  share: 5,
  ofReviews: true,
  cases: atDoors('validate', inWorld),
  holds: ({ given: [body, there], path }) => mustAnswerTheSame(path, body, there),
})

const loses = target({
  name: 'an object being deleted loses at most what must go (W-7)',
  share: 3,
  ofReviews: true,
  cases: atDoors('mutate', goingAndSent),
  async holds({ kind, given, path }) {
    const { response, verdict } = await answered(path, updateIn(kind, given))
    must(response.allowed && verdict.patch.every(({ op }) => op === 'remove'), JSON.stringify(verdict.patch))
  },
})

const goes = target({
  name: 'an object being deleted may always be updated (W-7)',
  share: 3,
  ofReviews: true,
  cases: atDoors('validate', goingAndSent),
  async holds({ kind, given, path }) {
    const words = wordsOf(await answered(path, updateIn(kind, given)))
    must(/^allowed(\nwarning: no handler for UPDATE .*)?$/.test(words), words)
  },
})

const updateIn = ({ resource }: Kind, [stored, sent]: readonly [Stored, unknown]) =>
  reviewsOf(resource).updateOf(stored, isTree(sent) ? sent : {})

const complete = target({
  name: 'each refusal names a path, is complete by itself and ends with its rule id (SV-9)',
  share: 8,
  ofReviews: true,
  cases: atDoors('validate', inWorld),
  async holds({ given: [body, there], path }) {
    const answer = await answered(path, body, { readers: readersOf(...there) })
    must(!/undefined|\[object|NaN/.test(wordsOf(answer)), wordsOf(answer))
    for (const { field, message } of answer.response.status?.details?.causes ?? []) {
      must(/^\w+(\.\w+|\[[^\]]+\])*$/.test(field), `a field ${field}`)
      must(
        /^\S.*; .*\S \([A-Z]{2}-[A-Z]?\d+(, [A-Z]{2}-[A-Z]\d+)?\)$/.test(message) && !message.includes(`${field}:`),
        message,
      )
    }
  },
})

const stated = target({
  name: 'a kind looks up only what it states, for rights and indexes come from that',
  share: 5,
  ofReviews: true,
  cases: atDoors('validate', inWorld),
  async holds({ kind, given: [body, there], path }) {
    const { cached, live } = readersOf(...there)
    const readers = { cached: readingAsStated(kind, cached), live: readingAsStated(kind, live) }
    await answered(path, body, { readers })
  },
})

const any = target({
  name: 'any JSON gets an answer, whatever there is beside it (W-4)',
  share: 5,
  ofReviews: true,
  cases: atDoors('validate', (kind) => fc.tuple(bodiesOf(kind, sentOf(kind)), othersOf(kind))),
  async holds({ given: [body, there], path }) {
    const { response } = await answered(path, body, { readers: readersOf(...there) })
    must(!Object.hasOwn(response, 'patch'), 'a patch from a validating door')
  },
})

const again = target({
  name: 'what is stored may be stored again, whatever is wrong with it (CV-8)',
  share: 5,
  ofReviews: true,
  cases: atDoors('validate', (kind) => fc.tuple(storedOf(kind), othersOf(kind))),
  async holds({ kind, given: [stored, there], path }) {
    const always = kind.rules.filter((rule) => rule.always)
    const body = reviewsOf(kind.resource).updateOf(stored, stored)
    const { verdict } = await answered(path, body, { readers: readersOf(...there) })
    const refused = verdict.violations.filter(({ rule }) => !always.includes(rule))
    must(refused.length === 0, refused.map(({ rule }) => rule.id).join())
  },
})

async function mustAnswerTheSame(path: string, body: Tree, there: readonly Stored[]): Promise<void> {
  const ask = (each: unknown) => answered(path, fromText(each), { readers: readersOf(...there) })
  const { response, verdict, object } = await ask(body)
  for (const other of [reversed(body), withRequest(body, { dryRun: true })]) {
    const answer = await ask(other)
    must(isDeepStrictEqual(saidIn(answer.verdict), saidIn(verdict)), 'another verdict')
    must(isDeepStrictEqual(answer.object, object), 'another object')
    must(isDeepStrictEqual(answer.response.status, response.status), 'another status')
  }
}

/** In a dry run nothing is written. */
const saidIn = ({ intents: _, ...said }: Verdict) => said

/** Fails on what the printed rights do not allow, and on a look-up by labels of which none has an index. */
function readingAsStated({ reads }: Kind, reader: ClusterReader): ClusterReader {
  const isIndexed = (labels: Words, byLabels: readonly string[]) =>
    Object.keys(labels).length === 0 || Object.keys(labels).some((key) => byLabels.includes(key))
  function mustBeStated(verb: 'get' | 'list', of: Gvr, labels: Words = {}): void {
    const stated = reads.some(
      (read) =>
        read.resource.group === of.group &&
        read.resource.plural === of.plural &&
        (read.kept === undefined ? read.asks.includes(verb) : isIndexed(labels, read.kept.byLabels)),
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
  ...[twice, mutatedInAnyOrder, judgedInAnyOrder, loses, goes],
  ...[complete, stated, any, again],
]
