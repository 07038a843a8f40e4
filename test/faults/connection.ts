import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { isTree, type Tree } from '../../src/schema.ts'

export interface Exchange {
  /** Of HTTP; 0 when the connection ended instead. */
  readonly code: number
  /** Of the answered review: 200 when it allows; 0 when there is none. */
  readonly status: number
  readonly ms: number
}

/** A refusal is a decision as well. Put off: a handler that failed and a look-up in vain are answered under HTTP 200, too. */
export type Outcome = 'decided' | 'put off' | 'sent away' | 'failed'

export function outcomeOf({ code, status }: Pick<Exchange, 'code' | 'status'>): Outcome {
  if (code === 429) return 'sent away'
  if (code !== 200 || status === 0) return 'failed'
  return status >= 500 ? 'put off' : 'decided'
}

/** One HTTP/1.1 connection over TLS, by hand: a usual client costs more than the server that is tested. */
export interface Connection {
  readonly socket: TLSSocket
  readonly isOpen: boolean
  /** One at a time. What is not answered in time is given up, and the connection with it. */
  ask(request: Buffer): Promise<Exchange>
  close(): void
}

/** Longer than any API server waits. */
const PATIENCE_MS = 15_000

export async function dial(
  { port, ca }: { readonly port: number; readonly ca: string },
  patienceMs = PATIENCE_MS,
): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] })
  socket.setNoDelay(true)
  await once(socket, 'secureConnect')
  let isOpen = true
  let missing = 0 // bytes of the answer that have not come yet
  let come: Buffer[] = []
  let began = 0
  let answered: ((requested: Exchange) => void) | undefined
  let late: NodeJS.Timeout | undefined
  const tell = (answer: Answer) => {
    clearTimeout(late)
    const done = answered
    answered = undefined
    done?.({ ...answer, ms: performance.now() - began })
  }
  socket.on('data', (chunk: Buffer) => {
    if (missing === 0) {
      come = []
      missing = lengthOf(chunk)
    }
    come.push(chunk)
    missing -= chunk.length
    if (missing <= 0) tell(answerIn(Buffer.concat(come)))
  })
  socket.on('error', () => undefined) // told by its close
  socket.once('close', () => {
    isOpen = false
    tell(NONE)
  })
  return {
    socket,
    get isOpen() {
      return isOpen
    },
    ask(request) {
      const { promise, resolve } = Promise.withResolvers<Exchange>()
      began = performance.now()
      answered = resolve
      late = setTimeout(() => socket.destroy(), patienceMs)
      if (isOpen) socket.write(request)
      else tell(NONE)
      return promise
    },
    close: () => void socket.destroy(),
  }
}

type Answer = Omit<Exchange, 'ms'>
const NONE: Answer = { code: 0, status: 0 }
const END_OF_HEAD = '\r\n\r\n'

/** Of head and body together. The whole head comes with the first bytes: an answer is small. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf(END_OF_HEAD)
  const head = chunk.toString('latin1', 0, end)
  return end + END_OF_HEAD.length + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

function answerIn(bytes: Buffer): Answer {
  const code = Number(bytes.toString('latin1', 9, 12))
  const body = bytes.toString('utf8', bytes.indexOf(END_OF_HEAD) + END_OF_HEAD.length)
  return { code, status: code === 200 ? statusIn(body) : 0 }
}

function statusIn(body: string): number {
  const { response } = treeIn(body)
  if (!isTree(response) || typeof response.allowed !== 'boolean') return 0
  if (response.allowed) return 200
  const { code } = isTree(response.status) ? response.status : {}
  return typeof code === 'number' ? code : 400 // as an API server reads it (AP-8)
}

function treeIn(body: string): Tree {
  try {
    const shown: unknown = JSON.parse(body)
    return isTree(shown) ? shown : {}
  } catch {
    return {}
  }
}
