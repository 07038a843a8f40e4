import { connect } from 'node:tls'

/** One connection, on which one request is under way at a time. */
export interface Line {
  /** Resolves with the last byte of the answer. */
  ask(request: Buffer): Promise<void>
  hangUp(): void
}

/**
 * HTTP/1.1 over TLS by hand: a client of the usual kind costs more than the server that it is to measure, and there
 * are only two cores.
 */
export async function dial(port: number, ca: string): Promise<Line> {
  const connected = Promise.withResolvers<void>()
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] }, connected.resolve)
  socket.setNoDelay(true).once('error', connected.reject)
  await connected.promise
  let missing = 0 // bytes of the answer that have not come yet
  let answered = Promise.withResolvers<void>()
  socket.on('data', (chunk: Buffer) => {
    if (missing === 0) missing = lengthOf(chunk)
    missing -= chunk.length
    if (missing === 0) answered.resolve()
  })
  socket.once('close', () => answered.reject(new Error('the server closed the connection')))
  return {
    ask(request) {
      answered = Promise.withResolvers()
      socket.write(request)
      return answered.promise
    },
    hangUp() {
      answered.resolve()
      socket.destroy()
    },
  }
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
