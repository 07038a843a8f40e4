import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type DoubleWorld, doubleWorld, OTHER_TOKEN } from './world.ts'

let world: DoubleWorld
beforeEach(async () => {
  await world?.close()
  world = await doubleWorld()
})
afterAll(() => world.close())

const A = { type: 'A', name: 'api', content: '192.0.2.1' }

it('CF-DBL-07 too many calls of a token are answered 429, and those of others are not', async () => {
  world.double.limits.set('first', { limit: 10, remaining: 1, windowSeconds: 7 })
  const { headers } = await world.ask('GET', world.records)
  expect(headers.get('ratelimit')).toMatch(/^"default";r=0;t=[67]$/)
  expect(headers.get('ratelimit-policy')).toBe('"default";q=10;w=7')
  const over = await world.ask('GET', world.records)
  expect([over.status, over.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[67]$/)])
  const others = { authorization: `Bearer ${OTHER_TOKEN}` }
  expect(await world.heard('GET', '/user/tokens/verify', undefined, others)).toBe(200)
})

describe('CF-DBL-08 a fault meets the next calls that match', () => {
  it.each([
    { do: 'answer', status: 409, code: 81057, answer: '409 81057' },
    { do: 'no success', code: 1000, answer: '200 1000' },
  ] as const)('$do', async ({ answer, ...fault }) => {
    world.double.faults.plan({ method: 'POST', path: 'dns_records$', ...fault })
    expect(await world.heard('GET', world.records)).toBe(200)
    expect(await world.heard('POST', world.records, A)).toBe(answer)
    expect(await world.heard('POST', world.records, A)).toBe(200)
  })

  it.each(['html', 'half', 'reset before', 'black hole'] as const)('%s, without an effect', async (fault) => {
    world.double.faults.plan({ do: fault })
    const signal = AbortSignal.timeout(300)
    const headers = { authorization: 'Bearer token-of-the-first', 'content-type': 'application/json' }
    const sent = fetch(world.double.url + world.records, { method: 'POST', headers, body: JSON.stringify(A), signal })
    await expect(sent.then((response) => response.json())).rejects.toThrow()
    expect(world.zone.records.size).toBe(0)
  })

  it('reset after the effect', async () => {
    world.double.faults.plan({ do: 'reset after' })
    await expect(world.ask('POST', world.records, A)).rejects.toThrow()
    expect(world.zone.records.size).toBe(1)
  })

  it('held until it is released, or for a time', async () => {
    world.double.faults.plan({ do: 'hold' })
    const held = world.ask('POST', world.records, A)
    await expect.poll(() => world.double.faults.held).toBe(1)
    world.double.faults.release()
    expect((await held).status).toBe(200)
    world.double.faults.plan({ do: 'wait', ms: 1 })
    expect(await world.heard('GET', world.records)).toBe(200)
  })
})

it('CF-DBL-09 all calls are logged, and the digest says whether anything changed', async () => {
  const { double } = world
  const before = double.state.digest()
  await world.ask('GET', `${world.records}?type=A`)
  expect(double.state.digest()).toBe(before)
  expect(double.writes()).toEqual([])
  await world.ask('POST', world.records, A)
  expect(double.state.digest()).not.toBe(before)
  expect(double.log).toMatchObject([
    { method: 'GET', path: world.records, query: { type: 'A' }, token: 'first', status: 200 },
    { method: 'POST', path: world.records, body: A, token: 'first', status: 200 },
  ])
  expect(JSON.stringify(double.log)).not.toContain('token-of-the-first')
})
