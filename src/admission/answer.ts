import type { ClusterReader, Readers } from '../cluster/port.ts'
import { type Facts, NOTHING_KNOWN } from '../fact.ts'
import { Fault } from '../faults.ts'
import type { Kind } from '../kind.ts'
import type { CarryOut } from '../reconcile/apply.ts'
import type { Settings } from '../setting.ts'
import type { Operation, Profile, Raw } from './change.ts'
import { bounded, boundedCache, boundedPasswords, type Deadline } from './deadline.ts'
import { addressOf, type Door } from './door.ts'
import { amongOf, type Identities } from './identities.ts'
import type { Remotes } from './mutation.ts'
import { registrationsOf } from './registrations.ts'
import { circumstancesOf, type Response, responseTo } from './response.ts'
import type { Review } from './review.ts'
import { mutateBy, validateBy } from './together.ts'
import { type Circumstances, type Enforce, NOTHING_TO_SAY, sentence, type Verdict } from './verdict.ts'

/** Everything that an answerer needs, independent of how reviews arrive. */
export interface AnswererParts {
  readonly kinds: readonly Kind[]
  readonly readers: Readers
  readonly profile: Profile
  readonly settings: Settings
  readonly facts?: Facts | undefined
  readonly remotes: Remotes
  /** Carries out the intents on other objects. */
  readonly carryOut: CarryOut
  readonly enforce: Enforce
  readonly identities: Identities
  /** This process reviews files by dry runs, so a dry run does not hide the other objects of a file. */
  readonly rehearses?: true
}
export type { Enforce }

export interface Arrival {
  readonly path: string
  readonly at: Date
  readonly deadline: Deadline
}

export interface Answer {
  readonly response: Response
  readonly verdict: Verdict
  readonly door: Door | undefined
}

export type Answerer = (review: Review, arrival: Arrival) => Promise<Answer>

/** Turns a review into a response. It writes only what the door declares, and never in a dry run (SV-13). */
export function answerer(parts: AnswererParts): Answerer {
  const registered = registrationsOf(parts.kinds)
  return async (review, arrival) => {
    const registration = registered.get(addressOf({ ...review, path: arrival.path }))
    const { operation } = review
    if (registration === undefined || operation === 'CONNECT') return noHandler(review, arrival)
    const { kinds, door } = registration
    const { deadline } = arrival
    const readers = boundedReaders(parts.readers, deadline, door)
    const raw = rawOf({ ...review, operation }, arrival, parts)
    const judged = await (door.phase === 'mutate'
      ? mutateBy(kinds, raw, readers, {
          ...parts.remotes,
          passwords: boundedPasswords(parts.remotes.passwords, deadline),
        })
      : validateBy(kinds, raw, readers, parts.enforce))
    const verdict = await carriedOut(judged, { ...review, live: readers.live, deadline }, parts)
    const shown = review.dryRun && parts.rehearses ? { ...review, dryRun: false } : review
    const given = parts.enforce === 'warn' ? asWarnings(verdict, door, circumstancesOf(shown)) : verdict
    return { response: responseTo(shown, given), verdict, door }
  }
}

/** A cached reader reads live what the cache does not hold, so it needs a deadline too. */
function boundedReaders({ cached, live }: Readers, deadline: Deadline, { lookUpMs }: Door): Readers {
  return { cached: boundedCache(cached, deadline, lookUpMs), live: bounded(live, deadline, lookUpMs) }
}

interface ReviewContext {
  readonly dryRun: boolean
  readonly live: ClusterReader
  readonly deadline: Deadline
}

/** A failed write leaves the review unanswered: the API server retries it, and the marks are set again (TC-S3). */
async function carriedOut(
  verdict: Verdict,
  { dryRun, live, deadline }: ReviewContext,
  { carryOut }: AnswererParts,
): Promise<Verdict> {
  if (verdict.intents.length === 0 || dryRun) return verdict
  try {
    await carryOut(verdict.intents, { live, deadline })
    return verdict
  } catch (cause) {
    if (cause instanceof Fault && cause.retry) return { ...verdict, unanswered: cause }
    throw cause
  }
}

/** A rule registered by mistake must not block a cluster (W-3). */
function noHandler(review: Review, { path }: Arrival): Answer {
  const what = [review.resource.plural, review.subresource].filter(Boolean).join('/')
  const warnings = [`no handler for ${review.operation} of ${what} ${review.resource.version} on ${path}`]
  const verdict = { ...NOTHING_TO_SAY, warnings }
  return { response: responseTo(review, verdict), verdict, door: undefined }
}

function rawOf(
  review: Review & { readonly operation: Operation },
  { at }: Arrival,
  { identities, profile, settings, facts = NOTHING_KNOWN }: AnswererParts,
): Raw {
  const { uid, username, namespace, dryRun, object, oldObject, operation } = review
  const user = { name: username, among: amongOf(username, operation, identities) }
  return { uid, operation, user, namespace, dryRun, at, profile, settings, facts, object, oldObject }
}

/**
 * For the first week on a live cluster: each refusal becomes a warning (UX-3). A mutation whose look-up failed still
 * refuses: a field that it would have removed must not be stored.
 */
function asWarnings(verdict: Verdict, { phase }: Door, circumstances: Circumstances): Verdict {
  const { strict = [], lenient = [] } = Object.groupBy(verdict.violations, ({ rule }) =>
    rule.evenInWarn ? 'strict' : 'lenient',
  )
  const refusals = lenient.map((violation) => `would be refused: ${sentence(violation, circumstances)}`)
  const { unanswered, ...rest } = verdict
  const given = unanswered === undefined || phase === 'mutate' ? verdict : rest
  const unchecked = given === rest ? [`not checked: ${unanswered?.message}`] : []
  return { ...given, violations: strict, warnings: [...refusals, ...unchecked, ...verdict.warnings] }
}
