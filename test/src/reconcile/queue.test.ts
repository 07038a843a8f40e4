import { describe, expect, it } from 'vitest'
import type { Key } from '../../../src/reconcile/controller.ts'
import { idOf, KeyQueue } from '../../../src/reconcile/queue.ts'
import { ManualClock } from '../../support/fakes/clock.ts'

const key = (name: string): Key => ({ namespace: 'demo', name })
const GATHER = { gather: { quietMs: 100, atMostMs: 250 } }

function queued() {
  const clock = new ManualClock()
  clock.chance = 1
  const queue = new KeyQueue(clock, () => undefined)
  const due = () => Array.from({ length: queue.depth }, () => queue.next()?.name)
  return { clock, queue, due }
}

describe('WR-1, WK-3 a queue of keys', () => {
  it('has each key once, in the order in which they came', () => {
    const { queue, due } = queued()
    for (const name of ['a', 'b', 'a', 'c', 'a']) queue.wake(key(name))
    expect(due()).toEqual(['a', 'b', 'c'])
  })

  it('tells keys apart by their fields, whatever these hold', () => {
    const keys: readonly Key[] = [
      { namespace: 'a', name: 'b/c' },
      { namespace: 'a/b', name: 'c' },
      { namespace: 'a', name: 'b', group: ['c'] },
      { namespace: 'a', name: 'b', group: ['c', ''] },
      { namespace: 'a', name: 'b","c' },
    ]
    expect(new Set(keys.map(idOf)).size).toBe(keys.length)
  })

  it('does not hand out a key that runs, and keeps what wakes it meanwhile', () => {
    const { queue, due } = queued()
    queue.wake(key('a'))
    expect(due()).toEqual(['a'])
    queue.wake(key('a'))
    expect(due()).toEqual([])
    queue.finished(key('a'))
    expect(due()).toEqual(['a'])
    queue.finished(key('a'))
    expect(due()).toEqual([])
  })

  it('has edits go before a resync, also those of a key that a resync woke first', () => {
    const { queue, due } = queued()
    for (const name of ['a', 'b', 'c']) queue.wake(key(name), { urgency: 'resync' })
    queue.wake(key('d'))
    queue.wake(key('b'))
    queue.wake(key('d'), { urgency: 'resync' })
    expect(due()).toEqual(['d', 'b', 'a', 'c'])
  })

  it('brings a failed key back after 5 ms, doubled each time up to 5 minutes', () => {
    const { clock, queue, due } = queued()
    queue.wake(key('a'))
    const waits = Array.from({ length: 18 }, (_, failures) => {
      expect(due()).toEqual(['a'])
      expect(queue.failuresOf(key('a'))).toBe(failures)
      queue.failed(key('a'))
      const from = clock.tick()
      clock.toNext()
      return clock.tick() - from
    })
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40])
    expect(waits.slice(-3)).toEqual([163_840, 300_000, 300_000])
    due()
    queue.finished(key('a'))
    expect(queue.failuresOf(key('a'))).toBe(0)
  })

  it('takes up to half of a backoff away', () => {
    const { clock, queue, due } = queued()
    clock.chance = 0
    queue.wake(key('a'))
    due()
    queue.failed(key('a'))
    clock.advance(2.5)
    expect(due()).toEqual(['a'])
  })

  it('an event brings a key at once that is due later, and the earliest time counts', () => {
    const { clock, queue, due } = queued()
    queue.wake(key('a'), { afterMs: 500 })
    queue.wake(key('a'), { afterMs: 900 })
    clock.advance(499)
    expect(due()).toEqual([])
    clock.advance(1)
    expect(due()).toEqual(['a'])
    queue.wake(key('a'), { afterMs: 500 })
    queue.finished(key('a'))
    queue.wake(key('a'))
    expect(due()).toEqual(['a'])
    queue.finished(key('a'))
    clock.advance(1_000)
    expect(due()).toEqual([])
  })

  it('waits longer than a timer can', () => {
    const { clock, queue, due } = queued()
    queue.wake(key('a'), { afterMs: 365 * 86_400_000 })
    clock.advance(364 * 86_400_000)
    expect(due()).toEqual([])
    clock.advance(86_400_000)
    expect(due()).toEqual(['a'])
  })
})

describe('WR-10 changes are gathered', () => {
  it('until none came for a while', () => {
    const { clock, queue, due } = queued()
    queue.wake(key('a'), GATHER)
    clock.advance(60)
    queue.wake(key('a'), GATHER)
    clock.advance(99)
    expect(due()).toEqual([])
    clock.advance(1)
    expect(due()).toEqual(['a'])
  })

  it('at most for so long', () => {
    const { clock, queue, due } = queued()
    for (let ms = 0; ms < 250; ms += 50) {
      queue.wake(key('a'), GATHER)
      expect(due()).toEqual([])
      clock.advance(50)
    }
    expect(due()).toEqual(['a'])
  })

  it('10,000 of one key are one turn', () => {
    const { clock, queue, due } = queued()
    for (let each = 0; each < 10_000; each += 1) queue.wake(key('a'), GATHER)
    expect(clock.waiting).toBe(1)
    clock.advance(100)
    expect(due()).toEqual(['a'])
  })

  it('and any other change brings the key at once', () => {
    const { queue, due } = queued()
    queue.wake(key('a'), GATHER)
    queue.wake(key('a'))
    expect(due()).toEqual(['a'])
    expect(queue.depth).toBe(0)
  })
})

describe('a key is kept back', () => {
  it('while it is held, whatever wakes it', () => {
    const { queue, due } = queued()
    queue.wake(key('a'))
    due()
    queue.hold(key('a'))
    queue.finished(key('a'))
    queue.wake(key('a'))
    expect(due()).toEqual([])
    queue.release(key('a'))
    expect(due()).toEqual(['a'])
  })

  it('after it was postponed, which is no failure', () => {
    const { clock, queue, due } = queued()
    queue.wake(key('a'))
    due()
    queue.failed(key('a'))
    clock.advance(5)
    due()
    queue.postponed(key('a'), 3_000)
    expect(queue.failuresOf(key('a'))).toBe(1)
    clock.advance(2_999)
    expect(due()).toEqual([])
    clock.advance(1)
    expect(due()).toEqual(['a'])
  })

  it('not at all once the queue was cleared', () => {
    const { clock, queue, due } = queued()
    for (const name of ['a', 'b', 'c']) queue.wake(key(name), { afterMs: name === 'c' ? 5 : 0 })
    queue.next()
    queue.clear()
    expect(due()).toEqual([])
    expect(clock.waiting).toBe(0)
    queue.wake(key('a'))
    expect(due()).toEqual([])
    queue.finished(key('a'))
    expect(due()).toEqual(['a'])
  })
})
