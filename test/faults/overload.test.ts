import { describe, expect, it } from 'vitest'
import { rowsOf } from './overload.ts'
import { stateOf } from './row.ts'

const MIB = 1024 * 1024
const LOAD = { seconds: 1, decided: many(90), putOff: [], shed: many(200), failed: [], due: 300, unsent: 0 }
const PUT_OFF = { lost: 0, putOff: 1 }
const NONE = { lost: 0, putOff: 0 }
const GOOD = {
  patient: LOAD,
  impatient: LOAD,
  ...{ saturated: NONE, overloaded: NONE, saturation: 100, peakBefore: 100 * MIB, peak: 110 * MIB, recoveredMs: 0 },
}

describe('an overload (RL-2)', () => {
  it('holds when nearly as much is decided as ever', () => {
    expect(states({})).toEqual(Array.from({ length: 7 }, () => 'holds'))
  })

  it.each([
    {
      name: 'a review that was lost fails the run',
      found: { overloaded: { lost: 1, putOff: 0 } },
      row: 1,
      state: 'FAILED',
    },
    {
      name: 'one that was put off does, where nothing is looked up',
      found: { overloaded: PUT_OFF },
      row: 1,
      state: 'FAILED',
    },
    { name: 'less than is decided in peace is missed', found: { patient: deciding(60) }, row: 2, state: 'missed' },
    { name: 'next to nothing fails the run', found: { patient: deciding(5) }, row: 2, state: 'FAILED' },
    { name: 'so does a server that decided nothing in peace', found: failingAll(), row: 2, state: 'FAILED' },
    { name: 'a peak of half as much again is missed', found: { peak: 150 * MIB }, row: 5, state: 'missed' },
    { name: 'a peak of four times as much fails the run', found: { peak: 400 * MIB }, row: 5, state: 'FAILED' },
  ])('$name', ({ found, row, state }) => {
    expect(states(found)[row]).toBe(state)
  })

  it('may put off who waits for a look-up, but not when no more come than can be answered', () => {
    expect(states({ overloaded: PUT_OFF }, true)[1]).toBe('holds')
    expect(states({ saturated: PUT_OFF }, true)[0]).toBe('FAILED')
  })
})

function states(found: Partial<typeof GOOD>, looksUp?: true) {
  return rowsOf({ ...GOOD, ...found }, { what: '4 KiB', ...(looksUp && { looksUp }) }).map(stateOf)
}
function deciding(count: number) {
  return { ...LOAD, decided: many(count) }
}
function failingAll() {
  return { patient: deciding(0), saturation: 0 }
}
function many(count: number): number[] {
  return Array.from({ length: count }, () => 2)
}
