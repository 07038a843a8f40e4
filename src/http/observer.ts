import type { Answer, Answerer, Arrival } from '../admission/answer.ts'
import { refOf } from '../admission/response.ts'
import type { Review } from '../admission/review.ts'
import { type SelfCheck, selfCheck } from '../admission/self-check.ts'
import type { Fault } from '../faults.ts'
import type { Measure } from '../metric.ts'
import type { NoticeAbout } from '../reconcile/action.ts'
import type { Log } from '../telemetry/log.ts'
import { firstOf, type ProcessMetrics } from '../telemetry/metrics.ts'
import type { Clock } from '../timing/clock.ts'
import type { Shed } from './intake/gate.ts'
import type { ControllerRuntimeMetrics, IntakeMetrics, ReviewMetrics } from './metrics.ts'

export interface ObservedReview {
  readonly review: Review
  readonly answer: Answer
  readonly arrival: Arrival
  /** The HTTP status code. */
  readonly code: number
  readonly text: string
  readonly bytes: number
  readonly ms: number
  /** The part of `ms` that the review waited at the gate. */
  readonly waitedMs: number
  /** A handler threw; the answer does not reveal the error (SV-3). */
  readonly failed?: { readonly error: unknown }
}

export interface Observer {
  /** The returned function is called once; without an argument when the review was shed after all. */
  begin(path: string): (seen?: ObservedReview) => void
  /** Reports a request that is no review; with the path only if a door has it. */
  refused(fault: Fault, path: string): void
  /** Counts a shed review, and logs one now and then. */
  shed(shed: Shed, path: string): void
  /** Counts a broken or slow connection without a log line, since any caller could fill the log. */
  cutOff(reason: string): void
}

type Failures = Pick<ProcessMetrics, 'handlerErrors'>
type TurnedAway = Pick<IntakeMetrics, 'shed' | 'cutConnections'>
interface ObserverMetrics extends ReviewMetrics, TurnedAway, Failures {
  readonly controllerRuntime: ControllerRuntimeMetrics
}

export interface ObserverOptions {
  readonly log: Log
  readonly metrics: ObserverMetrics
  readonly answerer: Answerer
  readonly clock: Pick<Clock, 'tick'>
  /** Counts what families measure. */
  readonly measure?: Measure
  /** Makes an event. */
  readonly notify?: (notice: NoticeAbout) => unknown
  /** Every how many allowed reviews one is logged, and every how many answers one is checked (SV-8). */
  readonly logEvery: number
  readonly checkEvery: number
}

const MOST_KINDS = 200
const SHEDDING_LOGGED_MS = 10_000

/** Counts and logs what the routes do, without any influence on an answer. */
export function observer(options: ObserverOptions): Observer {
  const { log, metrics } = options
  const loggedNow = sampleEach(options.logEvery)
  const checkedNow = sampleEach(options.checkEvery)
  const labelFor = firstOf(MOST_KINDS)
  const mayLogShedding = seldom(SHEDDING_LOGGED_MS, options.clock)
  return {
    begin(path) {
      metrics.inFlight.change(path, 1)
      return (seen) => {
        metrics.inFlight.change(path, -1)
        if (seen === undefined) return
        const result = resultOf(seen)
        const kind = labelFor(seen.review.kind.kind)
        count(metrics, seen, { kind, result })
        tell(options, seen)
        report(log, seen, result, loggedNow)
        if (isCheckable(seen) && checkedNow()) setImmediate(() => void check(options, seen, kind))
      }
    },
    refused({ code, status, message: reason, cause }, path) {
      metrics.handlerErrors.inc({ kind: '', class: code })
      metrics.controllerRuntime.requests.inc({ webhook: path, code: String(status) })
      if (code === 'HANDLER_FAILED') log.error({ code, path, err: cause }, 'request failed')
      else log.warn({ code, path, reason }, 'request not understood')
    },
    shed({ crowding: reason, status }, path) {
      metrics.shed.inc({ reason })
      metrics.controllerRuntime.requests.inc({ webhook: path, code: String(status) })
      if (mayLogShedding()) log.warn({ reason }, 'too many reviews at once; some are sent away for a second')
    },
    cutOff(reason) {
      metrics.cutConnections.inc({ reason })
    },
  }
}

type ReviewResult = 'allowed' | 'patched' | 'denied' | 'would_refuse' | 'unanswered' | 'failed' | 'no_handler'

/** Goes by the response that was sent: even under --enforce warn some violations refuse. */
function resultOf({ answer, failed }: ObservedReview): ReviewResult {
  const { response, verdict, door } = answer
  if (failed !== undefined) return 'failed'
  if (door === undefined) return 'no_handler'
  if (!response.allowed) return response.status?.code === 503 ? 'unanswered' : 'denied'
  if (verdict.violations.length > 0) return 'would_refuse'
  if (verdict.unanswered !== undefined) return 'unanswered'
  return verdict.patch.length > 0 ? 'patched' : 'allowed'
}

function count(
  metrics: ObserverMetrics,
  seen: ObservedReview,
  { kind, result }: { kind: string; result: ReviewResult },
): void {
  const { review, answer, arrival, code, bytes, ms, failed } = seen
  const { patch, violations, unfit } = answer.verdict
  const { path } = arrival
  const labels = { webhook: answer.door?.name ?? path, kind, operation: review.operation, result }
  metrics.reviews.observe({ ...labels, dry_run: String(review.dryRun) }, ms / 1_000)
  metrics.controllerRuntime.requests.inc({ webhook: path, code: String(code) })
  metrics.controllerRuntime.latency.observe({ webhook: path }, ms / 1_000)
  metrics.requestBytes.observe(bytes)
  if (patch.length > 0) metrics.patchOperations.observe(patch.length)
  for (const { rule } of violations) metrics.denied.inc({ rule: rule.id })
  if (unfit !== undefined) metrics.unfit.inc({ kind, which: unfit })
  if (failed !== undefined) metrics.handlerErrors.inc({ kind, class: classOf(failed.error) })
}

function classOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** A check of the answer asks the kinds again, but this is told once. */
function tell({ measure, notify }: ObserverOptions, { answer: { door, verdict }, review, ms }: ObservedReview): void {
  const times = door?.times === undefined ? [] : [{ ...door.times, value: ms / 1_000 }]
  measure?.([...times, ...(verdict.measured ?? [])])
  if (review.dryRun) return
  for (const notice of verdict.notices ?? []) notify?.(notice)
}

/** Logs every review that was not simply allowed, and a sample of the others (OB-2). Never logs an object's content. */
function report(log: Log, seen: ObservedReview, result: ReviewResult, sampled: () => boolean): void {
  if (seen.failed !== undefined) log.error({ ...fieldsOf(seen, result), err: seen.failed.error }, 'handler failed')
  else if (result !== 'allowed' && result !== 'patched') log.warn(fieldsOf(seen, result), 'reviewed')
  else if (sampled()) log.info(fieldsOf(seen, result), 'reviewed')
}

function fieldsOf({ review, answer, arrival, bytes, ms, waitedMs }: ObservedReview, result: ReviewResult) {
  const { uid, kind, operation, namespace, name, username: user, dryRun } = review
  const { response, verdict, door } = answer
  const rules = verdict.violations.map(({ rule }) => rule.id)
  const reason = verdict.unanswered?.message
  const subject = { uid, ref: refOf(review), kind: kind.kind, operation, namespace, name, user, dryRun }
  const outcome = {
    allowed: response.allowed,
    result,
    rules,
    ms: rounded(ms),
    queueMs: rounded(waitedMs),
    bytes,
  }
  return { ...subject, ...outcome, webhook: door?.name ?? arrival.path, ...(reason !== undefined && { reason }) }
}

const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000

/** Skips large bodies: to parse one a second time would delay all other reviews (PF-12). */
const LARGEST_CHECKED = 256 * 1_024

function isCheckable({ answer, bytes }: ObservedReview): boolean {
  return answer.door?.phase === 'mutate' && bytes <= LARGEST_CHECKED
}

async function check({ log, metrics, answerer }: ObserverOptions, seen: ObservedReview, kind: string): Promise<void> {
  const result = await resultOfCheck(answerer, seen)
  metrics.selfChecks.inc({ kind, result })
  if (result === 'holds' || result === 'not checked') return
  log.error({ uid: seen.review.uid, ref: refOf(seen.review), kind, result }, 'self-check failed')
}

/** Runs after the answer was sent, so a failure here affects no caller. */
async function resultOfCheck(answerer: Answerer, { text, ...seen }: ObservedReview): Promise<SelfCheck> {
  try {
    return await selfCheck(answerer, { ...seen, sent: JSON.parse(text).request.object })
  } catch {
    return 'not checked'
  }
}

function sampleEach(many: number): () => boolean {
  let seen = 0
  return () => {
    seen = (seen + 1) % many
    return seen === 0
  }
}

function seldom(ms: number, { tick }: Pick<Clock, 'tick'>): () => boolean {
  let next = 0
  return () => {
    if (tick() < next) return false
    next = tick() + ms
    return true
  }
}
