import { once } from 'node:events'
import { Agent, Server } from 'node:https'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY_LIMIT } from '../../../src/http/body.ts'
import { takeUp } from '../../../src/http/review-server.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aPair } from '../../support/certificates.ts'
import { MUTATING, VALIDATING } from '../../support/desk.ts'
import { JSON_TYPE, lastWords, type Sent, send } from '../../support/http-said.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'
import { type Serving, serving } from '../../support/serving.ts'
import { aTTemplate } from '../../support/templates.ts'

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
  const OLD = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const

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

  it.each([
    { name: 'TLS 1.1', options: { ...OLD, maxVersion: 'TLSv1.1' } as const },
    { name: 'HTTP/2 alone', options: { ALPNProtocols: ['h2'] } },
  ])('refuses $name, which is counted and not logged (OB-2)', async ({ options }) => {
    await using fresh = await serving()
    await expect(fresh.dial(options)).rejects.toThrow(/alert/)
    expect(await fresh.counted('tars_admission_tls_errors_total')).toBe(1)
    expect(fresh.log.lines).toEqual([])
  })
})

const CUT_OFF = (code: string) => `tars_admission_handler_errors_total{kind="",class="${code}"}`

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

  it.each([
    { name: 'no HTTP', sent: 'hello\r\n\r\n', code: 400, message: 'this is no HTTP/1.1' },
    {
      name: 'a head of 17 KB',
      sent: `POST /validating HTTP/1.1\r\nX: ${'x'.repeat(17 * 1_024)}`,
      code: 431,
      message: 'the head of the request is too large',
    },
    {
      name: 'an end before its end',
      sent: `${head(VALIDATING, 10)}{`,
      ends: true,
      code: 400,
      message: 'the request ended before its end',
    },
  ])('with $name is told so, and closed', async ({ sent, ends = false, code, message }) => {
    await using fresh = await serving()
    const socket = await fresh.dial()
    socket.write(sent)
    if (ends) socket.end()
    expect(await lastWords(socket)).toEqual({ code, body: aStatus(code, 'BadRequest', message) })
  })
})

describe('a body', () => {
  const padded = (bytes: number) => BODY + ' '.repeat(bytes - BODY.length)
  const TOO_LARGE = { code: 413, body: aStatus(413, 'RequestEntityTooLarge', 'the body is larger than 8388608 bytes') }
  const NOT_TAKEN = {
    code: 415,
    body: aStatus(415, 'UnsupportedMediaType', 'only content type application/json is taken'),
  }
  const ANSWERED = { code: 200, body: { response: { uid: UID, allowed: true } } }

  it.each<{ name: string; sent: Sent; said: object }>([
    { name: '8 MiB', sent: { body: padded(BODY_LIMIT) }, said: ANSWERED },
    { name: '8 MiB in chunks', sent: { body: [padded(BODY_LIMIT)] }, said: ANSWERED },
    {
      name: 'JSON with its charset',
      sent: { headers: type('application/json; charset=utf-8'), body: BODY },
      said: ANSWERED,
    },
    { name: 'JSON in capitals', sent: { headers: type('Application/JSON'), body: BODY }, said: ANSWERED },
    { name: 'text', sent: { headers: type('text/plain'), body: BODY }, said: NOT_TAKEN },
    { name: 'YAML', sent: { headers: type('application/yaml'), body: BODY }, said: NOT_TAKEN },
    {
      name: 'JSON by another name',
      sent: { headers: type('application/merge-patch+json'), body: BODY },
      said: NOT_TAKEN,
    },
    { name: 'a type that is none', sent: { headers: type('json'), body: BODY }, said: NOT_TAKEN },
    { name: 'no type', sent: { headers: {}, body: BODY }, said: NOT_TAKEN },
    { name: 'neither type nor content', sent: { headers: {}, body: '' }, said: NOT_TAKEN },
  ])('of $name is answered $said.code', async ({ sent, said }) => {
    expect(await send(server.origin, sent)).toMatchObject(said)
  })

  it.each([
    { name: 'as its head says', sent: head(VALIDATING, BODY_LIMIT + 1) },
    { name: 'in chunks', sent: chunked(padded(BODY_LIMIT), ' ') },
  ])('of 8 MiB and one byte, $name, is answered 413', async ({ sent }) => {
    const socket = await server.dial()
    socket.write(sent) // not to its end: whoever closes early resets, and the answer might be lost
    expect(await lastWords(socket)).toEqual(TOO_LARGE)
  })

  it('in chunks that part a character is put together again', async () => {
    const bytes = Buffer.from(JSON.stringify(creationOf(aTTemplate({ name: 'größe', parent: 'größe' }))))
    const within = bytes.indexOf('ö') + 1
    const { body } = await send(server.origin, { body: [bytes.subarray(0, within), bytes.subarray(within)] })
    expect(body).toMatchObject({ response: { uid: UID, allowed: true } })
  })
})

describe('what is not POST to the path of a door is 404, with a Status (SV-11)', () => {
  const message = 'nothing is served here; reviews are taken by POST at the paths of the webhook configurations'

  it.each([
    { method: 'GET', path: VALIDATING },
    { method: 'PUT', path: VALIDATING },
    { method: 'DELETE', path: MUTATING },
    { method: 'OPTIONS', path: MUTATING },
    { method: 'POST', path: '/' },
    { method: 'POST', path: '/validating/' },
    { method: 'POST', path: '/VALIDATING' },
    { method: 'POST', path: '/%zz' },
    { method: 'GET', path: '/metrics' },
    { method: 'GET', path: '/healthz' },
    { method: 'GET', path: '/readyz' },
  ])('$method $path', async ({ method, path }) => {
    const { code, body, headers } = await send(server.origin, { method, path, body: '' })
    expect({ code, body }).toEqual({ code: 404, body: aStatus(404, 'NotFound', message) })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

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
    takeUp(renewing.app, await aPair())
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
    takeUp(renewing.app, await aPair())
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

function chunked(...parts: readonly string[]): string {
  const head =
    'POST /validating HTTP/1.1\r\nHost: us\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  return head + parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
}
function type(type: string) {
  return { ...JSON_TYPE, 'content-type': type }
}
function aStatus(code: number, reason: string, message: string) {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }
}
function httpServerOf({ app }: Serving): Partial<Server> {
  return app.server instanceof Server ? app.server : {}
}
