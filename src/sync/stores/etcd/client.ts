import { Fault } from '../../../faults.ts'
import type { StoreOptions } from '../../store.ts'
import { clientTls } from '../credentials.ts'
import { EtcdConnection, type Stream } from './connection.ts'
import { type Endpoints, endpointsOf } from './endpoints.ts'
import type { Method } from './messages.ts'
import { Session } from './session.ts'
import { faultOf, isOfConnection } from './troubles.ts'

/** Calls to whichever endpoint answers. After a failure the next call goes to the next one, on a new connection. */
export class EtcdClient {
  readonly #options: StoreOptions
  readonly #endpoints: Endpoints
  #turn = 0
  #session: Session | undefined
  #opening: Promise<Session> | undefined

  constructor(options: StoreOptions) {
    this.#options = options
    this.#endpoints = endpointsOf(options)
  }

  ask<T>(method: Method, request: Buffer, signal: AbortSignal, decode: (answer: Buffer) => T): Promise<T> {
    return this.#within(signal, async (session) => decode(await session.ask(method, request, signal)))
  }

  /** `use` ends when the stream does. */
  stream<T>(method: Method, signal: AbortSignal, use: (stream: Stream) => Promise<T>): Promise<T> {
    return this.#within(signal, async (session) => {
      const stream = await session.open(method)
      try {
        return await use(stream)
      } finally {
        stream.cancel()
      }
    })
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {})
    if (this.#session !== undefined) this.#leave(this.#session)
  }

  async #within<T>(signal: AbortSignal, act: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#present()
    try {
      return await act(session)
    } catch (error) {
      if (isOfConnection(error) && !signal.aborted) this.#leave(session)
      signal.throwIfAborted()
      throw faultOf(error, session.name)
    }
  }

  async #present(): Promise<Session> {
    if (this.#session?.isLost) this.#leave(this.#session)
    if (this.#session !== undefined) return this.#session
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #open(): Promise<Session> {
    const { all, secure } = this.#endpoints
    const tls = secure ? await clientTls(this.#options) : undefined
    const endpoint = all[this.#turn % all.length]
    if (endpoint === undefined) throw new Fault('USAGE', 'there is no node')
    this.#session = new Session(new EtcdConnection(endpoint, tls), this.#options)
    return this.#session
  }

  #leave(session: Session): void {
    session.close()
    if (session !== this.#session) return
    this.#session = undefined
    this.#turn++
  }
}
