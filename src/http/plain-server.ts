import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'

export interface PlainLimits {
  /** The most open connections. */
  readonly connections: number
  /** A request must arrive whole within so many milliseconds, and how often that is checked. */
  readonly requestMs: number
  readonly checkEveryMs: number
}

const LIMITS: PlainLimits = { connections: 64, requestMs: 5_000, checkEveryMs: 500 }
const LONGEST_HEAD = 4_096

/**
 * Plain HTTP on a port of its own, since the TLS port serves reviews alone (SV-11). Every pod of the cluster may reach
 * it, so a connection carries one request, which must arrive in time, and the number of connections is limited (SV-16).
 */
export function plainServer(limits: Partial<PlainLimits> = {}): FastifyInstance {
  const { connections, requestMs, checkEveryMs } = { ...LIMITS, ...limits }
  const http = { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: checkEveryMs }
  const app = fastify({
    serverFactory: (handle) => createServer({ ...http, maxHeaderSize: LONGEST_HEAD }, firstOnly(handle)),
    forceCloseConnections: true,
  })
  app.removeAllContentTypeParsers() // no body is read
  app.server.maxRequestsPerSocket = 1 // also where Node itself answers, such as to an unknown Expect
  app.server.on('dropRequest', (_request, socket) => socket.destroy()) // otherwise Node keeps all pipelined requests
  bound(app.server, connections)
  return app
}

/** Node counts requests of HTTP 1.1 alone, and may keep a connection of HTTP 1.0 alive too. */
function firstOnly(handle: RequestListener): RequestListener {
  const served = new WeakSet<Socket>()
  return (request, response) => {
    if (served.has(request.socket)) return void request.socket.destroy()
    served.add(request.socket)
    response.setHeader('connection', 'close')
    handle(request, response)
  }
}

/** Makes room by closing the oldest connection without a whole request, never the new one, which may be a probe. */
function bound(server: Server, most: number): void {
  const standing = new Map<Socket, IncomingMessage | undefined>() // oldest first
  server.on('connection', (socket: Socket) => {
    if (standing.size >= most) close(oldestOf(standing))
    standing.set(socket, undefined)
    socket.once('close', () => standing.delete(socket))
  })
  server.on('request', (request) => standing.set(request.socket, request))
  function close(socket: Socket | undefined): void {
    if (socket === undefined) return
    standing.delete(socket) // 'close' is emitted only later
    socket.destroy()
  }
}

function oldestOf(standing: ReadonlyMap<Socket, IncomingMessage | undefined>): Socket | undefined {
  const [oldest] = standing.keys()
  for (const [socket, request] of standing) if (request?.complete !== true) return socket
  return oldest
}
