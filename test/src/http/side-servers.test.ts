import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Check, healthServer, metricsServer } from '../../../src/http/side-servers.ts'
import { metricsOf } from '../../../src/telemetry/metrics.ts'

let app: FastifyInstance
let origin: string

async function listen(server: FastifyInstance): Promise<void> {
  app = server
  origin = await server.listen({ host: '127.0.0.1', port: 0 })
}
afterEach(() => app.close())

async function get(path: string) {
  const response = await fetch(origin + path)
  return { code: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

describe('/livez and /readyz (SV-11)', () => {
  let missing: Record<string, string | undefined>
  const named = (name: string): Check => ({ name, missing: () => missing[name] })

  beforeEach(async () => {
    missing = {}
    await listen(healthServer([named('certificate'), named('caches')]))
  })

  it('/livez says no more than that the event loop comes round, ready or not', async () => {
    missing = { caches: 'not listed yet' }
    expect(await get('/livez')).toMatchObject({ code: 200, text: 'ok' })
  })

  it.each([
    { name: 'all is there', missing: {}, path: '/readyz', code: 200, text: 'ok\n' },
    {
      name: 'all is there',
      missing: {},
      path: '/readyz?verbose',
      code: 200,
      text: '[+]certificate ok\n[+]caches ok\n',
    },
    {
      name: 'something is missing',
      missing: { caches: 'not listed yet' },
      path: '/readyz',
      code: 503,
      text: '[+]certificate ok\n[-]caches: not listed yet\n',
    },
    {
      name: 'something is missing',
      missing: { certificate: 'has expired' },
      path: '/readyz?verbose',
      code: 503,
      text: '[-]certificate: has expired\n[+]caches ok\n',
    },
  ])('when $name $path answers $code', async ({ path, code, text, ...row }) => {
    missing = row.missing
    expect(await get(path)).toEqual({ code, text, type: 'text/plain; charset=utf-8' })
  })

  it('asks anew each time', async () => {
    missing = { caches: 'not listed yet' }
    expect(await get('/readyz')).toMatchObject({ code: 503 })
    missing = {}
    expect(await get('/readyz')).toMatchObject({ code: 200 })
  })

  it('serves nothing else', async () => expect(await get('/metrics')).toMatchObject({ code: 404 }))
})

describe('/metrics', () => {
  it('is the registry, in the form of Prometheus', async () => {
    const metrics = metricsOf()
    metrics.denied.inc({ rule: 'XX-V1' })
    await listen(metricsServer(metrics))
    const { code, text, type } = await get('/metrics')
    expect({ code, type }).toEqual({ code: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
    expect(text).toContain('tars_admission_denied_total{rule="XX-V1"} 1\n')
    expect(await get('/livez')).toMatchObject({ code: 404 })
  })
})
