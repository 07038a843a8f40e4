import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { issueAuthority, issueLeaf } from '../../../certs/authority.ts'
import type { Tree } from '../../../src/schema.ts'

type Headers = Readonly<Record<string, string>>

/** A request that waits until the test answers it. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Resolves when the caller is gone, or all was said. */
  readonly closed: Promise<unknown>
  json(status: number, body: unknown, headers?: Headers): void
  /** A metav1.Status. */
  status(code: number, reason: string, more?: Tree, headers?: Headers): void
  text(status: number, body: string): void
  /** The head of a watch. What follows is the test's to say. */
  stream(): Stream
  /** The connection breaks, without an end. */
  reset(): void
}

export interface Stream {
  event(type: string, object: unknown): void
  /** As one chunk, wherever it was cut. */
  raw(chunk: Uint8Array | string): void
  end(): void
}

export interface ApiServer {
  readonly url: string
  /** A file for the given user and cluster; one with a token, unless the case says otherwise. */
  kubeconfig(user?: Tree, cluster?: Tree): string
  /** A file in the same folder. */
  file(name: string, content: string): string
  /** The oldest call that nobody has taken yet, of those wanted. */
  next(isWanted?: (call: Call) => boolean): Promise<Call>
  /** From now on every call is answered so. */
  always(answer: (call: Call) => void): void
  /** How many TCP connections there have been. */
  readonly connections: number
  /** Every connection there is breaks, without an end. */
  breakAll(): void
  /** When the next of them is closed. */
  nextClosing(): Promise<void>
  /** A certificate for whoever calls, as credential plugins word it. */
  readonly clientPair: Tree
  stop(): Promise<void>
}

const isAny = () => true
export const isWatch = ({ query }: Call): boolean => query.watch === '1'
export const isNoWatch = (call: Call): boolean => !isWatch(call)

/** A real TLS server that answers nothing by itself: what an API server would say is the script of the test. */
export async function scriptedApiServer(): Promise<ApiServer> {
  const authority = await issueAuthority(new Date())
  const { cert, key } = await issueLeaf(authority, ['127.0.0.1'], new Date())
  const folder = mkdtempSync(join(tmpdir(), 'tars-admission-api-server-'))
  const sockets = new Set<Socket>()
  const calls = waitingCalls()
  let connections = 0

  const server = createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, async (request, response) => {
    const raw = [...sockets].find(({ remotePort }) => remotePort === request.socket.remotePort)
    calls.arrive(callOf(request, response, await text(request), raw))
  })
  server.keepAliveTimeout = 0 // the API server waits longer than any test takes
  server.on('connection', (socket) => {
    if (!(socket instanceof Socket)) return
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

  function file(name: string, content: string): string {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  return {
    url,
    file,
    get connections() {
      return connections
    },
    breakAll() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    nextClosing() {
      const { promise, resolve } = Promise.withResolvers<void>()
      for (const socket of sockets) socket.once('close', () => resolve())
      return promise
    },
    clientPair: { clientCertificateData: cert, clientKeyData: key },
    kubeconfig(user = { token: 'a-token' }, more = {}) {
      return file('kubeconfig', JSON.stringify(kubeconfigOf(user, { ...placeOf(url, authority.cert), ...more })))
    },
    next: calls.next,
    always: calls.always,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
      rmSync(folder, { recursive: true })
    },
  }
}

/** The calls that no test has taken yet. */
function waitingCalls(): Pick<ApiServer, 'next' | 'always'> & { readonly arrive: (call: Call) => void } {
  const calls: Call[] = []
  const takers = new Set<() => void>()
  let arrived = (call: Call) => {
    calls.push(call)
    for (const look of takers) look()
  }
  return {
    arrive: (call) => arrived(call),
    async next(isWanted = isAny) {
      const { promise, resolve } = Promise.withResolvers<Call>()
      const look = () => {
        const at = calls.findIndex(isWanted)
        for (const call of at < 0 ? [] : calls.splice(at, 1)) {
          takers.delete(look)
          resolve(call)
        }
      }
      takers.add(look)
      look()
      return promise
    },
    always(answer) {
      arrived = answer
      for (const call of calls.splice(0)) answer(call)
    },
  }
}

function placeOf(url: string, ca: string): Tree {
  return { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') }
}

function kubeconfigOf(user: Tree, cluster: Tree): Tree {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  }
}

function callOf(request: IncomingMessage, response: ServerResponse, body: string, socket: Socket | undefined): Call {
  const { method = '', url = '', headers } = request
  const { pathname, searchParams } = new URL(url, 'https://api-server')
  const answer = (status: number, type: string, shown: string, more: Headers = {}) =>
    void response.writeHead(status, { 'content-type': type, ...more }).end(shown)
  const json: Call['json'] = (status, object, more) => answer(status, 'application/json', JSON.stringify(object), more)
  return {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers,
    body,
    closed: once(response, 'close'),
    json,
    status: (code, reason, more, headers) => json(code, statusOf(code, reason, more), headers),
    text: (status, shown) => answer(status, 'text/plain; charset=utf-8', shown),
    stream: () => streamOf(response),
    reset: () => void socket?.resetAndDestroy(),
  }
}

export function statusOf(code: number, reason: string, more: Tree = {}): Tree {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason, ...more }
}

function streamOf(response: ServerResponse): Stream {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  return {
    event: (type, object) => void response.write(`${JSON.stringify({ type, object })}\n`),
    raw: (chunk) => void response.write(chunk),
    end: () => void response.end(),
  }
}
