import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { Fault } from '../../src/faults.ts'
import type { Key } from '../../src/sync/keys.ts'
import type { OpenStore, Snapshot, Store, StoreOptions } from '../../src/sync/store.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { until } from '../cluster/until.ts'
import { storeOptions } from '../support/builders/store-options.ts'
import { notes } from '../support/notes.ts'

/** An error itself would hold on to the connection that it came from, by its frames. */
type Failure = Pick<Fault, 'code' | 'retry' | 'message'>

const PAUSE_MS = 500

/** Follows keys of a store as the daemon does: it watches, reads after each change, and comes back after a failure. */
export class Follower {
  /** What went wrong, newest last. */
  readonly failures: Failure[] = []
  changes = 0
  reads = 0
  readonly #store: Store
  readonly #keys: readonly Key[]
  readonly #signal: AbortSignal
  #snapshot: Snapshot = { values: new Map() }
  #isOutdated = false
  #reading: Promise<void> | undefined

  constructor(store: Store, keys: readonly Key[], signal: AbortSignal) {
    this.#store = store
    this.#keys = keys
    this.#signal = signal
  }

  /** What it read last, in byte order. */
  values(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#snapshot.values].sort())
  }

  async sees(expected: Readonly<Record<string, string>>, seconds = 45): Promise<void> {
    const wanted = JSON.stringify(Object.fromEntries(Object.entries(expected).sort()))
    await until(`it sees ${wanted}`, () => JSON.stringify(this.values()) === wanted, { seconds })
  }

  async watch(): Promise<void> {
    const changed = () => {
      this.changes++
      this.#isOutdated = true
      this.#reading ??= this.#read()
    }
    while (!this.#signal.aborted) await this.#orPause(() => this.#store.watch(this.#keys, changed, this.#signal))
    await this.#reading
  }

  async #read(): Promise<void> {
    while (this.#isOutdated && !this.#signal.aborted) {
      this.#isOutdated = false
      await this.#orPause(async () => {
        this.#snapshot = await this.#store.read(this.#keys, this.#signal)
        this.reads++
      })
    }
    this.#reading = undefined
  }

  async #orPause(ask: () => Promise<void>): Promise<void> {
    try {
      await ask()
    } catch (error) {
      if (this.#signal.aborted) return
      if (!(error instanceof Fault)) throw error
      const { code, retry, message } = error
      this.failures.push({ code, retry, message })
      this.#isOutdated = true
      await sleep(PAUSE_MS)
    }
  }
}

export function follow(open: OpenStore, options: Partial<StoreOptions>, keys: readonly Key[]): Follower {
  const ending = new AbortController()
  const store = open(storeOptions(options), { clock: systemClock, log: notes() })
  const follower = new Follower(store, keys, ending.signal)
  const watching = follower.watch()
  onTestFinished(async () => {
    ending.abort()
    await watching
    await store.close()
  })
  return follower
}
