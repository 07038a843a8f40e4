import type { FastifyInstance } from 'fastify'
import type { Meter } from '../telemetry/metrics.ts'
import type { Clock } from '../timing/clock.ts'
import { type PlainLimits, plainServer } from './plain-server.ts'

/** A named condition of readiness; `missing` answers what it still waits for, if anything. */
export interface Check {
  readonly name: string
  readonly missing: () => string | undefined
}

export function healthServer(checks: readonly Check[], limits?: Partial<PlainLimits>): FastifyInstance {
  const app = plainServer(limits)
  app.get('/livez', () => 'ok') // the check is that the event loop answers at all
  app.get<{ Querystring: { verbose?: string } }>('/readyz', ({ query }, reply) => {
    const found = checks.map(({ name, missing }) => ({ name, missing: missing() }))
    const ready = found.every(({ missing }) => missing === undefined)
    const lines = found.map(({ name, missing }) => (missing === undefined ? `[+]${name} ok` : `[-]${name}: ${missing}`))
    const shown = query.verbose === undefined && ready ? ['ok'] : lines
    return reply.code(ready ? 200 : 503).send(`${shown.join('\n')}\n`)
  })
  return app
}

const KEPT_MS = 1_000

export function metricsServer(
  { registry }: Pick<Meter, 'registry'>,
  clock: Pick<Clock, 'tick'>,
  limits?: Partial<PlainLimits>,
): FastifyInstance {
  const app = plainServer(limits)
  serveMetrics(app, registry, clock)
  return app
}

function serveMetrics(app: FastifyInstance, registry: Meter['registry'], clock: Pick<Clock, 'tick'>): void {
  const rendered = shared(() => registry.metrics(), clock)
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await rendered()))
}

export interface ReadinessDetail {
  readonly ready: boolean
}

/** All three on one address, the detail of readiness as JSON. */
export function syncServer(
  readiness: () => ReadinessDetail,
  { registry }: Pick<Meter, 'registry'>,
  clock: Pick<Clock, 'tick'>,
): FastifyInstance {
  const app = plainServer()
  app.get('/livez', () => 'ok')
  app.get('/readyz', (_request, reply) => {
    const detail = readiness()
    return reply.code(detail.ready ? 200 : 503).send(detail)
  })
  serveMetrics(app, registry, clock)
  return app
}

/** Renders once for all scrapes that arrive meanwhile and within a second after. */
function shared(render: () => Promise<string>, { tick }: Pick<Clock, 'tick'>): () => Promise<string> {
  let last: Promise<string> | undefined
  let until = 0
  async function renewed(): Promise<string> {
    until = Number.POSITIVE_INFINITY
    try {
      return await render()
    } finally {
      until = tick() + KEPT_MS
    }
  }
  return () => {
    if (last === undefined || tick() >= until) last = renewed()
    return last
  }
}
