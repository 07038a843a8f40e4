import { describe, expect, it } from 'vitest'
import { targets } from './targets.ts'

const RUNS = 100
/** They are many, and the machine may be busy. */
const TIME = 60_000

describe('whatever comes (RL-11; in earnest by "npm run fuzz")', () => {
  it.each(targets)('$name', { timeout: TIME }, async ({ check }) => {
    const seed = Date.now() % 1_000_000
    expect(await check({ seed, runs: RUNS })).toBeUndefined()
  })

  it('is tried in a dozen ways and more, reviews most of all', () => {
    expect(targets.length).toBeGreaterThanOrEqual(12)
    expect(targets.filter(({ ofReviews }) => ofReviews).reduce((sum, { share }) => sum + share, 0)).toBe(100)
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length)
  })
})
