import { Server } from 'node:tls'
import { type FastifyInstance, fastify } from 'fastify'
import { type Callers, callerCheck } from './callers.ts'
import type { Drain } from './drain.ts'
import { answerErrors, answerNowhere, endConnections } from './errors.ts'
import { ROOM } from './intake/body.ts'
import { Gate, type GateLimits } from './intake/gate.ts'
import { Room } from './intake/room.ts'
import type { IntakeMetrics } from './metrics.ts'
import { type ReviewDeps, reviewRoutes } from './review-routes.ts'

/** The served certificate with its chain, and its key, in PEM. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** In milliseconds. */
export interface Timeouts {
  readonly keepAlive: number
  /** Limits the handshake as well. */
  readonly headers: number
  readonly request: number
  /** How often the latter two are checked; 30 s when absent. */
  readonly checkEvery: number
}

/**
 * The API server keeps a pooled connection for 90 s of idleness and does not retry a review that was cut off (AP-2,
 * AP-4), so the API server must be the one that closes.
 */
const TIMEOUTS: Timeouts = { keepAlive: 120_000, headers: 10_000, request: 15_000, checkEvery: 1_000 }

/**
 * Enough for three API servers with all their 600 calls in flight. Each connection takes 65 KB even when idle, so 3,000
 * would kill a pod of 256 MiB.
 */
const MOST_CONNECTIONS = 2_000

/** Offers HTTP/1.1 alone (AP-1). */
const TLS = { minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] } as const

function tlsOf(pair: TlsPair, callers: Callers | undefined) {
  return callers === undefined ? { ...TLS, ...pair } : { ...TLS, ...pair, ca: callers.ca, requestCert: true }
}

export interface ReviewServerDeps extends ReviewDeps {
  readonly pair: TlsPair
  readonly metrics: Pick<IntakeMetrics, 'queueDepth' | 'tlsErrors'>
  /** Absent: any caller that reaches the port may send reviews. */
  readonly callers?: Callers | undefined
  /** A secret path segment before all paths, known to the callers alone. */
  readonly base?: string
  readonly drain: Drain
  readonly timeouts?: Partial<Timeouts>
  readonly limits?: Partial<GateLimits>
  /** The bytes that all bodies together may take. */
  readonly room?: number
  /** The most open connections; further ones are closed and counted. */
  readonly connections?: number
}

export async function reviewServer(deps: ReviewServerDeps): Promise<FastifyInstance> {
  const { pair, callers, base = '', metrics, observer, clock, limits = {}, room = ROOM } = deps
  const { keepAlive, headers, request, checkEvery } = { ...TIMEOUTS, ...deps.timeouts }
  const punctual = { headersTimeout: headers, handshakeTimeout: headers, connectionsCheckingInterval: checkEvery }
  const app = fastify({
    https: { ...tlsOf(pair, callers), ...punctual, requireHostHeader: false }, // otherwise Node refuses with an empty answer
    keepAliveTimeout: keepAlive,
    requestTimeout: request,
    return503OnClosing: false, // during a drain reviews are still answered (SV-10)
    exposeHeadRoutes: false,
    clientErrorHandler: endConnections(observer, keepAlive),
    frameworkErrors: (_error, _request, reply) => void answerNowhere(observer, reply), // for a path that cannot be decoded
  })
  app.removeAllContentTypeParsers() // the body of a request without a route is not read
  app.server.on('tlsClientError', () => metrics.tlsErrors.inc())
  app.server.maxConnections = deps.connections ?? MOST_CONNECTIONS
  app.server.on('drop', () => observer.cutOff('CONNECTION_TOO_MANY'))
  deps.drain.tellCallersOf(app)
  answerErrors(app, observer, base)
  const depthChanged = (depth: number) => metrics.queueDepth.set(depth)
  const gate = new Gate({ clock, limits, atTurnEnd: setImmediate, depthChanged })
  const rejectCaller = callers === undefined ? () => undefined : callerCheck(callers)
  await app.register(reviewRoutes(deps, { rejectCaller, gate, room: new Room(room, clock.tick) }), { prefix: base })
  return app
}

/** New connections get the new pair; open ones keep theirs. */
export function reload(app: FastifyInstance, pair: TlsPair, callers?: Callers): void {
  if (app.server instanceof Server) app.server.setSecureContext(tlsOf(pair, callers))
}
