import { describe, expect, it } from 'vitest'
import { connect } from '../../../../../src/cluster/kube/wire/connection.ts'
import { scriptedApiServer } from '../../../../support/fakes/api-server.ts'
import { linkTo, tunnelingProxy } from '../../../../support/fakes/proxy.ts'
import { clock, connection, faultOf, noAnswer, PATH, server, startServer } from './connection-on-script.ts'

describe('a request', () => {
  it('carries the token of the kubeconfig and gives the answer as JSON', async () => {
    const answer = connection.request('GET', PATH)
    const call = await server.next()
    expect(call).toMatchObject({ method: 'GET', path: PATH, headers: { authorization: 'Bearer a-token' } })
    call.json(200, { items: [] })
    expect(await answer).toEqual({ status: 200, body: { items: [] }, length: 12 })
  })

  it('sends what it is given as JSON of the content type it is told', async () => {
    const contentType = 'application/json-patch+json'
    const answer = connection.request('PATCH', PATH, { body: [{ op: 'remove', path: '/spec/ä' }], contentType })
    const call = await server.next()
    expect(call).toMatchObject({ method: 'PATCH', headers: { 'content-type': contentType } })
    expect(JSON.parse(call.body)).toEqual([{ op: 'remove', path: '/spec/ä' }])
    call.json(200, {})
    await answer
  })

  it('gives text where the answer is none of JSON', async () => {
    const answer = connection.request('GET', '/apis/no.such.group/v1/things')
    const call = await server.next()
    call.text(404, '404 page not found\n')
    expect(await answer).toEqual({ status: 404, body: '404 page not found\n', length: 19 })
  })

  it('keeps the path that the server of the kubeconfig has', async () => {
    const prefixed = await connect(
      server.kubeconfig({ token: 'x' }, { server: `${server.url}/k8s/clusters/c-1/` }),
      clock,
    )
    const answer = prefixed.request('GET', PATH)
    const call = await server.next()
    expect(call.path).toBe(`/k8s/clusters/c-1${PATH}`)
    call.json(200, {})
    await answer
    prefixed.stop()
  })

  it('goes through the proxy of the kubeconfig', async () => {
    const proxy = await tunnelingProxy()
    const proxied = await connect(server.kubeconfig({ token: 'x' }, { 'proxy-url': proxy.url }), clock)
    server.always((call) => call.json(200, {}))
    expect(await proxied.request('GET', PATH)).toMatchObject({ status: 200 })
    expect(proxy.tunnels).toBe(1)
    proxied.stop()
    await proxy.stop()
  })
})

describe('a server that does not answer', () => {
  it('is named in the fault, and the token is not', async () => {
    await server.stop()
    const fault = await faultOf(connection.request('GET', PATH))
    expect(fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', message: noAnswer('(ECONNREFUSED)') })
    await startServer()
  })

  it('is not believed with a certificate of somebody else', async () => {
    const other = await scriptedApiServer()
    const misled = await connect(server.kubeconfig({ token: 'x' }, { server: other.url }), clock)
    expect(await faultOf(misled.request('GET', PATH))).toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
      message: expect.stringContaining('VERIFY'),
    })
    await other.stop()
  })

  it('is given up when the time is over, and told so', async () => {
    const fault = faultOf(connection.request('GET', PATH, { timeoutMs: 1_000 }))
    const call = await server.next()
    clock.advance(1_000)
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', message: noAnswer('within 1 s') })
    await call.closed
  })

  it('is given up in the middle of its answer too', async () => {
    const fault = faultOf(connection.request('GET', PATH, { timeoutMs: 1_000 }))
    const call = await server.next()
    call.stream().raw('{"items":[')
    clock.advance(1_000)
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
  })

  it('is not listened to for ever', async () => {
    const fault = faultOf(connection.request('GET', PATH))
    const call = await server.next()
    const answer = call.stream()
    for (let mebibytes = 0; mebibytes <= 32; mebibytes += 1) answer.raw('x'.repeat(1024 * 1024))
    expect(await fault).toMatchObject({ code: 'ANSWER_TOO_LARGE' })
    await call.closed
  })

  it('is not waited for when the caller has gone', async () => {
    const gone = new AbortController()
    const request = faultOf(connection.request('GET', PATH, { signal: gone.signal }))
    const call = await server.next()
    gone.abort(new Error('no more'))
    expect(await request).toMatchObject({ message: 'no more' })
    await call.closed
  })
})

describe('a connection that breaks', () => {
  it('is asked again on a fresh one, for all that were idle may have been closed', async () => {
    const requested = [connection.request('GET', PATH), connection.request('GET', PATH)]
    for (const call of [await server.next(), await server.next()]) call.json(200, {})
    await Promise.all(requested)
    const idle = server.connections
    expect(idle).toBe(2)
    server.always((call) => (server.connections > idle ? call.json(200, { items: [] }) : call.reset()))
    expect(await connection.request('GET', PATH)).toMatchObject({ status: 200, body: { items: [] } })
  })

  it('is made anew for a GET, once', async () => {
    const answer = connection.request('GET', PATH)
    const first = await server.next()
    first.reset()
    const second = await server.next()
    second.json(200, {})
    expect(await answer).toMatchObject({ status: 200 })

    const fault = faultOf(connection.request('GET', PATH))
    for (let times = 0; times < 2; times++) (await server.next()).reset()
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', message: noAnswer('(ECONNRESET)') })
  })

  it('is not made anew for a write, which may have happened', async () => {
    const fault = faultOf(connection.request('POST', PATH, { body: {} }))
    const call = await server.next()
    call.reset()
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
  })
})

describe('connections whose packets vanish', () => {
  it('are found by one call, and none of the others waits for them', async () => {
    const link = await linkTo(Number(new URL(server.url).port))
    const url = `https://127.0.0.1:${link.port}`
    const linked = await connect(server.kubeconfig({ token: 'x' }, { server: url }), clock)
    const two = [1, 2].map(() => linked.request('GET', PATH))
    for (const call of [await server.next(), await server.next()]) call.json(200, {})
    await Promise.all(two)
    link.hole()
    link.heal() // for those to come
    const fault = faultOf(linked.request('GET', PATH, { timeoutMs: 1_000 }))
    await clock.pass(1_000)
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
    server.always((call) => call.json(200, {}))
    expect(await linked.request('GET', PATH)).toMatchObject({ status: 200 })
    linked.stop()
    await link.stop()
  })
})

describe('Retry-After', () => {
  it.each([
    { name: 'a GET that was one too many', method: 'GET', status: 429 },
    { name: 'a GET that hit a server on its way down', method: 'GET', status: 503 },
    { name: 'a write that was one too many, and so did not happen', method: 'POST', status: 429 },
  ] as const)('is honoured for $name', async ({ method, status }) => {
    const answer = connection.request(method, PATH)
    const first = await server.next()
    first.status(status, 'TooManyRequests', {}, { 'retry-after': '2' })
    await clock.pass(2_000)
    const second = await server.next()
    second.json(200, {})
    expect(await answer).toMatchObject({ status: 200 })
  })

  it.each([
    { name: 'a write that may have happened', method: 'PUT', status: 503, after: '1' },
    { name: 'an answer without it', method: 'GET', status: 503, after: undefined },
    { name: 'one that is no number of seconds', method: 'GET', status: 429, after: 'tomorrow' },
    { name: 'one that the time of the call does not allow', method: 'GET', status: 429, after: '10' },
    { name: 'one that is absurd', method: 'GET', status: 429, after: '1e300' },
    { name: 'one from the past', method: 'GET', status: 429, after: '-1' },
    { name: 'an error of the caller', method: 'GET', status: 404, after: '1' },
  ] as const)('is not for $name', async ({ method, status, after }) => {
    const answer = connection.request(method, PATH)
    const call = await server.next()
    call.status(status, 'Unwilling', {}, after === undefined ? {} : { 'retry-after': after })
    expect(await answer).toMatchObject({ status, body: { reason: 'Unwilling' } })
  })

  it('of five seconds is two when the server is only about to be there', async () => {
    const answer = connection.request('GET', PATH)
    const first = await server.next()
    first.status(503, 'ServiceUnavailable', {}, { 'retry-after': '5' })
    await clock.pass(2_000)
    const second = await server.next()
    second.json(200, {})
    expect(await answer).toMatchObject({ status: 200 })
  })

  it('is honoured for a stream too, as long as its head may take', async () => {
    const opened = connection.stream(PATH)
    for (let seconds = 0; seconds < 9; seconds += 3) {
      const call = await server.next()
      call.status(429, 'TooManyRequests', {}, { 'retry-after': '3' })
      await clock.pass(3_000)
    }
    const call = await server.next()
    call.status(429, 'TooManyRequests', {}, { 'retry-after': '3' })
    expect(await opened).toMatchObject({ status: 429 })
    expect(clock.isWaitedFor).toBe(false)
  })

  it('ends with the time of the call, however often it is said', async () => {
    server.always((call) => call.status(429, 'TooManyRequests', {}, { 'retry-after': '1' }))
    const answer = connection.request('GET', PATH, { timeoutMs: 2_500 })
    await clock.pass(1_000)
    await clock.pass(1_000)
    expect(await answer).toMatchObject({ status: 429 })
  })
})
