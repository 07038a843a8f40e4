import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { Turns } from '../../../../src/cluster/kube/turns.ts'
import { ManualClock } from '../../../support/manual-clock.ts'

const SLOW_MS = 250

let clock: ManualClock
let turns: Turns
const { signal } = new AbortController()

beforeEach(() => {
  clock = new ManualClock()
  turns = new Turns(clock)
})

describe('a call that is quick', () => {
  it('leaves nothing that would make room for others after its end', async () => {
    const giveBack = await turns.take(signal)
    giveBack()
    expect(clock.isWaitedFor).toBe(false)
  })

  it('earns the others no turn, however many such calls there were', async () => {
    for (let calls = 0; calls < 5; calls += 1) (await turns.take(signal))()
    clock.advance(SLOW_MS - 1)
    await Promise.all([turns.take(signal), turns.take(signal)])
    const third = asked()
    clock.advance(1)
    await settled()
    expect(third.isTaken).toBe(false)
  })
})

describe('a call that is slow', () => {
  it('earns whoever waits a turn', async () => {
    await Promise.all([turns.take(signal), turns.take(signal)])
    const third = asked()
    clock.advance(SLOW_MS)
    await settled()
    expect(third.isTaken).toBe(true)
  })
})

it('whoever waited and got its turn is listened to no more', async () => {
  const [giveBack] = await Promise.all([turns.take(signal), turns.take(signal)])
  const { signal: own } = new AbortController()
  const waiting = turns.take(own)
  expect(getEventListeners(own, 'abort')).toHaveLength(1)
  giveBack()
  await waiting
  expect(getEventListeners(own, 'abort')).toEqual([])
})

function asked(): { readonly isTaken: boolean } {
  const waiting = { isTaken: false }
  void turns.take(signal).then(() => {
    waiting.isTaken = true
  })
  return waiting
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
