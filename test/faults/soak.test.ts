import { describe, expect, it } from 'vitest'
import { stateOf } from './row.ts'
import { fitted, gapRow, growthRow } from './soak.ts'

describe('the slope of a soak', () => {
  const hours = Array.from({ length: 121 }, (_, i) => i / 120)
  const noise = (i: number) => (i % 2 === 0 ? 1 : -1)

  it.each([
    { name: 'of what does not grow is none', perHour: 0, noise: 0 },
    { name: 'of what grows is how much, however much it goes up and down', perHour: 3, noise: 0.5 },
  ])('$name', ({ perHour, noise: by }) => {
    const { slope, error } = fitted(hours.map((hour, i) => [hour, 30 + perHour * hour + by * noise(i)]))
    expect(Math.abs(slope - perHour)).toBeLessThan(0.02)
    expect(error).toBeLessThan(0.2)
    expect(error > 0.1).toBe(by > 0)
  })
})

describe('what a soak comes to', () => {
  const MIB = 1024 * 1024
  const growing = (perHour: number, seconds: number) =>
    Array.from({ length: 120 }, (_, i) => {
      const at = (i * seconds) / 120
      return { seconds: at, heap: (30 + (perHour * at) / 3_600) * MIB, external: 0 }
    })

  it.each([
    { name: 'ten minutes in which little grows hold', perHour: 0.5, seconds: 600, state: 'holds' },
    { name: 'ten minutes in which more grows are missed', perHour: 3, seconds: 600, state: 'missed' },
    { name: 'ten minutes in which much grows fail the run', perHour: 21, seconds: 600, state: 'FAILED' },
    { name: 'of a minute nothing is said', perHour: 21, seconds: 60, state: 'not said' },
    { name: 'an hour in which little grows holds', perHour: 0.5, seconds: 3_600, state: 'holds' },
    { name: 'an hour in which more grows fails the run', perHour: 3, seconds: 3_600, state: 'FAILED' },
  ])('$name', ({ perHour, seconds, state }) => {
    expect(stateOf(growthRow(growing(perHour, seconds), seconds))).toBe(state)
  })

  it.each([
    { name: 'a short gap holds', gapMs: 40, state: 'holds' },
    { name: 'a long one is missed', gapMs: 200, state: 'missed' },
    { name: 'one of more than a second fails the run', gapMs: 1_100, state: 'FAILED' },
  ])('$name', ({ gapMs, state }) => {
    expect(stateOf(gapRow([{ gapMs: 3 }, { gapMs }], [{ gapMs: 3 }]))).toBe(state)
  })
})
