import { Server } from 'node:tls'
import { type FastifyError, type FastifyInstance, fastify } from 'fastify'
import { Fault } from '../faults.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Observer } from './observer.ts'
import { type ReviewDeps, reviewRoutes } from './review-routes.ts'
import { statusBody } from './status-body.ts'

/** What is served: the certificate with its chain, and its key, in PEM. */
export interface ServingPair {
  readonly cert: string
  readonly key: string
}

export const BODY_LIMIT = 8 * 1024 * 1024

/**
 * The API server never closes a pooled connection before 90 s of idleness and does not repeat a review that was cut
 * off (AP-2, AP-4), so it must be the first to close. HTTP/1.1 alone is offered (AP-1).
 */
const CONNECTIONS = { keepAliveTimeout: 120_000, requestTimeout: 15_000, return503OnClosing: false } as const
const TLS = {
  minVersion: 'TLSv1.2',
  ALPNProtocols: ['http/1.1'],
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000, // how punctual the two timeouts are; 30 s if not said
} as const

export interface ReviewServerDeps extends ReviewDeps {
  readonly pair: ServingPair
  readonly metrics: Metrics
}

export async function reviewServer(deps: ReviewServerDeps): Promise<FastifyInstance> {
  const { pair, metrics, observer } = deps
  const app = fastify({ ...CONNECTIONS, https: { ...TLS, ...pair }, bodyLimit: BODY_LIMIT, exposeHeadRoutes: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.server.on('tlsClientError', () => metrics.tlsErrors.inc())
  sayErrors(app, observer)
  await app.register(reviewRoutes(deps))
  return app
}

/** New connections get the new pair, those that stand are not touched. */
export function takeUp(app: FastifyInstance, pair: ServingPair): void {
  if (app.server instanceof Server) app.server.setSecureContext({ ...TLS, ...pair })
}

function sayErrors(app: FastifyInstance, observer: Observer): void {
  app.setErrorHandler<FastifyError>((error, { url }, reply) => {
    const fault = faultOf(error)
    observer.unreadable(fault.code, pathOf(url))
    const { status: code, message } = fault
    return reply
      .code(code)
      .type('application/json')
      .send(statusBody({ code, reason: reasonOf(code), message }))
  })
  app.setNotFoundHandler(({ method, url }, reply) => {
    const code = 404
    const message = `nothing is served at ${method} ${pathOf(url)}; reviews are taken at POST /mutating and /validating`
    observer.unreadable('PATH_UNKNOWN', '')
    return reply
      .code(code)
      .type('application/json')
      .send(statusBody({ code, reason: 'NotFound', message }))
  })
}

/** Fastify's own errors in our words. Anything else is a fault of ours, and its message stays inside. */
function faultOf(error: FastifyError | Fault): Fault {
  if (error instanceof Fault) return error
  if (error.statusCode === 413) return new Fault('BODY_TOO_LARGE', `the body is larger than ${BODY_LIMIT} bytes`)
  if (error.statusCode === 415) return new Fault('MEDIA_TYPE', 'only content type application/json is taken')
  if (error.statusCode === 400)
    return new Fault('REQUEST_CUT', 'the body ended before its Content-Length', { cause: error })
  return new Fault('HANDLER_FAILED', 'tars-admission failed on this request; its log says why', { cause: error })
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
}
function reasonOf(code: number): string {
  return REASONS[code] ?? 'InternalError'
}
const pathOf = (url: string) => url.split('?', 1)[0] ?? ''
