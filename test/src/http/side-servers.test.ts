import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Check, healthServer, metricsServer } from '../../../src/http/side-servers.ts'
import { metricsOf } from '../../../src/process/metrics.ts'
import { ManualClock } from '../../support/fakes/clock.ts'

let app: FastifyInstance
let origin: string

async function listen(server: FastifyInstance): Promise<void> {
  app = server
  origin = await server.listen({ host: '127.0.0.1', port: 0 })
}
afterEach(() => app.close())

/** Each rendering lasts until the test ends it. */
function heldMetrics() {
  const metrics = metricsOf()
  const renderings: PromiseWithResolvers<string>[] = []
  Object.assign(metrics.registry, {
    metrics() {
      const rendering = Promise.withResolvers<string>()
      renderings.push(rendering)
      return rendering.promise
    },
  })
  return { metrics, renderings }
}

function connections(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  app.server.getConnections((_error, many) => resolve(many))
  return promise
}

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

describe('a plain port (SV-16)', () => {
  const ASKED = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'
  const HALF = 'GET /livez HTTP/1.1\r\nHost: a\r\n'

  /** A connection on which that was sent; closed with the test. */
  function sent(text: string): Socket {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write(text)
    return socket
  }
  /** Accepted in this order, and their heads read where they are whole. */
  async function sentEach(texts: readonly string[]): Promise<readonly Socket[]> {
    const sockets: Socket[] = []
    for (const text of texts) {
      const accepted = once(app.server, text.endsWith('\r\n\r\n') ? 'request' : 'connection')
      sockets.push(sent(text))
      await accepted
    }
    return sockets
  }

  it.each(['/livez', '/readyz', '/nowhere', '/%'])('closes the connection with the answer: %s', async (path) => {
    await listen(healthServer([]))
    expect((await fetch(origin + path)).headers.get('connection')).toBe('close')
  })

  it('does nothing for what is pipelined behind a request, and closes the connection at once', async () => {
    await listen(metricsServer(heldMetrics().metrics, new ManualClock()))
    const arrived = vi.fn()
    app.server.on('request', arrived)
    await once(sent(ASKED.repeat(1_500)).resume(), 'close')
    expect(arrived).toHaveBeenCalledOnce()
    expect(await connections()).toBe(0)
  })

  describe('where a caller of HTTP 1.0 wants the connection kept alive', () => {
    const kept = (path: string) => `GET ${path} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`

    it('closes it with the answer', async () => {
      await listen(healthServer([]))
      const socket = sent(kept('/livez')).resume()
      await expect.poll(() => socket.closed).toBe(true)
    })
    it('closes it at once for what is pipelined', async () => {
      await listen(metricsServer(heldMetrics().metrics, new ManualClock()))
      const socket = sent(kept('/metrics').repeat(1_500)).resume()
      await expect.poll(() => socket.closed).toBe(true)
      expect(await connections()).toBe(0)
    })
  })

  it('closes the oldest half head for the 65th connection, which is answered', async () => {
    await listen(healthServer([]))
    const halves = await sentEach(Array.from({ length: 64 }, () => HALF))
    expect(await get('/livez')).toMatchObject({ code: 200 })
    await expect.poll(() => halves.map(({ closed }) => closed)).toEqual([true, ...Array(63).fill(false)])
  })

  describe('closes for a new connection', () => {
    const BODY = 'GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n'
    it.each([
      { name: 'a later half head before a whole request', texts: [ASKED, HALF], closed: [false, true] },
      { name: 'what waits for a body, as half a request', texts: [BODY, HALF], closed: [true, false] },
      {
        name: 'the oldest, where all have sent a whole request',
        texts: [ASKED, ASKED],
        closed: [true, false],
      },
    ])('$name', async ({ texts, closed }) => {
      const { metrics, renderings } = heldMetrics()
      await listen(metricsServer(metrics, new ManualClock(), { connections: 2 }))
      const standing = await sentEach(texts)
      const newcomer = get('/metrics')
      await expect.poll(() => standing.map((socket) => socket.closed)).toEqual(closed)
      renderings[0]?.resolve('')
      expect(await newcomer).toMatchObject({ code: 200 })
    })
  })

  it.each([
    { name: 'nothing at all', sends: '' },
    { name: 'half a head', sends: HALF },
  ])('closes a connection on which $name has come in time', async ({ sends }) => {
    await listen(healthServer([], { requestMs: 200, checkEveryMs: 20 }))
    const [socket] = await sentEach([sends])
    await once(socket?.resume() ?? app.server, 'close')
    expect(await connections()).toBe(0)
  })

  it('gives a request five seconds', async () => {
    await listen(healthServer([]))
    const { headersTimeout, requestTimeout } = app.server
    expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 5_000, requestTimeout: 5_000 })
  })

  it.each([
    { bytes: 3_800, code: 200 },
    { bytes: 4_096, code: 431 },
  ])('answers $code to a head with a field of $bytes bytes', async ({ bytes, code }) => {
    await listen(healthServer([]))
    expect((await fetch(`${origin}/livez`, { headers: { x: 'x'.repeat(bytes) } })).status).toBe(code)
  })
})
