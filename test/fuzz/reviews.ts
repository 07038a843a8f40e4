import fc from 'fast-check'
import { answerer, type Enforce } from '../../src/admission/answer.ts'
import type { Review } from '../../src/admission/review.ts'
import type { Readers } from '../../src/cluster/port.ts'
import { Fault } from '../../src/faults.ts'
import { decode } from '../../src/http/intake/decode.ts'
import { timeoutOf } from '../../src/http/review-routes.ts'
import { answererPartsOf, arrivalAt } from '../support/answerer-parts.ts'
import { readersOf, UNREACHABLE } from '../support/fakes/readers.ts'
import { anyJson } from '../support/generated.ts'
import { kinds } from '../support/kinds.ts'
import { mustBeTaken } from './answers.ts'
import { addressedReview, damaged, recordedText, SEEN } from './recorded.ts'
import { must, type Target, target } from './target.ts'

/** Bodies of requests, from their text to the answer. */
const WORLDS: readonly (() => Readers)[] = [
  () => readersOf(),
  () => readersOf(...SEEN),
  () => ({ cached: UNREACHABLE, live: UNREACHABLE }),
  () => ({ cached: readersOf(...SEEN).cached, live: UNREACHABLE }),
]
const doors = kinds.flatMap((kind) => kind.doors)

/** Who asks, what can be looked up, and how much time is left. */
const circumstances = fc.record({
  door: fc.constantFrom(...doors),
  world: fc.constantFrom(...WORLDS),
  enforce: fc.constantFrom<Enforce>('refuse', 'refuse', 'warn'),
  left: fc.constantFrom(7_200, 7_200, 1, 0, -1),
})
type Circumstances = typeof circumstances extends fc.Arbitrary<infer T> ? T : never

/** A fault of SV-2 is an answer too; anything else that is thrown is none. */
function decoded(text: string): Review | Fault {
  try {
    return decode(text)
  } catch (error) {
    if (error instanceof Fault && error.status >= 400 && error.status < 500) return error
    throw error
  }
}

async function mustBeAnswered(text: string, { door, world, enforce, left }: Circumstances): Promise<void> {
  const review = decoded(text)
  if (review instanceof Fault) return must(/^\S.*\S$/.test(review.message), 'a fault without words')
  const { object: sent } = decode(text)
  const arrival = { ...arrivalAt(door.path), deadline: { left: () => left } }
  const answer = await answerer(answererPartsOf({ readers: world(), enforce }))(review, arrival)
  mustBeTaken(answer, review, sent, door.phase)
}

const SECRET = 'hunter2'
const at = <T>(cases: fc.Arbitrary<T>) => fc.tuple(cases, circumstances)

const recorded = target({
  name: 'recorded reviews, edited anywhere, get an answer that an API server takes (AP-7)',
  share: 19,
  ofReviews: true,
  cases: at(addressedReview(kinds)),
  holds: ([body, given]) => mustBeAnswered(JSON.stringify(body) ?? '', given),
})

const texts = target({
  name: 'recorded texts, damaged anywhere, are understood or refused by a fault of their own (SV-2)',
  share: 8,
  ofReviews: true,
  cases: at(damaged(recordedText)),
  holds: ([text, given]) => mustBeAnswered(text, given),
})

const anything = target({
  name: 'any JSON in any place of a review is answered, and no fault quotes it (SV-2)',
  share: 6,
  ofReviews: true,
  cases: at(fc.oneof(anyReview(), fc.oneof(anyJson, fc.jsonValue()), fc.string())),
  async holds([body, given]) {
    const text = (JSON.stringify(body) ?? '').replaceAll('"a"', `"${SECRET}"`)
    const review = decoded(text)
    if (review instanceof Fault) must(!review.message.includes(SECRET), 'a fault that quotes')
    await mustBeAnswered(text, given)
  },
})

/** Whose parts are there or not, and right or anything. */
function anyReview(): fc.Arbitrary<unknown> {
  const or = (...right: readonly unknown[]) =>
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: anyJson })
  const { resource } = kinds[0] ?? {}
  const parts = {
    uid: or('u'),
    kind: or({ group: '', version: 'v1', kind: 'Pod' }),
    resource: or({ group: resource?.group, version: resource?.version, resource: resource?.plural }),
    subResource: or(undefined, 'status'),
    name: or('a', undefined),
    namespace: or('demo', undefined),
    operation: or('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
    userInfo: or({ username: 'ann' }),
    dryRun: or(true, false),
    object: fc.oneof(or(...SEEN), anyJson),
    oldObject: fc.oneof(or(...SEEN), anyJson),
  }
  return fc.record({
    apiVersion: or('admission.k8s.io/v1'),
    kind: or('AdmissionReview'),
    request: fc.oneof(
      { weight: 9, arbitrary: fc.record(parts, { requiredKeys: ['uid', 'operation'] }) },
      { weight: 1, arbitrary: anyJson },
    ),
  })
}

const timeouts = target({
  name: 'any ?timeout= is a time that somebody waits (SV-4)',
  share: 2,
  cases: fc.oneof(
    anyJson,
    fc.string(),
    fc
      .tuple(fc.oneof(fc.double(), fc.integer(), fc.bigInt()), fc.constantFrom('s', 'ms', 'm', '', 'S', ' s'))
      .map((each) => each.join('')),
  ),
  holds(query) {
    const ms = timeoutOf(query)
    must(ms > 0 && ms <= 30_000, `a time of ${ms} ms`)
  },
})

export const reviewTargets: readonly Target[] = [recorded, texts, anything, timeouts]
