import { describe, expect, it } from 'vitest'
import { type Row, stateOf } from './row.ts'

const ROW = { id: 'RL-2', what: 'goodput', goal: '≥ 80 %', measured: '9 %', holds: false } satisfies Row

describe('what a row comes to', () => {
  it.each([
    { name: 'a promise kept holds', row: { holds: true }, state: 'holds' },
    { name: 'a promise broken fails the run', row: {}, state: 'FAILED' },
    { name: 'a figure that misses its goal fails nothing', row: { isFigure: true, isFar: false }, state: 'missed' },
    { name: 'a figure that is far off fails the run', row: { isFigure: true, isFar: true }, state: 'FAILED' },
    {
      name: 'a figure that is not far off and meets its goal holds',
      row: { isFigure: true, holds: true, isFar: false },
      state: 'holds',
    },
    {
      name: 'of too short a run nothing is said',
      row: { isFigure: true, isFar: true, isUnsaid: true },
      state: 'not said',
    },
  ] as const)('$name', ({ row, state }) => {
    expect(stateOf({ ...ROW, ...row })).toBe(state)
  })
})
