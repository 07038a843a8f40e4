import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'

export interface PlainLimits {
  /** How many may stand at once. */
  readonly connections: number
  /** In so many milliseconds a request has to arrive as a whole, and so often that is looked at. */
  readonly requestMs: number
  readonly checkEveryMs: number
}

const LIMITS: PlainLimits = { connections: 64, requestMs: 5_000, checkEveryMs: 500 }
const LONGEST_HEAD = 4_096

/**
 * Plain HTTP on a port of its own: the TLS port serves reviews alone (SV-11). Every pod of the cluster may reach it, so a
 * connection carries one request, sent in time, and few connections stand (SV-16).
 */
export function plainServer(limits: Partial<PlainLimits> = {}): FastifyInstance {
  const { connections, requestMs, checkEveryMs } = { ...LIMITS, ...limits }
  const http = { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: checkEveryMs }
  const app = fastify({
    serverFactory: (handle) => createServer({ ...http, maxHeaderSize: LONGEST_HEAD }, firstOnly(handle)),
    forceCloseConnections: true,
  })
  app.removeAllContentTypeParsers() // no body is read
  app.server.maxRequestsPerSocket = 1 // also where Node itself answers, as to an unknown Expect
  app.server.on('dropRequest', (_request, socket) => socket.destroy()) // or all that is pipelined is kept until it is read
  bound(app.server, connections)
  return app
}

/** Node counts the requests of HTTP 1.1 alone, and to a caller of 1.0 it may keep a connection alive as well. */
function firstOnly(handle: RequestListener): RequestListener {
  const asked = new WeakSet<Socket>()
  return (request, response) => {
    if (asked.has(request.socket)) return void request.socket.destroy()
    asked.add(request.socket)
    response.setHeader('connection', 'close')
    handle(request, response)
  }
}

/** The connection that makes room is never the new one, which may be a probe: it is the oldest without a whole request. */
function bound(server: Server, most: number): void {
  const standing = new Map<Socket, IncomingMessage | undefined>() // in the order in which they came
  server.on('connection', (socket: Socket) => {
    if (standing.size >= most) close(oldestOf(standing))
    standing.set(socket, undefined)
    socket.once('close', () => standing.delete(socket))
  })
  server.on('request', (request) => standing.set(request.socket, request))
  function close(socket: Socket | undefined): void {
    if (socket === undefined) return
    standing.delete(socket) // its end is told only later
    socket.destroy()
  }
}

function oldestOf(standing: ReadonlyMap<Socket, IncomingMessage | undefined>): Socket | undefined {
  const [oldest] = standing.keys()
  for (const [socket, request] of standing) if (request?.complete !== true) return socket
  return oldest
}
