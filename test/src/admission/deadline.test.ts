import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bounded, boundedPasswords, deadlineOf, LIVE_READ_MS } from '../../../src/admission/deadline.ts'
import type { Passwords } from '../../../src/admission/mutation.ts'
import type { ClusterReader } from '../../../src/cluster/port.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { readerOf } from '../../support/fakes/readers.ts'
import { quickPasswords } from '../../support/passwords.ts'

const REF = { namespace: 'demo', name: 'g' }
const WHERE = { namespace: 'demo' }
const LATE = { code: 'DEADLINE', message: 'gadgets could not be read in time', retry: true }

describe('a deadline (SV-4)', () => {
  it('is at four fifths of what is left of the timeout after a tenth for the way back', () => {
    let now = 5_000
    const deadline = deadlineOf(10_000, () => now)
    expect(deadline.left()).toBeCloseTo(7_200)
    now += 7_000
    expect(deadline.left()).toBeCloseTo(200)
    now += 1_000
    expect(deadline.left()).toBeCloseTo(-800)
  })
})

describe('a bounded reader', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  /** Answers after so many milliseconds. */
  function slow(ms: number): ClusterReader {
    const wait = () => new Promise<void>((done) => setTimeout(done, ms))
    const reader = readerOf(aGadget())
    return {
      get: async (of, ref) => wait().then(() => reader.get(of, ref)),
      list: async (of, where) => wait().then(() => reader.list(of, where)),
      dryRun: async (of, object, by) => wait().then(() => reader.dryRun(of, object, by)),
    }
  }
  const never = slow(1e9)

  it('hands on what comes in time, and keeps no timer', async () => {
    const reader = bounded(slow(999), { left: () => 5_000 })
    const both = Promise.all([reader.get(GADGET, REF), reader.list(GADGET, WHERE)])
    await vi.advanceTimersByTimeAsync(999)
    expect(await both).toEqual([aGadget(), [aGadget()]])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    { name: 'a second at most', left: 5_000, ms: 1_000 },
    { name: 'what is left, if that is less', left: 300, ms: 300 },
    { name: 'as long as its door says', left: 5_000, ms: 500, lookUpMs: 500 },
  ])('waits for one look-up $name', async ({ left, ms, lookUpMs }) => {
    const reader = bounded(never, { left: () => left }, lookUpMs)
    const settled: unknown[] = []
    for (const read of [reader.get(GADGET, REF), reader.list(GADGET, WHERE)]) read.catch((fault) => settled.push(fault))
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(settled).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(settled).toEqual([expect.objectContaining(LATE), expect.objectContaining(LATE)])
  })

  it('PATCH-V-20 waits for a dry run twice as long', async () => {
    const answers = bounded(slow(1_999), { left: () => 5_000 }).dryRun(GADGET, aGadget(), 'create')
    const late = bounded(never, { left: () => 5_000 }).dryRun(GADGET, aGadget(), 'apply')
    const gone = expect(late).rejects.toMatchObject({ ...LATE, message: 'gadgets could not be dry-run in time' })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await answers).toEqual(aGadget())
    await gone
  })

  it('leaves it to a reader that gives up by itself to say what it waited for', async () => {
    const why = new Error('no answer')
    const givesUp = () => new Promise<never>((_, reject) => void setTimeout(reject, LIVE_READ_MS, why))
    const reader = bounded({ get: givesUp, list: givesUp, dryRun: givesUp }, { left: () => 5_000 })
    const shown = Promise.allSettled([reader.get(GADGET, REF), reader.list(GADGET, WHERE)])
    await vi.advanceTimersByTimeAsync(999)
    expect(await shown).toEqual([1, 2].map(() => ({ status: 'rejected', reason: why })))
  })

  it.each([0, -1])('does not begin a look-up with %s ms left', async (left) => {
    const inner = readerOf(aGadget())
    const reader = bounded(inner, { left: () => left })
    await expect(reader.get(GADGET, REF)).rejects.toMatchObject(LATE)
    await expect(reader.list(GADGET, WHERE)).rejects.toMatchObject(LATE)
    expect(inner.reads).toEqual([])
  })

  it('hands on a failure as it is', async () => {
    const failing = () => Promise.reject(new Error('reset'))
    const reader = bounded({ get: failing, list: failing, dryRun: failing }, { left: () => 5_000 })
    await expect(reader.get(GADGET, REF)).rejects.toThrow('reset')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('bounded passwords (SV-12)', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())
  const TOO_LATE = { code: 'DEADLINE', message: 'the password could not be hashed in time', retry: true }

  /** Never done; notes who asked, and who has gone. */
  function endless() {
    const signals: (AbortSignal | undefined)[] = []
    const wait = (gone?: AbortSignal) => {
      signals.push(gone)
      return new Promise<never>(() => {})
    }
    const passwords: Passwords = {
      hash: (_text, _cost, gone) => wait(gone),
      verify: (_text, _hash, gone) => wait(gone),
    }
    return { passwords, signals }
  }

  it('hand on what comes in time, and keep no timer', async () => {
    const passwords = boundedPasswords(quickPasswords, { left: () => 100 })
    const hash = await passwords.hash('text', 10)
    expect(await passwords.verify('text', hash)).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('wait no longer than the review does, and say that nobody waits any more', async () => {
    const { passwords, signals } = endless()
    const late = boundedPasswords(passwords, { left: () => 300 })
    const reported = Promise.all(
      [late.hash('text', 10), late.verify('text', '')].map((each) => expect(each).rejects.toMatchObject(TOO_LATE)),
    )
    await vi.advanceTimersByTimeAsync(299)
    expect(signals.map((gone) => gone?.aborted)).toEqual([false, false])
    await vi.advanceTimersByTimeAsync(1)
    await reported
    expect(signals.map((gone) => gone?.aborted)).toEqual([true, true])
  })

  it.each([0, -1])('begin nothing with %s ms left', async (left) => {
    const { passwords, signals } = endless()
    await expect(boundedPasswords(passwords, { left: () => left }).hash('text', 10)).rejects.toMatchObject(TOO_LATE)
    expect(signals).toEqual([])
  })
})
