import { refOf } from '../admission/response.ts'
import type { Review } from '../admission/review.ts'
import type { Answer, Answerer, Arrival, Enforce } from '../answer.ts'
import { type SelfCheck, selfCheck } from '../self-check.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface Seen {
  readonly review: Review
  readonly answer: Answer
  readonly arrival: Arrival
  readonly text: string
  readonly ms: number
}

export interface Observer {
  begin(path: string): (seen: Seen) => void
  failed(review: Review, error: unknown): void
  unreadable(code: string, path: string): void
}

export interface ObserverOptions {
  readonly log: Log
  readonly metrics: Metrics
  readonly answerer: Answerer
  readonly enforce: Enforce
  /** One in so many allowed reviews is logged, one in so many answers is checked (SV-8). */
  readonly logEvery: number
  readonly checkEvery: number
}

/** Counts and logs what the routes do; nothing here decides or changes an answer. */
export function observer(options: ObserverOptions): Observer {
  const { log, metrics } = options
  const { inFlight, stock } = metrics
  const loggedNow = every(options.logEvery)
  const checkedNow = every(options.checkEvery)
  return {
    begin(path) {
      inFlight.inc()
      stock.inFlight.inc({ webhook: path })
      return (seen) => {
        inFlight.dec()
        stock.inFlight.dec({ webhook: path })
        const result = resultOf(seen.answer, options.enforce)
        count(metrics, seen, result)
        report(log, seen, result, loggedNow)
        if (seen.answer.response.patch !== undefined && checkedNow()) setImmediate(() => void check(options, seen))
      }
    },
    failed(review, error) {
      metrics.handlerErrors.inc({ kind: review.kind.kind, class: error instanceof Error ? error.name : typeof error })
      log.error({ uid: review.uid, ref: refOf(review), kind: review.kind.kind, err: error }, 'handler failed')
    },
    unreadable(code, path) {
      metrics.handlerErrors.inc({ kind: '', class: code })
      log.warn({ code, path }, 'request not understood')
    },
  }
}

type Result = 'allowed' | 'patched' | 'denied' | 'would_refuse' | 'unanswered' | 'failed' | 'no_handler'

function resultOf({ response, verdict, door }: Answer, enforce: Enforce): Result {
  if (response.status?.code === 500) return 'failed'
  if (door === undefined) return 'no_handler'
  if (verdict.violations.length > 0) return enforce === 'warn' ? 'would_refuse' : 'denied'
  if (verdict.unanswered !== undefined) return 'unanswered'
  return verdict.patch.length > 0 ? 'patched' : 'allowed'
}

function count(metrics: Metrics, { review, answer, arrival, text, ms }: Seen, result: Result): void {
  const webhook = answer.door?.name ?? arrival.path
  const { kind } = review.kind
  const labels = { webhook, kind, operation: review.operation, result, dry_run: String(review.dryRun) }
  metrics.reviews.observe(labels, ms / 1_000)
  metrics.stock.requests.inc({ webhook: arrival.path, code: '200' })
  metrics.stock.latency.observe({ webhook: arrival.path }, ms / 1_000)
  metrics.requestBytes.observe(text.length)
  const { patch, violations, unfit } = answer.verdict
  if (patch.length > 0) metrics.patchOperations.observe(patch.length)
  for (const { rule } of violations) metrics.denied.inc({ rule: rule.id })
  if (unfit !== undefined) metrics.unfit.inc({ kind, which: unfit })
}

/** One line per review that was not simply allowed; of the others a sample (OB-2). Never an object's content. */
function report(log: Log, seen: Seen, result: Result, sampled: () => boolean): void {
  const quiet = result === 'allowed' || result === 'patched'
  if (quiet && !sampled()) return
  if (quiet) log.info(fieldsOf(seen, result), 'reviewed')
  else log.warn(fieldsOf(seen, result), 'reviewed')
}

function fieldsOf({ review, answer, arrival, text, ms }: Seen, result: Result) {
  const { uid, kind, operation, namespace, name, username: user, dryRun } = review
  const { response, verdict, door } = answer
  const rules = verdict.violations.map(({ rule }) => rule.id)
  const reason = verdict.unanswered?.message
  const subject = { uid, ref: refOf(review), kind: kind.kind, operation, namespace, name, user, dryRun }
  const outcome = { allowed: response.allowed, result, rules, ms: Math.round(ms * 1_000) / 1_000, bytes: text.length }
  return { ...subject, ...outcome, webhook: door?.name ?? arrival.path, ...(reason !== undefined && { reason }) }
}

async function check({ log, metrics, answerer }: ObserverOptions, seen: Seen): Promise<void> {
  const { review, answer, arrival, text } = seen
  const result = await resultOfCheck(answerer, { review, answer, arrival, sent: JSON.parse(text).request.object })
  metrics.selfChecks.inc({ kind: review.kind.kind, result })
  if (result !== 'holds') log.error({ uid: review.uid, kind: review.kind.kind, result }, 'self-check failed')
}

async function resultOfCheck(...args: Parameters<typeof selfCheck>): Promise<SelfCheck | 'not checked'> {
  try {
    return await selfCheck(...args)
  } catch {
    return 'not checked' // a look-up that failed meanwhile, and the answer is long sent
  }
}

function every(many: number): () => boolean {
  let seen = 0
  return () => {
    seen = (seen + 1) % many
    return seen === 0
  }
}
