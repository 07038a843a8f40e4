import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isTree, type Tree } from '../../../src/schema.ts'
import { ApiError, type DoubleAnswer, envelope, refusal } from './answer.ts'
import { COMMANDS } from './commands.ts'
import { DNS } from './dns.ts'
import { type DoubleFault, DoubleFaults } from './faults.ts'
import { PRIVATE_NETWORKS } from './private-networks.ts'
import { RateLimits } from './rate-limit.ts'
import { type DoubleRoutes, matching } from './routing.ts'
import { BUCKETS, GATEWAY_RULES } from './rules-and-buckets.ts'
import { type DoubleCredential, DoubleState } from './state.ts'
import { TUNNELS } from './tunnels.ts'

const ROUTES: DoubleRoutes = {
  /** API reference, "Verify Token". */
  'GET /user/tokens/verify': ({ credential: { name } }) => ({ result: { id: name, status: 'active' } }),
  ...DNS,
  ...TUNNELS,
  ...PRIVATE_NETWORKS,
  ...GATEWAY_RULES,
  ...BUCKETS,
}
/** `GET /zones`: what the double knows, which the contract goes through. */
export const CALLS: readonly string[] = Object.keys(ROUTES)

export interface LoggedCall {
  readonly at: number
  readonly method: string
  /** Below /client/v4, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: Tree
  /** The name of the token, never the token. */
  readonly token: string
  /** Zero where there was none. */
  readonly status: number
}

/** Cloudflare as far as a public source tells it, on loopback (CF-DBL-01). */
export class Double {
  readonly state = new DoubleState()
  readonly faults = new DoubleFaults()
  readonly limits = new RateLimits()
  readonly log: LoggedCall[] = []
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    return this
  }

  get origin(): string {
    const address = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${address.port}`
  }
  get url(): string {
    return `${this.origin}${BASE}`
  }

  /** What was written, in order. */
  writes(): readonly LoggedCall[] {
    return this.log.filter(({ method }) => method !== 'GET')
  }

  async close(): Promise<void> {
    this.faults.clear()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', this.origin)
    const text = Buffer.concat(await Array.fromAsync(request)).toString('utf8')
    if (pathname.startsWith('/__double/')) return this.#command(pathname.slice(10), text, response)
    const call = { method: request.method ?? '', path: pathname.replace(BASE, ''), query, text }
    const fault = this.faults.next(call.method, call.path)
    const { status, body, headers } = await this.#faulty(fault, () => this.#answered(request, call))
    const { method, path } = call
    const token = this.#credentialOf(request)?.name ?? ''
    this.log.push({ at: Date.now(), method, path, query: Object.fromEntries(query), body: treeIn(text), token, status })
    if (status < 0) return // a black hole
    if (status === 0) return void response.destroy()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  async #faulty(fault: DoubleFault | undefined, act: () => Answered): Promise<Answered> {
    const { status = 500, code = 1_000, message = 'a fault', ms = 0 } = fault ?? {}
    switch (fault?.do) {
      case 'answer':
        return { status, body: refusal(code, message) }
      case 'html':
        return { status: fault.status ?? 502, body: '<html><body>Bad gateway</body></html>', headers: HTML }
      case 'no success':
        return { status: 200, body: refusal(code, message) }
      case 'half':
        return { status: 200, body: '{"success":true,"errors":[],"result":{' }
      case 'reset before':
        return { status: 0, body: '' }
      case 'reset after':
        return { ...act(), status: 0 }
      case 'black hole':
        return { status: -1, body: '' }
      case 'wait':
        await sleep(ms)
        return act()
      case 'hold':
        await this.faults.hold()
        return act()
      default:
        return act()
    }
  }

  #answered(request: IncomingMessage, { method, path, query, text }: Asked): Answered {
    try {
      const credential = this.#credentialOf(request)
      if (credential === undefined) throw new ApiError(403, 10000, 'Authentication error')
      const { isOver, headers } = this.limits.take(credential.name)
      if (isOver) return { status: 429, body: refusal(10429, 'Too many requests'), headers }
      if (text !== '' && !isJson(request)) throw new ApiError(400, 6003, 'Invalid request headers')
      const { act, params } = matching(ROUTES, method, path)
      const answer: DoubleAnswer = act({ state: this.state, params, query, body: treeIn(text), credential })
      return { status: 200, body: envelope(answer), headers }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: refusal(error.code, error.message) }
    }
  }

  /** A token, or a key with its address. */
  #credentialOf({ headers }: IncomingMessage): DoubleCredential | undefined {
    const key = headers['x-auth-key']
    const secret = headers.authorization?.replace(/^Bearer /, '') || (typeof key === 'string' ? key : '')
    const found = this.state.credentials.get(secret)
    return found?.email === headers['x-auth-email'] ? found : undefined
  }

  #command(name: string, text: string, response: ServerResponse): void {
    const command = COMMANDS[name]
    response.writeHead(command === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(command?.(this, treeIn(text)) ?? null))
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly text: string
}
interface Answered {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}
const BASE = '/client/v4'
const HTML = { 'content-type': 'text/html' }
const isJson = ({ headers }: IncomingMessage) => headers['content-type']?.startsWith('application/json') === true

function treeIn(text: string): Tree {
  try {
    const body: unknown = JSON.parse(text)
    return isTree(body) ? body : {}
  } catch {
    return {}
  }
}
