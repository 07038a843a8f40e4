import { beforeEach, describe, expect, it } from 'vitest'
import { Room } from '../../../../src/http/intake/room.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'

let clock: ManualClock
let room: Room
beforeEach(() => {
  clock = new ManualClock()
  room = new Room(100, clock.tick)
})

/** A body that has so much, and goes when it is told. */
function coming(bytes: number) {
  const share = room.share()
  share.take(bytes)
  const seen = { wasSentAway: false }
  const evict = () => {
    seen.wasSentAway = true
    share.giveBack()
  }
  return { seen, arrived: room.coming({ began: clock.tick(), evict }) }
}

describe('room for bodies', () => {
  it('is taken and given back', () => {
    const [one, another] = [room.share(), room.share()]
    expect([one.take(60), another.take(41), another.take(40), room.has(1)]).toEqual([true, false, true, false])
    one.giveBack()
    one.giveBack()
    expect([room.has(60), room.has(61)]).toEqual([true, false])
  })

  it.each([
    {
      name: 'one that has been coming for longer than a second goes when room is short',
      ms: 1_001,
      bytes: 41,
      goes: true,
    },
    { name: 'it stays while there is room', ms: 60_000, bytes: 40, goes: false },
    { name: 'one that has come for less stays', ms: 999, bytes: 41, goes: false },
  ])('$name', ({ ms, bytes, goes }) => {
    const { seen } = coming(60)
    clock.advance(ms)
    expect(room.has(bytes)).toBe(goes || bytes === 40)
    expect(seen.wasSentAway).toBe(goes)
  })

  it('is kept by what has arrived, however long ago', () => {
    const { seen, arrived } = coming(60)
    arrived()
    clock.advance(60_000)
    expect(room.has(41)).toBe(false)
    expect(seen.wasSentAway).toBe(false)
  })
})
