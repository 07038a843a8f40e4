import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { pause, unlessAborted } from '../../../src/timing/pause.ts'
import { ManualClock } from '../../support/fakes/clock.ts'

it('what fails after nobody waits for it any more is no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const failing = Promise.reject(new Error('later'))
  await expect(unlessAborted(failing, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe('a signal that lives as long as the process, and a clock, keep nothing of', () => {
  it.each([
    {
      name: 'a pause that is over',
      wait: async (clock: ManualClock, signal: AbortSignal) => {
        const over = pause(clock, 1_000, signal)
        clock.advance(1_000)
        await over
      },
    },
    {
      name: 'a promise that was kept',
      wait: (_: ManualClock, signal: AbortSignal) => unlessAborted(settled(), signal),
    },
  ])('$name', async ({ wait }) => {
    const clock = new ManualClock()
    const { signal } = new AbortController()
    await wait(clock, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(clock.isWaitedFor).toBe(false)
  })

  it('a pause that was ended early', async () => {
    const clock = new ManualClock()
    const controller = new AbortController()
    const over = pause(clock, 1_000, controller.signal)
    controller.abort()
    await over
    expect(clock.isWaitedFor).toBe(false)
  })
})

const settled = async () => undefined
