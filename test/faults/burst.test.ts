import { describe, expect, it } from 'vitest'
import { steadyRow } from './burst.ts'
import { stateOf } from './row.ts'

const GOOD = { seconds: 1, decided: many(1_000), putOff: [], shed: [], failed: [], due: 1_000, unsent: 0 }

describe('a steady load (RL-1)', () => {
  it.each([
    { name: 'holds when all is decided', load: {}, state: 'holds' },
    { name: 'fails when one was lost', load: { failed: [3] }, state: 'FAILED' },
    { name: 'fails when one was sent away', load: { shed: [3] }, state: 'FAILED' },
    { name: 'fails when one was put off', load: { putOff: [3] }, state: 'FAILED' },
    { name: 'fails when more than one in a hundred was not sent', load: { unsent: 11 }, state: 'FAILED' },
    { name: 'fails when nothing was decided', load: { decided: [] }, state: 'FAILED' },
  ])('$name', ({ load, state }) => {
    expect(stateOf(steadyRow({ ...GOOD, ...load }, 1))).toBe(state)
  })
})

function many(count: number): readonly number[] {
  return Array.from({ length: count }, () => 2)
}
