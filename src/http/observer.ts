import type { Answer, Answerer, Arrival } from '../admission/answer.ts'
import { refOf } from '../admission/response.ts'
import type { Review } from '../admission/review.ts'
import { type SelfCheck, selfCheck } from '../admission/self-check.ts'
import type { Fault } from '../faults.ts'
import type { Log } from '../telemetry/log.ts'
import { firstOf, type ProcessMetrics } from '../telemetry/metrics.ts'
import type { Clock } from '../timing/clock.ts'
import type { Shed } from './intake/gate.ts'
import type { ControllerRuntimeMetrics, IntakeMetrics, ReviewMetrics } from './metrics.ts'

export interface ObservedReview {
  readonly review: Review
  readonly answer: Answer
  readonly arrival: Arrival
  /** Of HTTP. */
  readonly code: number
  readonly text: string
  readonly bytes: number
  readonly ms: number
  /** Of these it waited for its turn. */
  readonly waitedMs: number
  /** A handler threw; the answer says no more than that (SV-3). */
  readonly failed?: { readonly error: unknown }
}

export interface Observer {
  /** What it returns is called once; with nothing seen, the review was sent away after all. */
  begin(path: string): (seen?: ObservedReview) => void
  /** A request that is no review; the path only where one is served there. */
  refused(fault: Fault, path: string): void
  /** Sent away unread, or nearly: counted, and told of once in a while. */
  shed(shed: Shed, path: string): void
  /** A connection that broke, or came too slowly: counted, for whoever can reach the port could fill the log. */
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
  /** One in so many allowed reviews is logged, one in so many answers is checked (SV-8). */
  readonly logEvery: number
  readonly checkEvery: number
}

const MOST_KINDS = 200
const SHEDDING_TOLD_MS = 10_000

/** Counts and logs what the routes do; nothing here decides or changes an answer. */
export function observer(options: ObserverOptions): Observer {
  const { log, metrics } = options
  const loggedNow = sampleEach(options.logEvery)
  const checkedNow = sampleEach(options.checkEvery)
  const labelFor = firstOf(MOST_KINDS)
  const toldOfShedding = seldom(SHEDDING_TOLD_MS, options.clock)
  return {
    begin(path) {
      metrics.inFlight.change(path, 1)
      return (seen) => {
        metrics.inFlight.change(path, -1)
        if (seen === undefined) return
        const result = resultOf(seen)
        const kind = labelFor(seen.review.kind.kind)
        count(metrics, seen, { kind, result })
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
      if (toldOfShedding()) log.warn({ reason }, 'too many reviews at once; some are sent away for a second')
    },
    cutOff(reason) {
      metrics.cutConnections.inc({ reason })
    },
  }
}

type ReviewResult = 'allowed' | 'patched' | 'denied' | 'would_refuse' | 'unanswered' | 'failed' | 'no_handler'

/** By what went out: under --enforce warn some of what is found refuses all the same. */
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

/** One line per review that was not simply allowed; of the others a sample (OB-2). Never an object's content. */
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

/** A large body is parsed once for its answer; once more for its check would hold up everybody (PF-12). */
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

/** The answer is long sent: what fails here fails nobody. */
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
