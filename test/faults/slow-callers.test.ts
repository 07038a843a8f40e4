import { describe, expect, it } from 'vitest'
import { stateOf } from './row.ts'
import { slowdown } from './slow-callers.ts'

describe('what good reviews take beside slow callers', () => {
  it.each([
    { name: 'half as much again holds', alone: 2, beside: 3, state: 'holds' },
    { name: 'more is missed', alone: 2, beside: 4, state: 'missed' },
    { name: 'many times as much of next to nothing is missed', alone: 2, beside: 90, state: 'missed' },
    { name: 'a wait of which nobody can tell the cause is missed', alone: 20, beside: 300, state: 'missed' },
    { name: 'a wait for the slow fails the run', alone: 2, beside: 1_000, state: 'FAILED' },
  ])('$name', ({ alone, beside, state }) => {
    expect(stateOf({ ...slowdown([alone], [beside]), what: 'p99' })).toBe(state)
  })
})
