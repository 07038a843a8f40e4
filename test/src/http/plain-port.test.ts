import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { healthServer, metricsServer } from '../../../src/http/side-servers.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { app, connections, get, heldMetrics, listen, origin } from './side-server.ts'

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
