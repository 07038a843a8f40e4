import { once } from 'node:events'
import { Agent, Server } from 'node:https'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reload } from '../../../src/http/review-server.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { VALIDATING } from '../../support/answerer-parts.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { aPair } from '../../support/certificates.ts'
import { lastWords, send } from '../../support/http-said.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'
import { type Serving, serving } from '../../support/serving.ts'

const { creationOf } = reviewsOf(TTEMPLATE)
const BODY = JSON.stringify(creationOf(aTTemplate()))
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: us\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

let server: Serving
beforeAll(async () => {
  server = await serving()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('TLS', () => {
  it('chooses HTTP/1.1 also with a client that would rather speak HTTP/2 (AP-1)', async () => {
    const socket = await server.dial({ ALPNProtocols: ['h2', 'http/1.1'] })
    expect(socket.alpnProtocol).toBe('http/1.1')
    socket.destroy()
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const socket = await server.dial({ minVersion: version, maxVersion: version })
    expect(socket.getProtocol()).toBe(version)
    socket.destroy()
  })
})

const CUT_OFF = (code: string) => `tars_admission_connections_cut_total{reason="${code}"}`

describe('a connection', () => {
  it('is kept longer than the API server keeps it idle, and has as long as the specification says (AP-2, SV-1)', async () => {
    const { headers } = await send(server.origin, { body: BODY, agent: new Agent({ keepAlive: true }) })
    expect(headers['keep-alive']).toBe('timeout=120')
    const { keepAliveTimeout, headersTimeout, requestTimeout } = httpServerOf(server)
    expect({ keepAliveTimeout, headersTimeout, requestTimeout }).toEqual({
      keepAliveTimeout: 120_000,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
    })
  })

  it('is one of 2,000 at most, which fit the memory of a pod', () => {
    expect(server.app.server.maxConnections).toBe(2_000)
  })

  const QUICK = { timeouts: { headers: 200, request: 400, checkEvery: 20 } }
  const LATE = 300 // of a busy machine

  it.each([
    { name: 'a head that does not come', sent: 'POST /validating HT', after: 200 },
    { name: 'a body that does not come', sent: `${head(VALIDATING, 10)}{`, after: 400 },
  ])('that waits for $name is told so after its time, and closed', async ({ sent, after }) => {
    await using quick = await serving(QUICK)
    const socket = await quick.dial()
    const started = performance.now()
    socket.write(sent)
    const { code, body } = await lastWords(socket)
    const took = performance.now() - started
    expect(took).toBeGreaterThan(after - 50)
    expect(took).toBeLessThan(after + LATE)
    expect({ code, body }).toEqual({ code: 408, body: aStatus(408, 'Timeout', 'the request did not arrive in time') })
    expect(await quick.counted(CUT_OFF('ERR_HTTP_REQUEST_TIMEOUT'))).toBe(1)
    expect(quick.log.lines).toEqual([])
  })

  it('whose head comes drop by drop has no more time than any other', async () => {
    await using quick = await serving(QUICK)
    const socket = await quick.dial()
    const started = performance.now()
    socket.write('POST /validating HTTP/1.1\r\nX: ')
    const drops = setInterval(() => socket.write('x'), 20)
    const { code } = await lastWords(socket)
    clearInterval(drops)
    expect(code).toBe(408)
    expect(performance.now() - started).toBeLessThan(200 + LATE)
  })

  it('that was dialled and pooled unused is not too slow: it is idle, and serves when its turn comes (AP-4)', async () => {
    await using quick = await serving(QUICK)
    const [unused, slow] = [await quick.dial(), await quick.dial()]
    slow.write('POST /validating HT')
    await lastWords(slow) // by now the unused one was looked at as well
    unused.write(head(VALIDATING, BODY.length) + BODY)
    const [answer] = await once(unused, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 OK/)
    unused.destroy()
  })

  it('that stays unused is closed when an idle one would be', async () => {
    await using quick = await serving({ timeouts: { ...QUICK.timeouts, keepAlive: 100 } })
    const unused = await quick.dial()
    await once(unused.resume(), 'close')
  })

  it('that never begins the handshake is closed after the time of a head', async () => {
    await using quick = await serving(QUICK)
    const socket = connect(quick.port, '127.0.0.1').resume()
    const started = performance.now()
    await once(socket, 'close')
    expect(performance.now() - started).toBeLessThan(200 + LATE)
    expect(await quick.counted('tars_admission_tls_errors_total')).toBe(1)
  })
})

describe('a body', () => {
  it('in chunks that part a character is put together again', async () => {
    const bytes = Buffer.from(JSON.stringify(creationOf(aTTemplate({ name: 'größe', parent: 'größe' }))))
    const within = bytes.indexOf('ö') + 1
    const { body } = await send(server.origin, { body: [bytes.subarray(0, within), bytes.subarray(within)] })
    expect(body).toMatchObject({ response: { uid: UID, allowed: true } })
  })
})

describe('what is not POST to the path of a door is 404, with a Status (SV-11)', () => {
  it('HEAD, which has no body', async () => {
    expect(await send(server.origin, { method: 'HEAD' })).toMatchObject({ code: 404, body: {} })
  })

  it('is counted without its path', async () => {
    await using fresh = await serving()
    await send(fresh.origin, { path: '/hunter2' })
    expect(await fresh.counted('tars_admission_handler_errors_total{kind="",class="PATH_UNKNOWN"}')).toBe(1)
    expect(JSON.stringify(fresh.log.lines)).not.toContain('hunter2')
  })
})

describe('takeUp', () => {
  it('serves a new pair to new connections, and those that stand go on', async () => {
    await using renewing = await serving()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sent = { body: BODY, agent }
    expect(await send(renewing.origin, sent)).toMatchObject({ code: 200 })
    const before = await fingerprint(renewing)
    reload(renewing.app, await aPair())
    expect(await send(renewing.origin, sent)).toMatchObject({ code: 200 })
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1)
    expect(await renewing.caller.call(renewing.webhook(VALIDATING), creationOf(aTTemplate()))).not.toHaveProperty(
      'refused',
    )
    expect(await fingerprint(renewing)).not.toBe(before)
    agent.destroy()
  })

  it('keeps to HTTP/1.1 and TLS 1.2', async () => {
    await using renewing = await serving()
    reload(renewing.app, await aPair())
    const socket = await renewing.dial({ ALPNProtocols: ['h2', 'http/1.1'], maxVersion: 'TLSv1.2' })
    expect(socket.alpnProtocol).toBe('http/1.1')
    await expect(
      renewing.dial({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow()
  })

  async function fingerprint(from: Serving): Promise<string> {
    const socket = await from.dial()
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }
})

function aStatus(code: number, reason: string, message: string) {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }
}
function httpServerOf({ app }: Serving): Partial<Server> {
  return app.server instanceof Server ? app.server : {}
}
