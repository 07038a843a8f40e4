import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { Fault } from '../../src/faults.ts'
import type { Key } from '../../src/sync/keys.ts'
import type { OpenStore, Snapshot, StoreOptions } from '../../src/sync/store.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { until } from '../cluster/until.ts'
import { storeOptions } from '../support/builders/store-options.ts'
import { notes } from '../support/notes.ts'

/** Follows keys of a store as the daemon does: it watches, reads after each change, and comes back after a failure. */
export interface Follower {
  /** What it read last, in byte order. */
  values(): Readonly<Record<string, string>>
  /** What went wrong, newest last. */
  readonly failures: readonly Failure[]
  readonly changes: number
  readonly reads: number
  sees(values: Readonly<Record<string, string>>, seconds?: number): Promise<void>
}

/** An error itself would hold on to the connection that it came from, by its frames. */
type Failure = Pick<Fault, 'code' | 'retry' | 'message'>

const PAUSE_MS = 500

export function follow(open: OpenStore, options: Partial<StoreOptions>, keys: readonly Key[]): Follower {
  const ending = new AbortController()
  const { signal } = ending
  const store = open(storeOptions(options), { clock: systemClock, log: notes() })
  const failures: Failure[] = []
  const failed = (error: unknown) => {
    if (!(error instanceof Fault)) throw error
    const { code, retry, message } = error
    failures.push({ code, retry, message })
  }
  let snapshot: Snapshot = { values: new Map() }
  let [changes, reads, reading] = [0, 0, false]
  let dirty = false

  async function read(): Promise<void> {
    dirty = true
    if (reading) return
    reading = true
    while (dirty && !signal.aborted) {
      dirty = false
      try {
        snapshot = await store.read(keys, signal)
        reads++
      } catch (error) {
        failed(error)
        dirty = true
        await sleep(PAUSE_MS)
      }
    }
    reading = false
  }
  async function watch(): Promise<void> {
    while (!signal.aborted) {
      try {
        await store.watch(
          keys,
          () => {
            changes++
            void read()
          },
          signal,
        )
      } catch (error) {
        failed(error)
        await sleep(PAUSE_MS)
      }
    }
  }
  const watching = watch()
  onTestFinished(async () => {
    ending.abort()
    await watching
    await store.close()
  })

  const values = () => Object.fromEntries([...snapshot.values].sort())
  return {
    values,
    failures,
    get changes() {
      return changes
    },
    get reads() {
      return reads
    },
    async sees(expected, seconds = 45) {
      const wanted = JSON.stringify(Object.fromEntries(Object.entries(expected).sort()))
      await until(`it sees ${wanted}`, () => JSON.stringify(values()) === wanted, { seconds })
    },
  }
}
