import type { StoreOptions } from '../../store.ts'
import { passwordOf } from '../credentials.ts'
import type { EtcdConnection, Stream } from './connection.ts'
import { authenticateOf, METHODS, type Method, tokenIn } from './messages.ts'
import { says } from './troubles.ts'

/** A connection and who we are on it (SY-ETCD-2). */
export class Session {
  readonly #connection: EtcdConnection
  readonly #options: StoreOptions
  #token: Promise<string | undefined> | undefined

  constructor(connection: EtcdConnection, options: StoreOptions) {
    this.#connection = connection
    this.#options = options
  }

  get name(): string {
    return this.#connection.name
  }

  get isLost(): boolean {
    return this.#connection.isLost
  }

  /** Once more with a new token when that of before has ended. */
  async ask(method: Method, request: Buffer, signal: AbortSignal): Promise<Buffer> {
    const { timeoutMs } = this.#options
    const call = (token: string | undefined) => this.#connection.ask(method, request, { token, timeoutMs, signal })
    const before = await (this.#token ?? this.#newToken())
    try {
      return await call(before)
    } catch (error) {
      if (before === undefined || !hasEnded(error)) throw error
      return await call(await this.#newToken())
    }
  }

  /** With a new token, since it has to last. */
  async open(method: Method): Promise<Stream> {
    return this.#connection.open(method, await this.#newToken())
  }

  close(): void {
    this.#connection.close()
  }

  #newToken(): Promise<string | undefined> {
    const token = this.#authenticated()
    this.#token = token
    token.catch(() => {
      if (this.#token === token) this.#token = undefined
    })
    return token
  }

  async #authenticated(): Promise<string | undefined> {
    const { username, timeoutMs } = this.#options
    if (username === '') return undefined
    const request = authenticateOf(username, await passwordOf(this.#options))
    const { signal } = new AbortController() // the token is not that of one caller
    try {
      return tokenIn(await this.#connection.ask(METHODS.authenticate, request, { token: undefined, timeoutMs, signal }))
    } catch (error) {
      if (says(error, 'authentication is not enabled')) return undefined
      throw error
    }
  }
}

function hasEnded(error: unknown): boolean {
  return says(error, 'invalid auth token') || says(error, 'revision of auth store is old')
}
