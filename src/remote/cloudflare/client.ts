import { Fault } from '../../faults.ts'
import { sha256Of } from '../../kube/digests.ts'
import { RecentMap } from '../../recent-map.ts'
import { type Clock, systemClock } from '../../timing/clock.ts'
import { type Fuse, fuse } from '../../timing/fuse.ts'
import { pause } from '../../timing/pause.ts'
import { addressOf, baseOf } from './address.ts'
import { boundedText, jsonIn } from './bounded-body.ts'
import { type Envelope, envelopeIn } from './envelope.ts'
import { type CallName, failure, refusal, throttled } from './failures.ts'
import { Limiter } from './limiter.ts'
import type { Cloudflare, CloudflareAccess, CloudflareCall, CloudflareOptions, CloudflareQuestion } from './port.ts'

/** For head and body together; the time in which a call waits for its turn does not count. */
const CALL_MS = 15_000
const PER_PAGE = 100
const MOST_PAGES = 500
/** Where a 429 does not say how long. */
const USUAL_PAUSE_MS = 60_000
/** Of so many credentials the calls are counted; a rotated token is another one. */
const MOST_LIMITERS = 100

interface CloudflareParts extends CloudflareOptions {
  readonly clock?: Clock
  readonly fetch?: typeof fetch
}

interface Answered {
  readonly httpStatus: number
  readonly envelope: Envelope
}

/** Calls the API over HTTPS. It sends the credentials to its own host alone, and follows no redirect. */
export class CloudflareClient implements Cloudflare {
  readonly #base: URL
  readonly #requests: number
  readonly #clock: Clock
  readonly #fetch: typeof fetch
  readonly #limiters = new RecentMap<Limiter>(MOST_LIMITERS)

  constructor({ url, requestsPerFiveMinutes, clock = systemClock, fetch: send = fetch }: CloudflareParts) {
    this.#base = baseOf(url)
    this.#requests = requestsPerFiveMinutes
    this.#clock = clock
    this.#fetch = send
  }

  tick(): number {
    return this.#clock.tick()
  }

  pause(ms: number, signal: AbortSignal): Promise<void> {
    return pause(this.#clock, ms, signal)
  }

  random(): number {
    return this.#clock.random()
  }

  async ask<R>(call: CloudflareCall<R>, question: CloudflareQuestion): Promise<R> {
    const { result } = await this.#asked(call, question)
    return result
  }

  async list<R>(call: CloudflareCall<readonly R[]>, question: CloudflareQuestion): Promise<readonly R[]> {
    const { perPage = PER_PAGE } = call
    const items: R[] = []
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query = { ...question.query, page, per_page: perPage }
      const { result, envelope } = await this.#asked(call, { ...question, query })
      items.push(...result)
      if (result.length < perPage || page * perPage >= envelope.page.totalCount) return items
    }
    throw failure(nameOf(call), `there are more than ${MOST_PAGES} pages`)
  }

  async #asked<R>(call: CloudflareCall<R>, question: CloudflareQuestion) {
    const name = nameOf(call)
    const limiter = this.#limiterOf(question.access)
    await this.#turn(name, limiter, call.method !== 'GET', question.signal)
    const limit = fuse(
      this.#clock,
      CALL_MS,
      () => failure(name, `no answer within ${CALL_MS / 1_000} s`),
      question.signal,
    )
    try {
      const { httpStatus, envelope } = await this.#answered(call, question, limit, limiter)
      const { result } = envelope
      if (!call.is(result)) throw failure(name, 'the result has not the shape that it should have', { httpStatus })
      return { result, envelope }
    } catch (cause) {
      throw limit.signal.aborted ? limit.signal.reason : faultOf(name, cause)
    } finally {
      limit.release()
    }
  }

  async #turn(name: CallName, limiter: Limiter, isWrite: boolean, signal = NEVER_ABORTED): Promise<void> {
    const turn = limiter.take(isWrite)
    if ('retryAfterMs' in turn) throw throttled(name, turn.retryAfterMs)
    if (turn.waitMs > 0) await pause(this.#clock, turn.waitMs, signal)
    signal.throwIfAborted()
  }

  async #answered<R>(
    call: CloudflareCall<R>,
    { access, params = {}, query = {}, body }: CloudflareQuestion,
    { signal }: Fuse,
    limiter: Limiter,
  ): Promise<Answered> {
    const response = await this.#fetch(addressOf(this.#base, call.path, params, query), {
      method: call.method,
      headers: { ...headersOf(access), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    })
    const { status: httpStatus, headers } = response
    limiter.hear(headers.get('ratelimit'))
    const text = await boundedText(response)
    if (httpStatus === 429) throw throttled(nameOf(call), limiter.pause(pauseMsIn(headers.get('retry-after'))))
    return { httpStatus, envelope: successIn(nameOf(call), httpStatus, text, access) }
  }

  /** One for each credential, whichever objects name it. */
  #limiterOf(access: CloudflareAccess): Limiter {
    const id = sha256Of(secretsIn(access).join('\n'))
    const limiter = this.#limiters.get(id) ?? new Limiter(this.#requests, this.#clock)
    this.#limiters.set(id, limiter)
    return limiter
  }
}

const NEVER_ABORTED = new AbortController().signal
const nameOf = ({ method, path }: Pick<CloudflareCall<unknown>, 'method' | 'path'>): CallName => `${method} ${path}`

const secretsIn = (access: CloudflareAccess): readonly string[] =>
  'token' in access ? [access.token] : [access.key, access.email]

function headersOf(access: CloudflareAccess): Record<string, string> {
  return 'token' in access
    ? { authorization: `Bearer ${access.token}` }
    : { 'x-auth-key': access.key, 'x-auth-email': access.email }
}

const pauseMsIn = (header: string | null) => {
  const seconds = header === null ? Number.NaN : Number(header)
  return seconds >= 0 ? seconds * 1_000 : USUAL_PAUSE_MS
}

/** Success is 2xx with `success: true`; an answer that is no envelope is an outage (CF-API-01). */
function successIn(name: CallName, httpStatus: number, text: string | undefined, access: CloudflareAccess): Envelope {
  if (text === undefined) throw failure(name, 'the answer is too long', { httpStatus })
  const envelope = envelopeIn(jsonIn(text))
  if (envelope === undefined) throw failure(name, `the answer ${httpStatus} is not one of the API`, { httpStatus })
  const errors = envelope.errors.map((error) => ({ ...error, message: without(secretsIn(access), error.message) }))
  if (httpStatus >= 200 && httpStatus < 300 && envelope.isSuccess) return envelope
  throw refusal(name, { httpStatus, errors })
}

/** An error of the API may quote what it was sent. */
const without = (secrets: readonly string[], text: string) =>
  secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '…')), text)

/** The cause may hold the request with its headers, so of it only the code is passed on. */
function faultOf(name: CallName, cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  const { code } = Object(cause instanceof Error ? (cause.cause ?? cause) : {})
  return failure(name, `no answer (${typeof code === 'string' ? code : 'the connection failed'})`)
}

export const openCloudflare = (options: CloudflareOptions): Cloudflare => new CloudflareClient(options)
