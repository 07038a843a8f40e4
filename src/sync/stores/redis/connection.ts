import { existsSync } from 'node:fs'
import { createClient, ErrorReply, RESP_TYPES, type RedisClientOptions } from '@redis/client'
import { Fault } from '../../../faults.ts'
import { unlessAborted } from '../../../timing/pause.ts'
import type { StoreOptions } from '../../store.ts'
import { clientTls, passwordOf } from '../credentials.ts'
import type { Node } from './nodes.ts'
import { faultOf } from './troubles.ts'

const CONNECT_MS = 1_000

/** A command on the wire has no other limit than the silence of its connection. */
export interface Patience {
  readonly pingEveryMs: number
  readonly silenceMs: number
}

/** To the first node that connects, until it ends. It does not come back by itself. */
export interface RedisConnection {
  readonly node: Node
  /** Byte strings there, and back in whatever the answer is made of. What is sent together goes together. */
  send(...words: readonly string[]): Promise<Answer>
  subscribe(patterns: readonly string[], heard: (event: string) => void): Promise<void>
  /** Settled when the connection is lost. */
  readonly ended: Promise<Fault>
  readonly isOpen: boolean
  close(): void
}

export type Answer = string | number | null | readonly Answer[]

export async function connect(
  nodes: readonly Node[],
  options: StoreOptions,
  patience: Patience,
  signal: AbortSignal,
): Promise<RedisConnection> {
  let failure: Fault | undefined
  for (const node of nodes) {
    signal.throwIfAborted()
    try {
      return await connectTo(node, options, patience, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = faultOf(error, node.name)
    }
  }
  throw failure ?? new Fault('USAGE', 'there is no node')
}

async function connectTo(
  node: Node,
  options: StoreOptions,
  patience: Patience,
  signal: AbortSignal,
): Promise<RedisConnection> {
  const client = createClient({
    RESP: 2,
    socket: await socketOf(node, options, patience),
    database: node.database,
    pingInterval: patience.pingEveryMs,
    disableOfflineQueue: true,
    disableClientInfo: true, // a user may not be allowed to say it
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    ...(await userOf(node, options)),
  })
  const { promise: ended, resolve: end } = Promise.withResolvers<Fault>()
  client.on('error', (error) => {
    if (!(error instanceof ErrorReply)) end(faultOf(error, node.name)) // an answer to a ping is one, too
  })
  client.on('end', () => end(new Fault('STORE_UNREACHABLE', `redis at ${node.name}: the connection has ended`)))
  try {
    await unlessAborted(client.connect(), signal)
  } catch (error) {
    client.destroy()
    throw error
  }
  return {
    node,
    ended,
    get isOpen() {
      return client.isReady
    },
    async send(...words) {
      const [name = '', ...args] = words
      return answerOf(await client.sendCommand([name, ...args.map(bytesOf)]))
    },
    async subscribe(patterns, heard) {
      await client.pSubscribe(
        patterns.map((pattern) => bytesOf(pattern).toString()),
        heard,
      )
    },
    /** Of a lost one, too: the library keeps a list of its clients. */
    close: () => client.destroy(),
  }
}

async function socketOf(
  { at, secure }: Node,
  options: StoreOptions,
  patience: Patience,
): Promise<NonNullable<RedisClientOptions['socket']>> {
  const common = { connectTimeout: CONNECT_MS, socketTimeout: patience.silenceMs, reconnectStrategy: false as const }
  if ('path' in at) return { ...common, ...at, tls: false }
  if (!secure && !bringsTls(options)) return { ...common, ...at }
  return { ...common, ...at, tls: true, ...(await clientTls(withoutPassword(options))) }
}

function bringsTls({ clientCaKeys, clientCert, clientKey }: StoreOptions): boolean {
  return clientCaKeys !== '' || (clientCert !== '' && clientKey !== '' && existsSync(clientKey))
}

async function userOf(node: Node, options: StoreOptions): Promise<{ username?: string; password?: string }> {
  const password = node.password || (await passwordOf(options)) || keyAsPassword(options)
  const username = node.username || options.username
  return { ...(username && { username }), ...(password && { password }) }
}

/** confd sends the option that names a key file as password (SY-REDIS-2). */
export function keyAsPassword({ password, passwordFile, clientKey }: StoreOptions): string {
  return password === '' && passwordFile === '' && clientKey !== '' && !existsSync(clientKey) ? clientKey : ''
}

const withoutPassword = (options: StoreOptions): StoreOptions =>
  keyAsPassword(options) === '' ? options : { ...options, clientKey: '' }

const bytesOf = (text: string) => Buffer.from(text, 'latin1')

function answerOf(reply: unknown): Answer {
  if (Buffer.isBuffer(reply)) return reply.toString('latin1')
  if (Array.isArray(reply)) return reply.map(answerOf)
  if (typeof reply === 'string' || typeof reply === 'number' || reply === null) return reply
  throw new Fault('STORE_ANSWER', 'redis: its answer makes no sense')
}
