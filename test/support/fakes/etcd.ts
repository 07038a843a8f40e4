import { type Metadata, Server, ServerCredentials, type ServerDuplexStream, type status } from '@grpc/grpc-js'
import { onTestFinished } from 'vitest'
import { bytesField, Message, message, numberField } from '../../../src/sync/stores/etcd/wire.ts'

/** A server that speaks etcd's protocol by a script, for what a real one does not do when it is told to. */
export interface ScriptedEtcd {
  readonly endpoint: string
  readonly opened: readonly Opened[]
  stop(): Promise<void>
}

/** A stream of watches: what was asked for on it, and a way to answer. */
export interface Opened {
  readonly metadata: Metadata
  readonly asked: readonly Asked[]
  answer(...fields: readonly Buffer[]): void
  end(): void
}

export interface Asked {
  readonly from: string
  readonly start: bigint
}

type Txn = (request: Message) => Buffer | Refused
interface Refused {
  readonly code: status
  readonly details: string
}

interface Script {
  readonly txn?: Txn
  /** Called for each watch that is asked for. */
  readonly watch?: (opened: Opened, asked: Asked) => void
}

const same = (bytes: Buffer) => bytes
const methodOf = (path: string, streams: boolean) => ({
  path,
  requestStream: streams,
  responseStream: streams,
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
})

export async function scriptedEtcd({ txn = () => Buffer.alloc(0), watch = () => {} }: Script): Promise<ScriptedEtcd> {
  const server = new Server()
  const opened: Opened[] = []
  server.addService(
    { txn: methodOf('/etcdserverpb.KV/Txn', false), watch: methodOf('/etcdserverpb.Watch/Watch', true) },
    {
      txn: ({ request }: { request: Buffer }, callback: (error: Refused | null, answer?: Buffer) => void) => {
        const answer = txn(new Message(request))
        if (Buffer.isBuffer(answer)) callback(null, answer)
        else callback(answer)
      },
      watch: (stream: ServerDuplexStream<Buffer, Buffer>) => opened.push(takeIn(stream, watch)),
    },
  )
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  const stop = async () => server.forceShutdown()
  onTestFinished(stop)
  return { endpoint: `127.0.0.1:${port}`, opened, stop }
}

function takeIn(stream: ServerDuplexStream<Buffer, Buffer>, watch: NonNullable<Script['watch']>): Opened {
  const asked: Asked[] = []
  const opened: Opened = {
    metadata: stream.metadata,
    asked,
    answer: (...fields) => void stream.write(message(...fields)),
    end: () => stream.end(),
  }
  stream.on('error', () => {})
  stream.on('data', (bytes: Buffer) => {
    const create = new Message(new Message(bytes).bytes(1))
    const one = { from: create.bytes(1).toString(), start: create.number(3) }
    asked.push(one)
    watch(opened, one)
  })
  return opened
}

/** The parts of its answers. */
export const header = (revision: bigint, cluster = 7n) =>
  bytesField(1, message(numberField(1, cluster), numberField(3, revision)))
export const watchId = (id: bigint) => numberField(2, id)
export const created = numberField(3, true)
export const canceled = numberField(4, true)
export const compactedAt = (revision: bigint) => numberField(5, revision)
export const because = (reason: string) => bytesField(6, Buffer.from(reason))
export function event(key: string, modRevision: bigint): Buffer {
  return bytesField(11, bytesField(2, message(bytesField(1, Buffer.from(key)), numberField(3, modRevision))))
}

/** The answer to a transaction of reads: the values of each range. */
export function foundAt(revision: bigint, ...ranges: readonly Readonly<Record<string, string>>[]): Buffer {
  const responses = ranges.map((values) => {
    const pairs = Object.entries(values).map(([key, value]) =>
      bytesField(2, message(bytesField(1, Buffer.from(key)), bytesField(5, Buffer.from(value)))),
    )
    return bytesField(3, bytesField(1, message(...pairs)))
  })
  return message(header(revision), ...responses)
}

/** How many ranges a transaction reads, and at which revision. */
export function asksFor(request: Message): { readonly ranges: number; readonly revision: bigint } {
  const reads = request.all(2).map((operation) => new Message(new Message(operation).bytes(1)))
  return { ranges: reads.length, revision: reads[0]?.number(4) ?? -1n }
}
