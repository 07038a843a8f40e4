import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Fault } from '../../../faults.ts'
import { type Clock, systemClock } from '../../../timing/clock.ts'
import { type Fuse, fuse } from '../../../timing/fuse.ts'
import { pause, unlessAborted } from '../../../timing/pause.ts'
import type { Fence } from '../../fence.ts'
import { Credentials, KEEP_ALIVE_MS } from './credentials.ts'
import { isDistrust, isHungUp, wordFor } from './error-word.ts'
import { loadKubeConfig } from './kube-config.ts'
import { linesOf, wholeOf } from './lines.ts'
import { Rounds } from './rounds.ts'
import { Turns } from './turns.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface CallOptions {
  readonly body?: unknown
  readonly contentType?: string
  /** Plain JSON by default. */
  readonly accept?: string
  /** The time for the whole call: waiting for a turn, which ends earlier, retries, and the answer to its last byte. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** No request of the call leaves once it is closed, however long the call has waited. */
  readonly fence?: Fence
  /**
   * Waits for no turn: for what has a connection of its own anyway, the list and watch of a reflector. Its answer, which
   * may be a long list, is read in a round of the event loop for itself.
   */
  readonly apart?: boolean
}

type HttpCall = CallOptions & { readonly method: Method; readonly path: string }

export interface HttpAnswer {
  readonly status: number
  /** Parsed JSON, or the text of any other type. */
  readonly body: unknown
  /** Of the body as it came, in characters. */
  readonly length?: number
  /** The Warning header, with the warnings of admission. */
  readonly warning?: string
}
export interface Stream {
  readonly status: 200
  readonly lines: AsyncIterable<string>
  /** Must be called in any case, whether all or nothing was read. */
  close(): void
}

const JSON_TYPE = 'application/json'
const CALL_MS = 10_000
/** The call watches over a connection in use; the agent's own timeout is for idle connections. */
const NEVER_IDLE = 0

/** Connects to the cluster of a kubeconfig file; by default that of the environment, the home folder or the pod. */
export async function connect(kubeconfig?: string, clock: Clock = systemClock): Promise<Connection> {
  const load = () => loadKubeConfig(kubeconfig)
  return new Connection(new Credentials(await load(), load, clock), clock)
}

/** Requests to one API server. Whatever it answers is an answer; that it does not is a fault CLUSTER_UNREACHABLE. */
export class Connection {
  readonly #credentials: Credentials
  readonly #turns: Turns
  readonly #rounds = new Rounds()
  readonly #clock: Clock

  constructor(credentials: Credentials, clock: Clock) {
    this.#credentials = credentials
    this.#turns = new Turns(clock, credentials.server.origin)
    this.#clock = clock
  }

  async request(method: Method, path: string, options: CallOptions = {}): Promise<HttpAnswer> {
    const patience = this.#patience(options)
    try {
      const call = { method, path, ...options }
      return await this.#persevere(call, patience, () => this.#inTurn(call, patience))
    } catch (cause) {
      throw this.#faultOf(cause, patience)
    } finally {
      patience.release()
    }
  }

  /** The time is for the head of the answer. Lines then come until they end, or the signal aborts. */
  async stream(
    path: string,
    options: Pick<CallOptions, 'timeoutMs' | 'signal' | 'accept'> = {},
  ): Promise<Stream | HttpAnswer> {
    const patience = this.#patience(options)
    try {
      const call = { method: 'GET', path, ...options } as const
      const opened = await this.#persevere(call, patience, () => this.#open(call, patience))
      if (!('lines' in opened)) patience.release()
      return opened
    } catch (cause) {
      patience.release()
      throw this.#faultOf(cause, patience)
    }
  }

  stop(): void {
    this.#credentials.destroy()
  }

  /** Retries as long as the API server sends Retry-After and the time allows (CL-4). */
  async #persevere<A extends Stream | Advised>(
    { method }: HttpCall,
    patience: Fuse,
    ask: () => Promise<A>,
  ): Promise<A | HttpAnswer> {
    for (;;) {
      const response = await ask()
      if (!('body' in response)) return response
      const { retryAfterMs = Number.POSITIVE_INFINITY, ...answer } = response
      if (answer.status === 401) this.#credentials.distrust()
      const mayHaveHappened = method !== 'GET' && answer.status !== 429
      if (mayHaveHappened || retryAfterMs >= patience.left()) return answer
      await pause(this.#clock, retryAfterMs, patience.signal)
    }
  }

  async #open(call: HttpCall, patience: Fuse): Promise<Stream | Advised> {
    const response = await this.#send(call, patience.signal)
    return response.statusCode === 200 ? this.#streamOf(response, patience) : answerIn(response)
  }

  async #inTurn(call: HttpCall, patience: Fuse): Promise<Advised> {
    const giveBack = call.apart ? () => {} : await this.#turns.take(patience)
    const rounds = call.apart ? this.#rounds : undefined
    const ask = async () => answerIn(await this.#send(call, patience.signal), rounds)
    try {
      return await ask()
    } catch (cause) {
      // Most often a connection that was idle, and closed just when we took it; those idle beside it may be, too.
      if (call.method !== 'GET' || !isHungUp(cause)) throw cause
      this.#credentials.hangUp()
      return await ask()
    } finally {
      giveBack()
    }
  }

  async #send(call: HttpCall, signal: AbortSignal): Promise<IncomingMessage> {
    const { server } = this.#credentials
    const { headers, ...access } = await unlessAborted(this.#credentials.access(), signal)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const { request } = server.protocol === 'http:' ? http : https
    const url = new URL(server.pathname.replace(/\/$/, '') + call.path, server)
    const body = call.body === undefined ? undefined : Buffer.from(jsonOf(call.body))
    const head = { method: call.method, headers: { ...headers, ...headersFor(body, call) } }
    call.fence?.check()
    const outgoing = request(url, { ...access, ...head, signal, timeout: NEVER_IDLE }, resolve).on('error', reject)
    outgoing.setSocketKeepAlive(true, KEEP_ALIVE_MS)
    outgoing.end(body)
    return promise
  }

  #streamOf(response: IncomingMessage, patience: Fuse): Stream {
    patience.hold()
    const close = () => {
      response.destroy() // keeps the connection if all was read
      patience.release()
    }
    return { status: 200, lines: this.#lines(response, patience), close }
  }

  async *#lines(response: IncomingMessage, patience: Fuse): AsyncGenerator<string> {
    try {
      yield* linesOf(response.setEncoding('utf8'))
    } catch (cause) {
      throw this.#faultOf(cause, patience)
    }
  }

  #patience({ timeoutMs = CALL_MS, fence, signal = fence?.closed }: CallOptions): Fuse {
    return fuse(this.#clock, timeoutMs, () => this.#unreachable(`within ${timeoutMs / 1_000} s`), signal)
  }

  #faultOf(cause: unknown, { signal }: Fuse): unknown {
    if (signal.aborted) return this.#givenUp(signal.reason)
    if (isDistrust(cause)) this.#credentials.distrust()
    return cause instanceof Fault ? cause : this.#unreachable(`(${wordFor(cause)})`, cause)
  }

  /** When one connection falls silent, the idle ones may be silent too, so they are closed before another call waits. */
  #givenUp(reason: unknown): unknown {
    if (reason instanceof Fault && reason.code === 'CLUSTER_UNREACHABLE') this.#credentials.hangUp()
    return reason
  }

  #unreachable(detail: string, cause?: unknown): Fault {
    const { origin } = this.#credentials.server
    return new Fault('CLUSTER_UNREACHABLE', `no answer from the API server at ${origin} ${detail}`, { cause })
  }
}

/** An API server reads the JSON of an apply as YAML, which takes these characters for white space or refuses them. */
const NOT_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const jsonOf = (body: unknown) => JSON.stringify(body).replace(NOT_IN_YAML, escaped)

function headersFor(body: Buffer | undefined, { contentType = JSON_TYPE, accept = JSON_TYPE }: CallOptions) {
  const common = { accept, 'user-agent': 'tars-admission' }
  return body === undefined ? common : { ...common, 'content-type': contentType, 'content-length': body.length }
}

type Advised = HttpAnswer & { readonly retryAfterMs?: number }

/** 500 objects of 64 KiB. A pager that would exceed it asks for fewer objects. */
const MOST_CHARACTERS = 32 * 1024 * 1024

async function answerIn(response: IncomingMessage, rounds?: Rounds): Promise<Advised> {
  const { statusCode: status = 0, headers } = response
  const text = await wholeOf(response.setEncoding('utf8'), MOST_CHARACTERS)
  await rounds?.next()
  const body: unknown = headers['content-type']?.includes('json') ? JSON.parse(text) : text
  const { warning } = headers
  const answer = { status, body, length: text.length, ...(warning !== undefined && { warning }) }
  const seconds = secondsAdvised(status, Number(headers['retry-after']))
  return seconds === undefined ? answer : { ...answer, retryAfterMs: Math.max(1, seconds) * 1_000 }
}

/** An API server that starts says 5 and is there after 2 (measured); who has too much to do means what it says. */
const MOST_SECONDS_DOWN = 2

function secondsAdvised(status: number, seconds: number): number | undefined {
  if (!(seconds >= 0)) return undefined
  if (status === 429) return seconds
  return status >= 500 ? Math.min(seconds, MOST_SECONDS_DOWN) : undefined
}
