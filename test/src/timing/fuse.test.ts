import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { fuse } from '../../../src/timing/fuse.ts'
import { ManualClock } from '../../support/fakes/clock.ts'

function fused() {
  const clock = new ManualClock()
  const parent = new AbortController()
  return { clock, parent, ...fuse(clock, 1_000, () => new Error('silent'), parent.signal) }
}

describe('a fuse', () => {
  it('aborts with its own reason unless it is rewound in time', () => {
    const { clock, signal, rewind, left } = fused()
    clock.advance(900)
    expect(left()).toBe(100)
    rewind()
    clock.advance(900)
    expect(signal.aborted).toBe(false)
    clock.advance(100)
    expect(signal.reason).toEqual(new Error('silent'))
  })
  it('aborts with its parent, even while it is held', () => {
    const { clock, parent, signal, hold } = fused()
    hold()
    clock.advance(5_000)
    expect(signal.aborted).toBe(false)
    parent.abort('over')
    expect(signal.reason).toBe('over')
  })
  it('leaves no listener and no timer when it is released', () => {
    const { clock, parent, rewind, release } = fused()
    rewind()
    release()
    expect(getEventListeners(parent.signal, 'abort')).toEqual([])
    expect(clock.isWaitedFor).toBe(false)
  })
})
