import { getEventListeners } from 'node:events'
import { beforeEach, expect, it } from 'vitest'
import { Turns } from '../../../../../src/cluster/kube/wire/turns.ts'
import { type Fuse, fuse } from '../../../../../src/timing/fuse.ts'
import { ManualClock } from '../../../../support/fakes/clock.ts'

const AT_FIRST = 2
const AT_MOST = 96
const LONG_MS = 50
const CALL_MS = 1_000
const GIVEN_UP_MS = 400

let clock: ManualClock
let turns: Turns

beforeEach(() => {
  clock = new ManualClock()
  turns = new Turns(clock, 'https://api-server')
})

it('two calls are under way at once, and who comes next has the turn of the first to end', async () => {
  const calls = await requested(4)
  expect(named(calls, 'under way')).toEqual([0, 1])
  await end(calls, 1)
  expect(named(calls, 'under way')).toEqual([0, 1, 2])
})

it('a call that need not wait for long earns no turn, and leaves no timer', async () => {
  const calls = await requested(3)
  clock.advance(LONG_MS - 1)
  await end(calls, 0)
  expect(clock.isWaitedFor).toBe(false)
  expect(named(await requested(1), 'waits')).toEqual([0])
})

it('each that has waited for long earns a turn, however many do at once', async () => {
  const calls = await requested(AT_MOST)
  clock.advance(LONG_MS)
  await settled()
  expect(named(calls, 'waits')).toEqual([])
})

it('turns are no more than 96, and the next to end gives its own to the first that waits', async () => {
  const calls = await requested(AT_MOST + 2)
  clock.advance(LONG_MS)
  await settled()
  expect(named(calls, 'waits')).toEqual([AT_MOST, AT_MOST + 1])
  await end(calls, 7)
  expect(named(calls, 'waits')).toEqual([AT_MOST + 1])
})

it('turns are two again when all is quiet', async () => {
  const calls = await requested(AT_MOST)
  clock.advance(LONG_MS)
  await settled()
  for (const [at] of calls.entries()) await end(calls, at)
  expect(named(await requested(3), 'under way')).toEqual([0, 1])
})

it('a call that has waited for two fifths of its time is told so, and leaves nothing behind', async () => {
  const calls = await requested(AT_MOST + 1)
  clock.advance(GIVEN_UP_MS)
  await settled()
  const message = 'too many requests to the API server at https://api-server are under way already'
  expect(calls.at(-1)).toMatchObject({ is: 'given up', fault: { code: 'DEADLINE', message } })
  await end(calls, 0)
  expect(named(await requested(1), 'under way')).toEqual([0])
  expect(clock.isWaitedFor).toBe(false)
})

it('a call that waited and got its turn is listened to no more', async () => {
  const first = await requested(AT_FIRST)
  const patience = patienceOf()
  const waiting = turns.take(patience)
  expect(getEventListeners(patience.signal, 'abort')).toHaveLength(1)
  await end(first, 0)
  await waiting
  expect(getEventListeners(patience.signal, 'abort')).toEqual([])
})

interface Exchange {
  is: 'waits' | 'under way' | 'given up'
  giveBack: () => void
  fault?: unknown
}

async function requested(count: number): Promise<readonly Exchange[]> {
  const calls = Array.from({ length: count }, calledOnce)
  await settled()
  return calls
}

function calledOnce(): Exchange {
  const call: Exchange = { is: 'waits', giveBack: () => {} }
  turns.take(patienceOf()).then(
    (giveBack) => Object.assign(call, { is: 'under way', giveBack }),
    (fault) => Object.assign(call, { is: 'given up', fault }),
  )
  return call
}

async function end(calls: readonly Exchange[], at: number): Promise<void> {
  calls[at]?.giveBack()
  await settled()
}

/** Which of them, by number. */
function named(calls: readonly Exchange[], state: Exchange['is']): readonly number[] {
  return calls.flatMap(({ is }, at) => (is === state ? [at] : []))
}

/** That of a call; what becomes of its own time is its own affair. */
function patienceOf(): Fuse {
  const patience = fuse(clock, CALL_MS, () => new Error('no answer'))
  patience.hold()
  return patience
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
