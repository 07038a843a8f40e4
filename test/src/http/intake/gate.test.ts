import { beforeEach, describe, expect, it } from 'vitest'
import { Gate, type GateLimits, Shed } from '../../../../src/http/intake/gate.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'

let clock: ManualClock
let turnEnds: (() => void)[]
let depths: number[]
beforeEach(() => {
  clock = new ManualClock()
  turnEnds = []
  depths = []
})

function gateOf(limits: Partial<GateLimits> = {}): Gate {
  return new Gate({
    clock,
    limits,
    atTurnEnd: (act) => void turnEnds.push(act),
    depthChanged: (depth) => void depths.push(depth),
  })
}
function endTurn(): void {
  for (const act of turnEnds.splice(0)) act()
}
/** Until nothing more happens by itself. */
async function settled(): Promise<void> {
  for (let i = 0; i < 200; i += 1) await Promise.resolve()
}

/** Reviews that last until the test ends them; who has begun, and who was sent away and why. */
function reviewsAt(gate: Gate) {
  const begun: string[] = []
  const away: string[] = []
  const ends = new Map<string, () => void>()
  const waits = new Map<string, number>()
  return {
    begun,
    away,
    waits,
    come(name: string, takesMs = 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      const passed = gate.pass(async (waitedMs) => {
        begun.push(name)
        waits.set(name, waitedMs)
        clock.advance(takesMs)
        await promise
      })
      passed.catch((error) => away.push(`${name}: ${error instanceof Shed ? error.crowding : error}`))
    },
    async end(name: string) {
      ends.get(name)?.()
      await settled()
    },
  }
}

describe('a gate', () => {
  it('lets in as many as may be in flight, and another when one leaves, in the order in which they came', async () => {
    const reviews = reviewsAt(gateOf({ most: 2 }))
    for (const name of ['a', 'b', 'c', 'd']) reviews.come(name)
    await settled()
    expect(reviews.begun).toEqual(['a', 'b'])
    await reviews.end('a')
    expect(reviews.begun).toEqual(['a', 'b', 'c'])
    expect(depths).toEqual([1, 2, 1])
  })

  it('lets another in also after one that failed', async () => {
    const gate = gateOf({ most: 1 })
    const failed = gate.pass(() => Promise.reject(new Error('in the review')))
    const reviews = reviewsAt(gate)
    reviews.come('a')
    await expect(failed).rejects.toThrow('in the review')
    await settled()
    expect(reviews.begun).toEqual(['a'])
  })

  it('sends away whoever comes when as many wait as may (SV-5)', async () => {
    const gate = gateOf({ most: 1, waiting: 2 })
    const reviews = reviewsAt(gate)
    for (const name of ['a', 'b', 'c']) reviews.come(name)
    await settled()
    expect(gate.isFull).toBe(true)
    reviews.come('d')
    await settled()
    expect(reviews.away).toEqual(['d: queue'])
    await reviews.end('a')
    expect(gate.isFull).toBe(false)
    expect(reviews.begun).toEqual(['a', 'b'])
  })

  it('sends away whoever has waited for half a second, and lets the others go on waiting', async () => {
    const reviews = reviewsAt(gateOf({ most: 1 }))
    reviews.come('a')
    reviews.come('b')
    clock.advance(300)
    reviews.come('c')
    clock.advance(200)
    await settled()
    expect(reviews.away).toEqual(['b: wait'])
    endTurn()
    await reviews.end('a')
    expect(reviews.begun).toEqual(['a', 'c'])
    expect(clock.isWaitedFor).toBe(false)
  })

  it.each([
    { name: 'its place in flight', waiting: 2 },
    { name: 'its place among those that wait', waiting: 1 },
  ])('one that waited and gave up leaves the next review $name', async ({ waiting }) => {
    const reviews = reviewsAt(gateOf({ most: 1, least: 1, waiting }))
    reviews.come('a')
    reviews.come('b')
    clock.advance(500)
    endTurn()
    reviews.come('c')
    await reviews.end('a')
    const { away, begun } = reviews
    expect({ away, begun, depths }).toEqual({ away: ['b: wait'], begun: ['a', 'c'], depths: [1, 0, 1, 0] })
  })

  it('says how long one has waited', async () => {
    const reviews = reviewsAt(gateOf({ most: 1 }))
    reviews.come('a')
    reviews.come('b')
    clock.advance(40)
    await reviews.end('a')
    endTurn()
    await settled()
    expect(Object.fromEntries(reviews.waits)).toEqual({ a: 0, b: 40 })
  })
})

describe('a turn of the event loop', () => {
  it('begins reviews for five milliseconds, and the next one goes on', async () => {
    const reviews = reviewsAt(gateOf())
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) reviews.come(name, 2)
    await settled()
    expect(reviews.begun).toEqual(['a', 'b', 'c'])
    endTurn()
    await settled()
    expect(reviews.begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('that begins nothing else lets in who waits', async () => {
    const reviews = reviewsAt(gateOf())
    reviews.come('a', 10)
    reviews.come('b', 10)
    reviews.come('c', 10)
    for (const begun of [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]) {
      endTurn()
      await settled()
      expect(reviews.begun).toEqual(begun)
    }
  })

  it.each([
    { name: 'four times as long as others kept it waiting', others: 10, begun: 20 },
    { name: 'but for fifty milliseconds at most', others: 100, begun: 25 },
    { name: 'and for five at least', others: 1, begun: 3 },
  ])('begins those that wait for as long as is theirs: $name', async ({ others, begun }) => {
    const gate = gateOf()
    const reviews = reviewsAt(gate)
    for (let i = 0; i < 60; i += 1) reviews.come(String(i), 2)
    await settled()
    const before = reviews.begun.length
    clock.advance(others) // others are sent away meanwhile
    endTurn()
    await settled()
    expect(reviews.begun.length - before).toBe(begun)
  })

  it.each([
    { late: 1, inTime: 0, places: 12 },
    { late: 2, inTime: 0, places: 9 },
    { late: 3, inTime: 0, places: 8 },
    { late: 9, inTime: 0, places: 8 },
    { late: 9, inTime: 2, places: 10 },
    { late: 9, inTime: 100, places: 16 },
  ])('of 16 places $late late turns and $inTime in time leave $places', async ({ late, inTime, places }) => {
    const gate = gateOf({ most: 16, least: 8, turnMs: 1_000, longTurnMs: 1_000, lateMs: 25 })
    await turns(gate, late, 26)
    await turns(gate, inTime, 25)
    expect(await placesIn(gate)).toBe(places)
  })
})

/** That many turns, in each of which one review takes so long. */
async function turns(gate: Gate, many: number, ms: number): Promise<void> {
  for (let turn = 0; turn < many; turn += 1) {
    await gate.pass(async () => clock.advance(ms))
    endTurn()
  }
}

/** How many get in at once. */
async function placesIn(gate: Gate): Promise<number> {
  const reviews = reviewsAt(gate)
  for (let i = 0; i < 32; i += 1) reviews.come(String(i))
  await settled()
  return reviews.begun.length
}
