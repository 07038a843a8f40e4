import { describe, expect, it } from 'vitest'
import { fitted } from './soak.ts'

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
