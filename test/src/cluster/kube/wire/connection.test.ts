import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Connection, connect } from '../../../../../src/cluster/kube/wire/connection.ts'
import type { Tree } from '../../../../../src/schema.ts'
import { type ApiServer, type Call, scriptedApiServer } from '../../../../support/fakes/api-server.ts'
import { ManualClock } from '../../../../support/fakes/clock.ts'
import { linkTo, tunnelingProxy } from '../../../../support/fakes/proxy.ts'

const PATH = '/api/v1/namespaces/demo/configmaps'
const LONG_MS = 50
const AT_MOST = 96
let server: ApiServer
let clock: ManualClock
let connection: Connection

beforeEach(async () => {
  server = await scriptedApiServer()
  clock = new ManualClock()
  connection = await connect(server.kubeconfig(), clock)
})
afterEach(async () => {
  connection.stop()
  await server.stop()
})

describe('a request', () => {
  it('carries the token of the kubeconfig and gives the answer as JSON', async () => {
    const answer = connection.request('GET', PATH)
    const call = await server.next()
    expect(call).toMatchObject({ method: 'GET', path: PATH, headers: { authorization: 'Bearer a-token' } })
    call.json(200, { items: [] })
    expect(await answer).toEqual({ status: 200, body: { items: [] } })
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
    expect(await answer).toEqual({ status: 404, body: '404 page not found\n' })
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
    server = await scriptedApiServer()
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

describe('connections', () => {
  it.each([
    { name: 'one after the other', side: 1 },
    { name: 'all at once', side: 200 },
  ])('are two at most for 200 GETs $name', async ({ side }) => {
    server.always((call) => call.json(200, {}))
    for (let done = 0; done < 200; done += side)
      await Promise.all(Array.from({ length: side }, () => connection.request('GET', PATH)))
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  it('become more when calls are slow, so that nobody waits behind them for long', async () => {
    const slow = [1, 2].map(() => connection.request('GET', PATH))
    const calls = [await server.next(), await server.next()]
    const behind = connection.request('GET', `${PATH}/behind`)
    clock.advance(LONG_MS)
    const quick = await server.next()
    quick.json(200, {})
    await behind
    server.always((call) => call.json(200, {}))
    for (const name of ['third', 'fourth']) expect(await connection.request('GET', `${PATH}/${name}`)).toBeDefined()
    for (const call of calls) call.json(200, {})
    await Promise.all(slow)
  })

  it.each([
    { latencyMs: 100, rounds: 4 },
    { latencyMs: 200, rounds: 1 },
    { latencyMs: 250, rounds: 2 },
  ])('are enough for $rounds × 96 GETs at once, each of which takes $latencyMs ms', async ({ latencyMs, rounds }) => {
    const answers = gets(rounds * AT_MOST)
    clock.advance(LONG_MS)
    for (let round = 0; round < rounds; round += 1) {
      const calls = await nextCalls(AT_MOST)
      clock.advance(latencyMs)
      for (const call of calls) call.json(200, {})
    }
    expect(await Promise.all(answers)).toEqual(answers.map(() => ({ status: 200, body: {} })))
    expect(server.connections).toBe(AT_MOST)
  })

  it('stay when a call gets no turn, which says so: the API server was never asked', async () => {
    const apart = connection.request('GET', PATH, { apart: true })
    const answers = gets(AT_MOST)
    clock.advance(LONG_MS)
    for (const call of await nextCalls(AT_MOST + 1)) call.json(200, {})
    await Promise.all([apart, ...answers])
    const slow = gets(AT_MOST)
    clock.advance(LONG_MS)
    const calls = await nextCalls(AT_MOST)
    const fault = faultOf(connection.request('GET', PATH, { timeoutMs: 1_000 }))
    clock.advance(400)
    const message = `too many requests to the API server at ${server.url} are under way already`
    expect(await fault).toMatchObject({ code: 'DEADLINE', message })
    server.always((call) => call.json(200, {}))
    for (const call of calls) call.json(200, {})
    await Promise.all([...slow, connection.request('GET', PATH, { apart: true })])
    expect(server.connections).toBe(AT_MOST + 1)
  })

  it('are not taken by one that left the queue', async () => {
    const slow = [1, 2].map(() => connection.request('GET', PATH))
    const calls = [await server.next(), await server.next()]
    const gone = new AbortController()
    const left = faultOf(connection.request('GET', PATH, { signal: gone.signal }))
    const next = connection.request('GET', `${PATH}/next`)
    gone.abort(new Error('left'))
    expect(await left).toMatchObject({ message: 'left' })
    calls[0]?.json(200, {})
    const call = await server.next()
    expect(call.path).toBe(`${PATH}/next`)
    for (const each of [call, calls[1]]) each?.json(200, {})
    await Promise.all([...slow, next])
  })

  it('of lists and watches stand apart, and wait for nobody', async () => {
    const slow = [1, 2].map(() => connection.request('GET', PATH))
    const calls = [await server.next(), await server.next()]
    const apart = connection.request('GET', `${PATH}/apart`, { apart: true })
    const call = await server.next()
    expect(call.path).toBe(`${PATH}/apart`)
    for (const each of [call, ...calls]) each.json(200, {})
    await Promise.all([apart, ...slow])
  })

  const gets = (count: number) =>
    Array.from({ length: count }, () => connection.request('GET', PATH, { timeoutMs: 1_000 }))
  const nextCalls = (count: number) => Promise.all(Array.from({ length: count }, () => server.next()))
})

describe('credentials that change', () => {
  const seen: Call[] = []
  let plugged: Connection

  beforeEach(async () => {
    seen.length = 0
    server.always((call) => {
      seen.push(call)
      call.json(200, {})
    })
    plugged = await connect(server.kubeconfig({ exec: execOf(credential({ token: 'one' })) }), clock)
    await plugged.request('GET', PATH)
  })
  afterEach(() => plugged.stop())

  it('are asked for again after a second, and a new token goes over the same connection', async () => {
    credential({ token: 'two' })
    await plugged.request('GET', PATH)
    clock.advance(1_000)
    await plugged.request('GET', PATH)
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer one', 'Bearer two'])
    expect(server.connections).toBe(1)
  })

  it('bring a connection of their own when the certificate is another, and the old one is closed', async () => {
    const closing = server.nextClosing()
    credential(server.clientPair)
    clock.advance(1_000)
    await plugged.request('GET', PATH)
    expect(server.connections).toBe(2)
    await closing
  })

  it('are a fault when the plugin gives none, and its words are not repeated', async () => {
    server.file('credential.json', 'secret')
    clock.advance(1_000)
    const fault = await faultOf(plugged.request('GET', PATH))
    expect(fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', message: expect.stringContaining('no credentials') })
    expect(JSON.stringify(fault)).not.toContain('secret')
  })

  it('are asked for again when the plugin has hung for a minute', async () => {
    const hung = server.file('hung.sh', '[ -e "$0.once" ] || { touch "$0.once"; exec sleep 5; }; cat "$1"')
    const file = credential({ token: 'later' })
    const slow = await connect(server.kubeconfig({ exec: { command: 'sh', args: [hung, file] } }), clock)
    const fault = faultOf(slow.request('GET', PATH))
    await vi.waitFor(() => expect(existsSync(`${hung}.once`)).toBe(true), 5_000)
    await clock.pass(10_000)
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', message: noAnswer('within 10 s') })
    clock.advance(50_000)
    expect(await slow.request('GET', PATH)).toMatchObject({ status: 200 })
    expect(seen.at(-1)?.headers.authorization).toBe('Bearer later')
    slow.stop()
  })

  /** Expired as soon as it is given, so that the plugin is asked each time. */
  function credential(status: Tree): string {
    const expirationTimestamp = '2020-01-01T00:00:00Z'
    return server.file('credential.json', JSON.stringify({ status: { ...status, expirationTimestamp } }))
  }
  const execOf = (file: string) => ({ command: 'cat', args: [file] })
})

describe('credentials that are not believed', () => {
  it('are read anew: a token that lies in a file, though the library would keep it for a minute', async () => {
    const token = server.file('token', 'old')
    const user = { 'auth-provider': { name: 'tokenFile', config: { tokenFile: token } } }
    expect(await afterDistrust(user, () => void server.file('token', 'new'))).toBe('Bearer new')
  })

  it('are read anew: a token in the kubeconfig itself', async () => {
    expect(await afterDistrust({ token: 'old' }, () => void server.kubeconfig({ token: 'new' }))).toBe('Bearer new')
  })

  it('stay as they are where the kubeconfig leads elsewhere by now', async () => {
    const elsewhere = () => void server.kubeconfig({ token: 'of others' }, { server: 'https://127.0.0.1:1' })
    expect(await afterDistrust({ token: 'old' }, elsewhere)).toBe('Bearer old')
  })

  it('stay as they are while the kubeconfig cannot be read, and are read when it can', async () => {
    const broken = await connect(server.kubeconfig({ token: 'old' }), clock)
    server.always((call) => call.status(call.headers.authorization === 'Bearer new' ? 200 : 401, 'Unauthorized'))
    await broken.request('GET', PATH)
    server.file('kubeconfig', 'users: [')
    clock.advance(1_000)
    expect(await faultOf(broken.request('GET', PATH))).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
    server.kubeconfig({ token: 'new' })
    clock.advance(1_000)
    expect(await broken.request('GET', PATH)).toMatchObject({ status: 200 })
    broken.stop()
  })

  it('nor do we believe a server whose CA is another by now, until we have read the new one', async () => {
    const before = await scriptedApiServer()
    const own = server.kubeconfig()
    const ours = readFileSync(own, 'utf8')
    const file = before.kubeconfig({ token: 'x' }, { server: server.url })
    const misled = await connect(file, clock)
    expect(await faultOf(misled.request('GET', PATH))).toMatchObject({ message: expect.stringContaining('VERIFY') })
    before.file('kubeconfig', ours)
    clock.advance(1_000)
    server.always((call) => call.json(200, {}))
    expect(await misled.request('GET', PATH)).toMatchObject({ status: 200 })
    misled.stop()
    await before.stop()
  })

  /** What is said after a 401, once a second has passed. */
  async function afterDistrust(user: Tree, change: () => void): Promise<string | undefined> {
    const shown: (string | undefined)[] = []
    const expired = await connect(server.kubeconfig(user), clock)
    server.always((call) => {
      shown.push(call.headers.authorization)
      call.status(401, 'Unauthorized')
    })
    await expired.request('GET', PATH)
    expect(shown).toEqual(['Bearer old'])
    change()
    clock.advance(1_000)
    await expired.request('GET', PATH)
    expired.stop()
    return shown.at(-1)
  }
})

describe('a stream', () => {
  it('gives its lines wherever they were cut, inside a letter too', async () => {
    const opened = connection.stream(PATH)
    const call = await server.next()
    const stream = call.stream()
    const lines = readingOf(await opened)
    const bytes = Buffer.from('{"a":"one"}\n{"b":"€"}\n')
    const insideTheLetter = bytes.indexOf('€') + 1
    stream.raw(bytes.subarray(0, insideTheLetter))
    expect(await lines.next()).toEqual({ value: '{"a":"one"}', done: false })
    stream.raw(bytes.subarray(insideTheLetter))
    expect(await lines.next()).toEqual({ value: '{"b":"€"}', done: false })
  })

  it('gives many lines of one chunk, and not the one that nobody ended', async () => {
    const opened = connection.stream(PATH)
    const call = await server.next()
    const stream = call.stream()
    stream.raw('one\ntwo\nthr')
    stream.end()
    expect(await linesOf(await opened)).toEqual(['one', 'two'])
  })

  it('is a fault when it breaks in the middle of a line', async () => {
    const opened = connection.stream(PATH)
    const call = await server.next()
    call.stream().raw('one\ntw')
    const lines = linesOf(await opened)
    call.reset()
    expect(await faultOf(lines)).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
  })

  it('is an answer where there is nothing to stream', async () => {
    const opened = connection.stream(PATH)
    const call = await server.next()
    call.status(410, 'Expired')
    expect(await opened).toMatchObject({ status: 410, body: { reason: 'Expired' } })
  })

  it('has a time for its head, and none for what follows', async () => {
    const late = faultOf(connection.stream(PATH, { timeoutMs: 1_000 }))
    await server.next()
    clock.advance(1_000)
    expect(await late).toMatchObject({ code: 'CLUSTER_UNREACHABLE', message: noAnswer('within 1 s') })

    const opened = connection.stream(PATH, { timeoutMs: 1_000 })
    const call = await server.next()
    const stream = call.stream()
    const lines = linesOf(await opened)
    clock.advance(600_000)
    stream.raw('late\n')
    stream.end()
    expect(await lines).toEqual(['late'])
  })

  it('ends with its signal, and the server is told', async () => {
    const gone = new AbortController()
    const opened = connection.stream(PATH, { signal: gone.signal })
    const call = await server.next()
    call.stream().raw('one\n')
    const lines = linesOf(await opened)
    gone.abort(new Error('no more'))
    expect(await faultOf(lines)).toMatchObject({ message: 'no more' })
    await call.closed
  })

  it('leaves its connection to the next call when it was read to the end', async () => {
    const opened = connection.stream(PATH)
    const call = await server.next()
    call.stream().end()
    await linesOf(await opened)
    server.always((each) => each.json(200, {}))
    await connection.request('GET', PATH)
    expect(server.connections).toBe(1)
  })
})

describe('a kubeconfig', () => {
  it.each([
    { name: 'that is not there', file: () => '/no/such/kubeconfig', words: '(ENOENT)' },
    { name: 'that is no YAML', file: () => server.file('bad', 'users: [token: secret'), words: '(YAMLException)' },
    { name: 'that is something else', file: () => server.file('bad', 'true'), words: 'no cluster' },
  ])('$name is a fault that does not quote it', async ({ file, words }) => {
    const fault = await faultOf(connect(file(), clock))
    expect(fault).toMatchObject({ message: expect.stringContaining(words) })
    expect(`${fault.message}${fault.cause}`).not.toContain('secret')
  })
})

const noAnswer = (why: string) => `no answer from the API server at ${server.url} ${why}`

type Opened = Awaited<ReturnType<Connection['stream']>>

function readingOf(opened: Opened): AsyncIterator<string> {
  if (!('lines' in opened)) throw new Error(`no stream, but ${opened.status}`)
  return opened.lines[Symbol.asyncIterator]()
}

async function linesOf(stream: Opened): Promise<string[]> {
  if (!('lines' in stream)) throw new Error(`no stream, but ${stream.status}`)
  try {
    return await Array.fromAsync(stream.lines)
  } finally {
    stream.close()
  }
}

async function faultOf(promise: Promise<unknown>): Promise<Error> {
  const cause: unknown = await promise.then(
    () => undefined,
    (reason) => reason,
  )
  if (cause instanceof Error) return cause
  throw new Error('nothing was thrown')
}
