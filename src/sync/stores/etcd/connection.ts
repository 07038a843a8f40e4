import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  ChannelCredentials,
  Client,
  type ClientDuplexStream,
  credentials,
  type experimental,
  Metadata,
} from '@grpc/grpc-js'
import type { ClientTls } from '../credentials.ts'
import type { Endpoint } from './endpoints.ts'
import type { Method } from './messages.ts'

export type Stream = ClientDuplexStream<Buffer, Buffer>

export interface Asking {
  readonly token: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const MIB = 1024 * 1024
export const LONGEST_ANSWER = 64 * MIB

/** A server that hangs without closing is found out after 13 s (SY-ETCD-4). */
const OPTIONS = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.max_receive_message_length': LONGEST_ANSWER,
  'grpc.enable_retries': 0,
  'grpc.enable_channelz': 0,
  'grpc.enable_http_proxy': 0, // as confd
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
}

/** To one endpoint, until something fails; then it is closed, and the next one is a new one. */
export class EtcdConnection {
  readonly name: string
  readonly #client: Client
  readonly #sockets: Sockets
  readonly #streams = new Set<Stream>()

  constructor({ host, port }: Endpoint, tls: ClientTls | undefined) {
    this.name = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
    this.#sockets = new Sockets(host, tls)
    this.#client = new Client(`dns:///${this.name}`, this.#sockets, OPTIONS)
  }

  ask(method: Method, request: Buffer, { token, timeoutMs, signal }: Asking): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const deadline = Date.now() + timeoutMs
    const call = this.#client.makeUnaryRequest(
      method,
      same,
      same,
      request,
      metadataOf(token),
      { deadline },
      (error, answer) => (error ? reject(error) : resolve(answer ?? Buffer.alloc(0))),
    )
    const cancel = () => call.cancel()
    signal.addEventListener('abort', cancel)
    return promise.finally(() => signal.removeEventListener('abort', cancel))
  }

  /** A member that lost its leader ends such a stream, instead of keeping silent (SY-ETCD-13). */
  open(method: Method, token: string | undefined): Stream {
    const metadata = metadataOf(token)
    metadata.set('hasleader', 'true')
    const stream = this.#client.makeBidiStreamRequest(method, same, same, metadata)
    this.#streams.add(stream)
    stream.on('error', () => {}) // when we end it, it may still report that
    stream.once('status', () => this.#streams.delete(stream))
    return stream
  }

  /** It had a socket and lost it. The library would connect again, with the certificates of before. */
  get isLost(): boolean {
    return this.#sockets.hasLost
  }

  close(): void {
    for (const stream of this.#streams) stream.cancel()
    this.#client.close()
    this.#sockets.destroy()
  }
}

const same = (bytes: Buffer) => bytes

function metadataOf(token: string | undefined): Metadata {
  const metadata = new Metadata()
  if (token !== undefined) metadata.set('token', token)
  return metadata
}

/**
 * Holds the sockets of a connection. The library closes them politely, which a peer that hangs never answers, and drops
 * one on which TLS is still being agreed.
 */
class Sockets extends ChannelCredentials {
  readonly #host: string
  readonly #tls: ClientTls | undefined
  readonly #open = new Set<Socket>()
  #isClosed = false
  hasLost = false

  constructor(host: string, tls: ClientTls | undefined) {
    super()
    this.#host = host
    this.#tls = tls
  }

  override _isSecure(): boolean {
    return this.#tls !== undefined
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other
  }

  override _createSecureConnector(): experimental.SecureConnector {
    return {
      connect: (socket) => this.#connected(socket),
      waitForReady: async () => {},
      getCallCredentials: () => credentials.createEmpty(),
      destroy: () => {},
    }
  }

  destroy(): void {
    this.#isClosed = true
    for (const socket of this.#open) socket.destroy()
  }

  async #connected(socket: Socket): Promise<experimental.SecureConnectResult> {
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.hasLost = true
    })
    if (this.#isClosed) socket.destroy()
    if (this.#tls === undefined) return { socket, secure: false }
    return { socket: await secured(socket, this.#host, this.#tls), secure: true }
  }
}

/** An address is no server name in TLS; the certificate is then compared with it. */
function secured(socket: Socket, host: string, tls: ClientTls): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const name = isIP(host) === 0 ? { servername: host } : {}
  const secure = connectTls({ ...tls, ...name, socket, host, ALPNProtocols: ['h2'] }, () => resolve(secure))
  secure.on('error', reject)
  secure.once('close', () => reject(new Error('closed before TLS was agreed')))
  return promise
}
