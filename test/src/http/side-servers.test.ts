import { once } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Check, healthServer, metricsServer } from '../../../src/http/side-servers.ts'
import { metricsOf } from '../../../src/process/metrics.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { app, connections, get, heldMetrics, listen } from './side-server.ts'

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
    await listen(metricsServer(metrics, new ManualClock()))
    const { code, text, type } = await get('/metrics')
    expect({ code, type }).toEqual({ code: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
    expect(text).toContain('tars_admission_denied_total{rule="XX-V1"} 1\n')
    expect(await get('/livez')).toMatchObject({ code: 404 })
  })

  describe('is rendered once (SV-16)', () => {
    let clock: ManualClock
    let renderings: readonly PromiseWithResolvers<string>[]
    beforeEach(async () => {
      clock = new ManualClock()
      const held = heldMetrics()
      renderings = held.renderings
      await listen(metricsServer(held.metrics, clock))
    })
    const rendered = (many: number) => expect.poll(() => renderings.length).toBe(many)

    it('for all who ask while it is under way', async () => {
      const [first, second] = [get('/metrics'), get('/metrics')]
      await expect.poll(() => connections()).toBe(2)
      await rendered(1)
      clock.advance(60_000)
      const arrived = once(app.server, 'request')
      const third = get('/metrics')
      await arrived
      renderings[0]?.resolve('a 1\n')
      for (const requested of [first, second, third])
        expect(await requested).toMatchObject({ code: 200, text: 'a 1\n' })
      expect(renderings).toHaveLength(1)
    })

    it('for all who ask within a second after it', async () => {
      const first = get('/metrics')
      await rendered(1)
      renderings[0]?.resolve('a 1\n')
      await first
      clock.advance(999)
      expect(await get('/metrics')).toMatchObject({ text: 'a 1\n' })
      clock.advance(1)
      const later = get('/metrics')
      await rendered(2)
      renderings[1]?.resolve('a 2\n')
      expect(await later).toMatchObject({ text: 'a 2\n' })
    })

    it('again a second after one that failed', async () => {
      const failed = get('/metrics')
      await rendered(1)
      renderings[0]?.reject(new Error('no'))
      expect(await failed).toMatchObject({ code: 500 })
      clock.advance(1_000)
      const later = get('/metrics')
      await rendered(2)
      renderings[1]?.resolve('a 1\n')
      expect(await later).toMatchObject({ code: 200 })
    })
  })
})
