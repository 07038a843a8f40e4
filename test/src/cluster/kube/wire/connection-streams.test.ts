import { describe, expect, it } from 'vitest'
import type { Connection } from '../../../../../src/cluster/kube/wire/connection.ts'
import { clock, connection, faultOf, noAnswer, PATH, server } from './connection-on-script.ts'

const LONG_MS = 50
const AT_MOST = 96

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
    expect(await Promise.all(answers)).toEqual(answers.map(() => ({ status: 200, body: {}, length: 2 })))
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
