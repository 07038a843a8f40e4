import { describe, expect, it } from 'vitest'
import { type Row, stateOf } from './row.ts'

const ROW: Row = { id: 'RL-2', what: 'goodput', goal: '≥ 80 %', measured: '9 %', holds: false }

describe('what a row comes to', () => {
  it.each([
    { name: 'a promise kept holds', row: { holds: true }, state: 'holds' },
    { name: 'a promise broken fails the run', row: {}, state: 'FAILED' },
    { name: 'a figure that misses its goal fails nothing', row: { isFigure: true }, state: 'missed' },
    { name: 'a figure that is far off fails the run', row: { isFigure: true, isFar: true }, state: 'FAILED' },
    {
      name: 'a figure that is not far off and meets its goal holds',
      row: { holds: true, isFar: false },
      state: 'holds',
    },
    { name: 'of too short a run nothing is said', row: { isUnsaid: true }, state: 'not said' },
  ] as const)('$name', ({ row, state }) => {
    expect(stateOf({ ...ROW, ...row })).toBe(state)
  })
})
