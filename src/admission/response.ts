import type { Fault } from '../faults.ts'
import type { Cause, Status } from '../kube/status.ts'
import type { Audit } from './mutation.ts'
import { API_VERSION, KIND, type Review } from './review.ts'
import { type Circumstances, MOST_FINDINGS, type Verdict, type Violation, words } from './verdict.ts'
import { fitted } from './warnings.ts'

export interface Response {
  readonly uid: string
  readonly allowed: boolean
  readonly status?: Status
  readonly warnings?: readonly string[]
  readonly auditAnnotations?: Audit
  readonly patchType?: 'JSONPatch'
  readonly patch?: string
}
export interface AnsweredReview {
  readonly apiVersion: typeof API_VERSION
  readonly kind: typeof KIND
  readonly response: Response
}

export function answeredReview(response: Response): AnsweredReview {
  return { apiVersion: API_VERSION, kind: KIND, response }
}

const NONE: readonly string[] = []

/** A refusal takes precedence over a failed look-up, because no result of the look-up would change it (SV-4). */
export function responseTo(review: Review, verdict: Verdict): Response {
  const { uid } = review
  const { violations, unanswered, patch, audit, overruled = NONE } = verdict
  const isLetIn = violations.length === 0 && unanswered === undefined
  const warnings = isLetIn && overruled.length > 0 ? [...verdict.warnings, ...overruled] : verdict.warnings
  const advice = {
    ...(warnings.length > 0 && { warnings: fitted(warnings) }),
    ...(audit && { auditAnnotations: audit }),
  }
  if (violations.length > 0)
    return {
      uid,
      allowed: false,
      status: denialOf(review, violations),
      ...advice,
    }
  if (unanswered !== undefined) return { uid, allowed: false, status: notNow(review, unanswered), ...advice }
  if (patch.length === 0) return { uid, allowed: true, ...advice }
  const encoded = Buffer.from(JSON.stringify(patch)).toString('base64')
  return {
    uid,
    allowed: true,
    patchType: 'JSONPatch',
    patch: encoded,
    ...advice,
  }
}

const INVALID = { code: 422, reason: 'Invalid' } as const
/** These count only when every violation has the reason; violations of content are 422 (SV-9). */
const CODES = {
  Forbidden: { code: 403, reason: 'Forbidden' },
  Unavailable: { code: 503, reason: 'ServiceUnavailable' },
  Invalid: INVALID,
  Duplicate: INVALID,
} as const

function denialOf(review: Review, violations: readonly Violation[]): Status {
  const [first = 'Invalid', ...others] = new Set(violations.map(({ rule: { reason = 'Invalid' } }) => reason))
  const { code, reason } = others.length === 0 ? CODES[first] : INVALID
  const circumstances = circumstancesOf(review)
  const shown = violations.slice(0, MOST_FINDINGS).map((violation) => causeOf(violation, circumstances))
  const causes = [...shown, ...restOf(violations[MOST_FINDINGS])]
  return {
    code,
    reason,
    message: causes.map(({ field, message }) => `${field}: ${message}`).join('; '),
    details: { ...subjectOf(review), causes },
  }
}

const LONGEST_CAUSE = 2_000

export function circumstancesOf({ operation, kind, namespace, name, dryRun }: Review): Circumstances {
  if (operation !== 'DELETE') return { dryRun }
  return { deleted: `${kind.kind} ${[namespace, name].filter(Boolean).join('/')}` }
}

function causeOf(violation: Violation, circumstances?: Circumstances): Cause {
  const { through, rule, path } = violation
  const message = inBrief(words(violation, circumstances))
  const { reason = 'Invalid' } = through ?? rule
  return { reason: `FieldValue${reason === 'Unavailable' ? 'Invalid' : reason}`, message, field: path }
}

/** The total is unknown, since the rules have stopped. */
function restOf(first: Violation | undefined): readonly Cause[] {
  if (first === undefined) return []
  const message = `there are more, of which this is the first; mend those before it, then try again (${first.rule.id})`
  return [{ ...causeOf(first), message }]
}

/** Shortens a quoted value, which may be a megabyte, and keeps the remedy and the rule id at the end. */
function inBrief(message: string): string {
  if (message.length <= LONGEST_CAUSE) return message
  return `${message.slice(0, LONGEST_CAUSE / 2)} … ${message.slice(-LONGEST_CAUSE / 2)}`
}

/** Names what could not be read, and never blames the object; `retryAfterSeconds` makes kubectl retry (AP-18, SV-6). */
function notNow(review: Review, { message }: Fault): Status {
  return {
    code: 503,
    reason: 'ServiceUnavailable',
    message: `cannot decide now: ${message}; nothing is wrong with the object, try again. ${refOf(review)}`,
    details: { ...subjectOf(review), retryAfterSeconds: 1 },
  }
}

/** Answers for a handler that threw: the author learns where to look, and no internals (SV-3). */
export function failure(review: Review): Response {
  const message = `tars-admission failed on this ${review.kind.kind}; its log says why. ${refOf(review)}`
  const status = {
    code: 500,
    reason: 'InternalError',
    message,
    details: subjectOf(review),
  }
  return { uid: review.uid, allowed: false, status }
}

/** The author can quote the uid, and an operator can find it in the log (UX-6). */
export function refOf({ uid }: Review): string {
  return `[ref ${uid.slice(0, 8)}]`
}

function subjectOf({ kind, name }: Review) {
  return { group: kind.group, kind: kind.kind, name }
}
