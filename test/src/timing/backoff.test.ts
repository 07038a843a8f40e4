import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../../src/timing/backoff.ts'

const AFTER_FAILURE = { first: 1_000, most: 60_000 }
const pausesAt = (chance: number) =>
  [0, 1, 2, 5, 6, 2_000].map((failures) => backoffMs(AFTER_FAILURE, failures, { random: () => chance }))

describe('the one backoff', () => {
  it('doubles with each failure up to the most', () => {
    expect(pausesAt(1)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000])
  })
  it('is at least half of that', () => {
    expect(pausesAt(0)).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000])
  })
  it.each([
    { jitter: [0, 1] as const, pauses: [0, 1_000, 2_000] },
    { jitter: [0.5, 1.5] as const, pauses: [1_000, 2_000, 3_000] },
  ])('or lies between $jitter of it', ({ jitter, pauses }) => {
    const pauseAt = (chance: number) => backoffMs({ ...AFTER_FAILURE, jitter }, 1, { random: () => chance })
    expect([0, 0.5, 1].map(pauseAt)).toEqual(pauses)
  })
})
