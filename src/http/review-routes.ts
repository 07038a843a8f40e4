import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, Answerer, Arrival } from '../admission/answer.ts'
import { deadlineOf } from '../admission/deadline.ts'
import { answeredReview, failure } from '../admission/response.ts'
import type { Review } from '../admission/review.ts'
import { NOTHING_TO_SAY } from '../admission/verdict.ts'
import { Fault } from '../faults.ts'
import type { Clock } from '../timing/clock.ts'
import { announced, type Body, readBody } from './intake/body.ts'
import { decode, notJson } from './intake/decode.ts'
import { type Gate, Shed } from './intake/gate.ts'
import type { Room, Share } from './intake/room.ts'
import { weightOf } from './intake/weight.ts'
import type { Observer } from './observer.ts'
import { statusBody } from './status-body.ts'

export interface ReviewDeps {
  readonly paths: readonly string[]
  readonly answerer: Answerer
  readonly clock: Clock
  readonly observer: Observer
}

/** What a request must pass: the check of callers, the limit of reviews in flight, the memory limit of bodies. */
export interface Intake {
  readonly rejectCaller: (socket: Socket) => Fault | undefined
  readonly gate: Gate
  readonly room: Room
}

interface Arrived extends Body {
  /** When the head of the request had arrived. */
  readonly began: number
}
interface ReviewRoute {
  readonly Body: Arrived | Shed | undefined
  readonly Querystring: { readonly timeout?: unknown }
}

export function reviewRoutes(deps: ReviewDeps, entry: Intake): FastifyPluginAsync {
  return async function reviewRoutes(app) {
    app.addHook('onRequest', (request, _reply, done) => done(refusal(request.raw, entry)))
    app.addContentTypeParser('application/json', bodyParser(deps, entry))
    for (const path of deps.paths) app.post<ReviewRoute>(path, reviewHandler(path, deps, entry))
  }
}

type Parsed = (error: Error | null, body?: ReviewRoute['Body']) => void

function bodyParser({ clock }: ReviewDeps, { room }: Intake) {
  return function parseBody(_request: unknown, raw: IncomingMessage, done: Parsed): void {
    const began = clock.tick()
    readBody(raw, room, began, (error, body) => {
      // Fastify would close the connection after its own error, while the caller still sends.
      if (error instanceof Shed) done(null, error)
      else done(error, body && { ...body, began })
    })
  }
}

/** Reviews a request in its turn. The room of the body is released in any case. */
function reviewHandler(path: string, deps: ReviewDeps, { gate, room }: Intake) {
  return async function handleReview(request: FastifyRequest<ReviewRoute>, reply: FastifyReply): Promise<FastifyReply> {
    const { body: arrived, query, raw } = request
    if (arrived === undefined) throw notJson() // a request without a content type has no body
    if (arrived instanceof Shed) throw arrived
    try {
      const { code, body, sent } = await gate.pass(async (waitedMs) => {
        if (raw.socket.destroyed) throw new Shed('gone')
        makeRoom(weightOf(arrived.text), arrived.share, room)
        return reviewed(deps, { path, arrived, timeout: query.timeout, waitedMs })
      })
      reply.code(code).type('application/json').send(body)
      sent() // the answer is sent even if this fails
      return reply
    } finally {
      arrived.share.giveBack()
    }
  }
}

interface ArrivedReview {
  readonly path: string
  readonly arrived: Arrived
  readonly timeout: unknown
  readonly waitedMs: number
}

/** The response, and the function to call once it is sent. */
async function reviewed(
  { answerer, clock, observer }: ReviewDeps,
  { path, arrived, timeout, waitedMs }: ArrivedReview,
) {
  const { text, bytes, began } = arrived
  const review = decode(text)
  const arrival = { path, at: clock.now(), deadline: deadlineOf(timeoutOf(timeout), clock.tick, began) }
  const done = observer.begin(path)
  const answered = await answerOf(answerer, review, arrival).catch((shed: unknown) => {
    done()
    throw shed
  })
  const { code, body } = outgoing(answered.answer)
  const sent = () => done({ ...answered, review, arrival, text, bytes, code, waitedMs, ms: clock.tick() - began })
  return { code, body, sent }
}

/** Sheds before the body is read, which costs next to nothing (SV-5). */
function refusal(request: IncomingMessage, { rejectCaller, gate, room }: Intake): Fault | undefined {
  const strange = rejectCaller(request.socket)
  if (strange !== undefined) return strange
  if (gate.isFull) return new Shed('queue')
  return room.has(announced(request)) ? undefined : new Shed('memory')
}

/** Takes room for the parsed object. A body that could never fit is refused for good. */
function makeRoom(weight: number, share: Share, room: Room): void {
  if (share.taken + weight > room.size) throw new Fault('BODY_TOO_DENSE', TOO_DENSE)
  if (!share.take(weight)) throw new Shed('memory')
}
const TOO_DENSE = 'the body holds too many objects, arrays or elements'

/**
 * A password that cannot be hashed now is shed, and retried after a second (SV-12). Any other exception is answered under
 * the request's own uid, never by a dropped connection (SV-3).
 */
async function answerOf(
  answerer: Answerer,
  review: Review,
  arrival: Arrival,
): Promise<{ answer: Answer; failed?: { error: unknown } }> {
  try {
    return { answer: await answerer(review, arrival) }
  } catch (error) {
    if (error instanceof Fault && error.code === 'OVERLOADED') throw new Shed('hash')
    return { answer: { response: failure(review), verdict: NOTHING_TO_SAY, door: undefined }, failed: { error } }
  }
}

/** Only an HTTP error makes the API server ignore a door of policy Ignore (SV-6). A door may choose to refuse instead. */
function outgoing({ response, verdict, door }: Answer) {
  const { status } = response
  const isUnanswered = verdict.unanswered !== undefined && status?.code === 503
  const mayPass = door?.failurePolicy === 'Ignore' && door.unanswered !== 'refuse'
  if (isUnanswered && mayPass) return { code: status.code, body: statusBody(status) }
  return { code: 200, body: JSON.stringify(answeredReview(response)) }
}

const DEFAULT_TIMEOUT_MS = 10_000
const LONGEST_TIMEOUT_MS = 30_000

/** `?timeout=10s` is how long the API server waits (AP-5), as a Go duration. */
export function timeoutOf(query: unknown): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(String(query)) ?? []
  const ms = Number(number) * (unit === 's' ? 1_000 : 1)
  return ms > 0 ? Math.min(ms, LONGEST_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS
}
