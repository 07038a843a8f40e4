import type { FastifyPluginAsync } from 'fastify'
import { deadlineOf } from '../admission/deadline.ts'
import { answeredReview, failure } from '../admission/response.ts'
import type { Review } from '../admission/review.ts'
import { NOTHING_TO_SAY } from '../admission/verdict.ts'
import type { Answer, Answerer, Arrival } from '../answer.ts'
import type { Clock } from '../clock.ts'
import { decode, notJson } from './decode.ts'
import type { Observer } from './observer.ts'
import { statusBody } from './status-body.ts'

export interface ReviewDeps {
  readonly paths: readonly string[]
  readonly answerer: Answerer
  readonly clock: Clock
  readonly observer: Observer
}

export function reviewRoutes({ paths, answerer, clock, observer }: ReviewDeps): FastifyPluginAsync {
  return async function reviewRoutes(app) {
    for (const path of paths) {
      app.post<{ Body: string | undefined; Querystring: { timeout?: unknown } }>(path, async (request, reply) => {
        const started = clock.tick()
        const { body: text, query, headers } = request
        if (text === undefined) throw notJson() // without a content type there is no body either
        const review = decode(text)
        const arrival = { path, at: clock.now(), deadline: deadlineOf(timeoutOf(query.timeout), clock.tick) }
        const done = observer.begin(path)
        const answered = await answerOf(answerer, review, arrival)
        const { code, body } = outgoing(answered.answer)
        const ms = clock.tick() - started
        reply.code(code).type('application/json').send(body)
        const bytes = Number(headers['content-length'] ?? Buffer.byteLength(text))
        done({ ...answered, review, arrival, text, bytes, code, ms }) // the answer is under way, whatever becomes of this
        return reply
      })
    }
  }
}

/** An exception is answered under the request's own uid, never by a dropped connection (SV-3). */
async function answerOf(
  answerer: Answerer,
  review: Review,
  arrival: Arrival,
): Promise<{ answer: Answer; failed?: { error: unknown } }> {
  try {
    return { answer: await answerer(review, arrival) }
  } catch (error) {
    return { answer: { response: failure(review), verdict: NOTHING_TO_SAY, door: undefined }, failed: { error } }
  }
}

/** Only an HTTP error lets the API server pass over a door of policy Ignore (SV-6). */
function outgoing({ response, verdict, door }: Answer) {
  const { status } = response
  const isUnanswered = verdict.unanswered !== undefined && status?.code === 503
  if (isUnanswered && door?.failurePolicy === 'Ignore') return { code: status.code, body: statusBody(status) }
  return { code: 200, body: JSON.stringify(answeredReview(response)) }
}

const DEFAULT_TIMEOUT_MS = 10_000
const LONGEST_TIMEOUT_MS = 30_000

/** `?timeout=10s` is what the API server waits (AP-5), in Go's way of writing a duration. */
export function timeoutOf(query: unknown): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(String(query)) ?? []
  const ms = Number(number) * (unit === 's' ? 1_000 : 1)
  return ms > 0 ? Math.min(ms, LONGEST_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS
}
