import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'

export interface Asked {
  /** Of HTTP; 0 when the connection ended instead. */
  readonly code: number
  readonly ms: number
}

/** One HTTP/1.1 connection over TLS, by hand: a usual client costs more than the server that is tested. */
export interface Connection {
  readonly socket: TLSSocket
  readonly isOpen: boolean
  /** One at a time. What is not answered in time is given up, and the connection with it. */
  ask(request: Buffer): Promise<Asked>
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
  let code = 0
  let began = 0
  let answered: ((asked: Asked) => void) | undefined
  let late: NodeJS.Timeout | undefined
  const tell = (said: number) => {
    clearTimeout(late)
    const done = answered
    answered = undefined
    done?.({ code: said, ms: performance.now() - began })
  }
  socket.on('data', (chunk: Buffer) => {
    if (missing === 0) ({ code, missing } = headOf(chunk))
    missing -= chunk.length
    if (missing <= 0) tell(code)
  })
  socket.on('error', () => undefined) // told by its close
  socket.once('close', () => {
    isOpen = false
    tell(0)
  })
  return {
    socket,
    get isOpen() {
      return isOpen
    },
    ask(request) {
      const { promise, resolve } = Promise.withResolvers<Asked>()
      began = performance.now()
      answered = resolve
      late = setTimeout(() => socket.destroy(), patienceMs)
      if (isOpen) socket.write(request)
      else tell(0)
      return promise
    },
    close: () => void socket.destroy(),
  }
}

/** The whole head comes with the first bytes: an answer is small. */
function headOf(chunk: Buffer): { readonly code: number; readonly missing: number } {
  const end = chunk.indexOf('\r\n\r\n')
  const head = chunk.toString('latin1', 0, end)
  return { code: Number(head.slice(9, 12)), missing: end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) }
}
