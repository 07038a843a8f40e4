import { connect, type TLSSocket } from 'node:tls'

/** What one connection does again and again: the requests in turn, each after the answer to the one before. */
export interface Load {
  readonly port: number
  readonly ca: string
  readonly requests: readonly Buffer[]
  readonly connections: number
  readonly seconds: number
}
export interface Rate {
  readonly requests: number
  readonly perSecond: number
}

/**
 * HTTP/1.1 over TLS by hand: a client of the usual kind costs more than the server that it is to measure, and there
 * are only two cores.
 */
export async function drive({ port, ca, requests, connections, seconds }: Load): Promise<Rate> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => dial(port, ca)))
  const started = performance.now()
  const counts = await Promise.all(sockets.map((socket) => work(socket, requests, started + seconds * 1_000)))
  const elapsed = (performance.now() - started) / 1_000
  for (const socket of sockets) socket.destroy()
  const total = counts.reduce((sum, count) => sum + count, 0)
  return { requests: total, perSecond: total / elapsed }
}

function dial(port: number, ca: string): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] }, () => resolve(socket))
  socket.setNoDelay(true).once('error', reject)
  return promise
}

function work(socket: TLSSocket, requests: readonly Buffer[], end: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let count = 0
  let missing = 0 // bytes of the answer that have not come yet
  const send = () => socket.write(requests[count % requests.length] ?? '')
  socket.on('data', (chunk: Buffer) => {
    if (missing === 0) missing = lengthOf(chunk)
    missing -= chunk.length
    if (missing > 0) return
    count += 1
    if (performance.now() < end) send()
    else resolve(count)
  })
  socket.once('close', () => reject(new Error('the server closed the connection')))
  send()
  return promise
}

/** Of head and body together; an answer that is no 200 would measure the wrong thing. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n')
  const text = chunk.toString('latin1', 0, head)
  if (head < 0 || !text.startsWith('HTTP/1.1 200'))
    throw new Error(`unexpected answer: ${chunk.toString('latin1', 0, 200)}`)
  return head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1])
}

export function post(path: string, body: object): Buffer {
  const text = Buffer.from(JSON.stringify(body))
  const head = [
    `POST ${path}?timeout=10s HTTP/1.1`,
    'Host: tars-webhook-service.tars-system.svc:443',
    'User-Agent: kube-apiserver-admission',
    `Content-Length: ${text.length}`,
    'Accept: application/json, */*',
    'Content-Type: application/json',
    'Accept-Encoding: gzip',
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), text])
}
