import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { MOST_BYTES } from '../../../../src/remote/cloudflare/bounded-body.ts'
import { CloudflareClient } from '../../../../src/remote/cloudflare/client.ts'
import type { CloudflareCall } from '../../../../src/remote/cloudflare/port.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'
import { answering, result, scriptedApi } from '../../../support/fakes/scripted-api.ts'

const GET: CloudflareCall<unknown> = { method: 'GET', path: '/items', is: (_): _ is unknown => true }
const POST: CloudflareCall<unknown> = { ...GET, method: 'POST' }
const access = { token: 't' }

describe('CF-API-01 a call ends in time', () => {
  it.each([
    { name: 'without a head', respond: () => {} },
    {
      name: 'with a head and half a body',
      respond: (response: { writeHead(status: number): { write(text: string): unknown } }) =>
        void response.writeHead(200).write('{"success":true,'),
    },
  ])('$name', async ({ respond }) => {
    await using api = await scriptedApi(respond)
    const clock = new ManualClock()
    const client = new CloudflareClient({ url: api.url, requestsPerFiveMinutes: 900, clock })
    const asked = client.ask(GET, { access })
    const ended = expect(asked).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: 'GET /items: no answer within 15 s',
    })
    await clock.waitFor(15_000)
    clock.advance(15_000)
    await ended
    expect(clock.isWaitedFor).toBe(false)
  })

  it('when the work that asks it ends', async () => {
    await using api = await scriptedApi(() => {})
    const client = new CloudflareClient({ url: api.url, requestsPerFiveMinutes: 900 })
    const work = new AbortController()
    const asked = client.ask(GET, { access, signal: work.signal })
    work.abort(new Error('over'))
    await expect(asked).rejects.toThrow('over')
  })

  it('and a body is not read beyond its bound', async () => {
    let isCancelled = false
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_048_576)),
      cancel() {
        isCancelled = true
      },
    })
    const fetch = async () => new Response(endless)
    const client = new CloudflareClient({ url: 'https://example.com', requestsPerFiveMinutes: 900, fetch })
    await expect(client.ask(GET, { access })).rejects.toThrow('the answer is too long')
    expect(isCancelled).toBe(true)
    expect(MOST_BYTES).toBe(8_388_608)
  })
})

describe('CF-API-03 calls are counted by credential', () => {
  const OK = () => Response.json({ success: true, result: 1 })
  function counted(respond: (sent: number) => Response = OK, requestsPerFiveMinutes = 900) {
    const clock = new ManualClock()
    const sent: { readonly token: string; readonly at: number }[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      sent.push({ token: new Headers(init?.headers).get('authorization') ?? '', at: clock.tick() })
      return respond(sent.length)
    }
    const client = new CloudflareClient({ url: 'https://example.com', requestsPerFiveMinutes, clock, fetch })
    const ask = (call = GET, token = 't') => client.ask(call, { access: { token } })
    /** And all that has begun meanwhile goes on. */
    const passed = async (ms: number) => {
      clock.advance(ms)
      await setImmediate()
    }
    return { clock, sent, ask, passed }
  }
  const throttledIn = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      ({ code, retryAfterMs }) => ({ code, retryAfterMs }),
    )

  it('sixty at once, then one after the other, and not more than the setting in five minutes', async () => {
    const { passed, sent, ask } = counted()
    for (let many = 0; many < 70; many += 1) void ask().catch(() => {})
    await passed(0)
    expect(sent.length).toBe(60)
    for (let at = 0; at < 300_000; at += 250) {
      void ask().catch(() => {})
      await passed(250)
    }
    expect(sent.length).toBeGreaterThan(880)
    expect(sent.length).toBeLessThanOrEqual(900)
  })

  it('a crowd of reads comes again one after the other, and a write waits', async () => {
    const { passed, sent, ask } = counted()
    const asked = Array.from({ length: 100 }, () => throttledIn(ask()))
    const write = ask(POST)
    await passed(10_000)
    const times = (await Promise.all(asked)).flatMap((each) => (each === undefined ? [] : [each.retryAfterMs]))
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other))
    expect(sent.length).toBe(100 - times.length + 1)
    expect(await write).toBe(1)
  })

  it.each([
    { name: 'for the time of a 429', headers: { 'retry-after': '30' }, ms: 30_000 },
    { name: 'for a minute where a 429 names none', headers: {}, ms: 60_000 },
    { name: 'for a minute where a 429 names nonsense', headers: { 'retry-after': 'x' }, ms: 60_000 },
    { name: 'for ten minutes at most', headers: { 'retry-after': '1000000' }, ms: 600_000 },
  ])('one pauses $name, and another goes on', async ({ headers, ms }) => {
    const { clock, sent, ask } = counted((call) => (call === 1 ? new Response('', { status: 429, headers }) : OK()))
    expect(await throttledIn(ask())).toEqual({ code: 'REMOTE_THROTTLED', retryAfterMs: ms })
    expect(await throttledIn(ask())).toEqual({ code: 'REMOTE_THROTTLED', retryAfterMs: ms })
    expect(await throttledIn(ask(POST))).toMatchObject({ code: 'REMOTE_THROTTLED' })
    expect(await ask(GET, 'other')).toBe(1)
    expect(sent.map(({ token }) => token)).toEqual(['Bearer t', 'Bearer other'])
    clock.advance(ms)
    expect(await ask()).toBe(1)
  })

  it.each([
    { header: '"default";r=19;t=40', retryAfterMs: 40_000 },
    { header: '"default";r=20;t=40', retryAfterMs: undefined },
    { header: 'nonsense', retryAfterMs: undefined },
    { header: `"default"${';r='.repeat(10_000)}`, retryAfterMs: undefined },
  ])('a hint that few are left pauses: $header', async ({ header, retryAfterMs }) => {
    const { ask } = counted(() => Response.json({ success: true, result: 1 }, { headers: { ratelimit: header } }))
    await ask()
    expect((await throttledIn(ask()))?.retryAfterMs).toBe(retryAfterMs)
  })

  it('of a hundred credentials at most', async () => {
    const { ask } = counted((call) => (call === 1 ? new Response('', { status: 429 }) : OK()))
    await throttledIn(ask())
    for (let at = 0; at < 100; at += 1) await ask(GET, `t${at}`)
    expect(await ask()).toBe(1)
  })

  it('over the wire, too', async () => {
    await using api = await scriptedApi(answering(429, '', { 'retry-after': '7' }), result(1))
    const client = new CloudflareClient({ url: api.url, requestsPerFiveMinutes: 900 })
    await expect(client.ask(GET, { access })).rejects.toMatchObject({ retryAfterMs: 7_000, httpStatus: 429 })
    await expect(client.ask(GET, { access })).rejects.toMatchObject({ code: 'REMOTE_THROTTLED' })
    expect(api.heard).toHaveLength(1)
  })
})
