import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { isIP } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Status } from '../../src/kube/status.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { withRequest } from './reviews.ts'
import {
  CallFailed,
  denialBy,
  type HttpAnswer,
  internalError,
  notCalled,
  type Phase,
  patched,
  responseIn,
  shownWarnings,
  textOf,
  Unusable,
} from './webhook-answers.ts'

/** One webhook, as its configuration tells the API server of it. */
export interface Webhook {
  readonly name: string
  readonly phase: Phase
  readonly url: string
  readonly caBundle: string
  /** The DNS name of the Service behind which the URL is; without it the webhook is registered by its URL. */
  readonly service?: string
  readonly timeoutSeconds?: number
  readonly failurePolicy?: 'Fail' | 'Ignore'
}

/** What becomes of the author's request. */
export interface Outcome {
  /** As the patches leave it. */
  readonly object: unknown
  readonly warnings: readonly string[]
  readonly refused?: Status
  /** Why the webhook did not count, under policy Ignore. */
  readonly passedOver?: string
}

const IDLE_MS = 90_000
const MOST_IDLE = 25
const MOST_RETRIES = 10

type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>

/** Calls webhooks as one kube-apiserver does (platform.md, AP-1 … AP-9). */
export class WebhookCaller {
  readonly #agents = new Map<string, Agent>()
  readonly #seen = new WeakSet<object>()
  readonly #pause: Pause
  #connections = 0
  #requests = 0

  constructor(pause: Pause = (ms, signal) => sleep(ms, undefined, { signal })) {
    this.#pause = pause
  }

  /** Dialled so far. */
  get connections(): number {
    return this.#connections
  }

  /** Sent so far, repeated ones among them. */
  get requests(): number {
    return this.#requests
  }

  /** The whole way of one write: mutating webhooks in turn, then validating ones at once; the first refusal is shown. */
  async admit(webhooks: readonly Webhook[], review: Tree): Promise<Outcome> {
    const [mutating, validating] = [webhooksOf('mutate', webhooks), webhooksOf('validate', webhooks)]
    const warnings: string[] = []
    let { object } = requestIn(review)
    for (const webhook of mutating) {
      const outcome = await this.call(webhook, requested(review, object))
      warnings.push(...outcome.warnings)
      object = outcome.object
      if (outcome.refused !== undefined) return { ...outcome, warnings: shownWarnings(warnings) }
    }
    if (requestIn(review).operation === 'CREATE') object = identified(object)
    const outcomes = await Promise.all(validating.map((webhook) => this.call(webhook, requested(review, object))))
    const refused = outcomes.find((outcome) => outcome.refused)?.refused
    warnings.push(...outcomes.flatMap((outcome) => outcome.warnings))
    return { object, warnings: shownWarnings(warnings), ...(refused && { refused }) }
  }

  async call(webhook: Webhook, review: Tree): Promise<Outcome> {
    const { name, phase, failurePolicy = 'Fail' } = webhook
    const { uid, object } = requestIn(review)
    try {
      const response = responseIn(await this.post(webhook, JSON.stringify(review)), phase, uid)
      const warnings = shownWarnings(listIn(response.warnings))
      if (response.allowed !== true) return { object, warnings, refused: denialBy(name, response.status) }
      return { object: phase === 'mutate' ? patched(response, object) : object, warnings }
    } catch (error) {
      if (error instanceof Unusable) return { object, warnings: [], refused: internalError(error.message) }
      if (!(error instanceof CallFailed)) throw error
      const why = `failed calling webhook "${name}": ${error.message}`
      if (failurePolicy === 'Ignore') return { object, warnings: [], passedOver: why }
      return { object, warnings: [], refused: internalError(why) }
    }
  }

  /** The same body and the same timeout again, as often as the answer asks for it and the time allows (AP-4). */
  async post(webhook: Webhook, body: string): Promise<HttpAnswer> {
    const { timeoutSeconds = 10 } = webhook
    const url = new URL(webhook.url)
    url.searchParams.set('timeout', `${timeoutSeconds}s`)
    const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
    try {
      for (let retries = 0; ; retries += 1) {
        const answer = await this.#send(webhook, url, body, signal)
        if (!isWorthRepeating(answer) || retries === MOST_RETRIES) return answer
        await this.#pause(Number(answer.retryAfter) * 1_000, signal)
      }
    } catch (error) {
      throw notCalled(`Post "${url}": ${signal.aborted ? 'context deadline exceeded' : goWords(error)}`)
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
  }

  #send(webhook: Webhook, url: URL, body: string, signal: AbortSignal): Promise<HttpAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
    const headers = { ...HEADERS, 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', agent: this.#agentFor(webhook, url), headers, signal }, (response) => {
      const { statusCode: code = 0, headers } = response
      const head = { code, type: headers['content-type'] ?? '', retryAfter: headers['retry-after'] }
      // Whoever has read the end finds the connection in the pool again, as with Go; by its close it is there.
      const closed = once(sent, 'close')
      Promise.all([text(response), closed]).then(([body]) => resolve({ ...head, body }), reject)
    })
    sent.removeHeader('connection') // that it is kept goes without saying
    sent.on('socket', (socket) => this.#note(socket)).on('error', reject)
    sent.end(body)
    this.#requests += 1
    return promise
  }

  #note(socket: object): void {
    if (this.#seen.has(socket)) return
    this.#seen.add(socket)
    this.#connections += 1
  }

  #agentFor({ caBundle, service }: Webhook, { host, hostname }: URL): Agent {
    const name = [caBundle, service, host].join(' ')
    const agent = this.#agents.get(name) ?? agentTo(service ?? hostname, caBundle, service === undefined)
    this.#agents.set(name, agent)
    return agent
  }
}

const HEADERS = {
  'user-agent': 'kube-apiserver-admission',
  accept: 'application/json, */*',
  'content-type': 'application/json',
  'accept-encoding': 'gzip',
} as const

/** HTTP/2 is offered to webhooks that are registered by a URL on loopback (AP-1); sessions are not resumed (AP-2). */
function agentTo(name: string, ca: string, byUrl: boolean): Agent {
  return new Agent({
    keepAlive: true,
    maxFreeSockets: MOST_IDLE,
    timeout: IDLE_MS,
    maxCachedSessions: 0,
    minVersion: 'TLSv1.2',
    ca,
    ...(isIP(name) === 0 && { servername: name }),
    ALPNProtocols: byUrl ? ['h2', 'http/1.1'] : ['http/1.1'],
  })
}

function isWorthRepeating({ code, retryAfter = '' }: HttpAnswer): boolean {
  return (code === 429 || code >= 500) && /^\d+$/.test(retryAfter)
}

function webhooksOf(phase: Phase, webhooks: readonly Webhook[]): readonly Webhook[] {
  return webhooks.filter((webhook) => webhook.phase === phase)
}

function requestIn({ request }: Tree): Tree {
  return isTree(request) ? request : {}
}

function listIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : []
}

/** Each call is a review of its own. */
function requested(review: Tree, object: unknown): Tree {
  return withRequest(review, { uid: randomUUID(), object })
}

/** What a new object has got when it is validated (AP-14). */
function identified(object: unknown): unknown {
  if (!isTree(object)) return object
  const { generateName, ...given } = isTree(object.metadata) ? object.metadata : {}
  const name = given.name ?? `${textOf(generateName)}x7k2p`
  const metadata = { ...given, ...(generateName !== undefined && { generateName }), name }
  return { ...object, metadata: { ...metadata, uid: randomUUID(), creationTimestamp: new Date().toISOString() } }
}

const UNKNOWN_AUTHORITY = 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
const GO_WORDS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls: failed to verify certificate: x509: certificate is valid for other names',
  ECONNRESET: 'EOF',
}

function goWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? textOf(error.code) : ''
  if (code === 'ECONNREFUSED') return `dial tcp ${error.message.split(' ').at(-1)}: connect: connection refused`
  return GO_WORDS[code] ?? error.message
}
