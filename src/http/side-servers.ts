import { type FastifyInstance, fastify } from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'

/** A named condition of readiness: nothing, or what is still missing. */
export interface Check {
  readonly name: string
  readonly missing: () => string | undefined
}

/** Plain HTTP on ports of their own: the TLS port serves reviews alone (SV-11). */
export function healthServer(checks: readonly Check[]): FastifyInstance {
  const app = fastify({ forceCloseConnections: true })
  app.get('/livez', () => 'ok') // that the event loop comes round to answer is the whole check
  app.get<{ Querystring: { verbose?: string } }>('/readyz', ({ query }, reply) => {
    const found = checks.map(({ name, missing }) => ({ name, missing: missing() }))
    const ready = found.every(({ missing }) => missing === undefined)
    const lines = found.map(({ name, missing }) => (missing === undefined ? `[+]${name} ok` : `[-]${name}: ${missing}`))
    const said = query.verbose === undefined && ready ? ['ok'] : lines
    return reply.code(ready ? 200 : 503).send(`${said.join('\n')}\n`)
  })
  return app
}

export function metricsServer({ registry }: Metrics): FastifyInstance {
  const app = fastify({ forceCloseConnections: true })
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  return app
}
