import { Fault } from '../../faults.ts'
import { type Backoff, backoffMs } from '../../timing/backoff.ts'
import type { Clock } from '../../timing/clock.ts'
import { pause } from '../../timing/pause.ts'
import type { Host } from '../host/host.ts'
import type { Key } from '../keys.ts'
import type { Report } from '../report.ts'
import type { Store } from '../store.ts'
import { mayRetry } from './reading.ts'

const AGAIN: Backoff = { first: 500, most: 30_000, jitter: [0, 1] }
const HEALTHY_MS = 60_000

interface Following {
  readonly store: Store
  readonly keys: readonly Key[]
  readonly changed: () => void
  readonly clock: Clock
  readonly report: Report
  readonly signal: AbortSignal
}

/** Follows the store until the signal aborts. A watch that ends is begun again after a pause (SY-FAIL-2). */
export async function following({ store, keys, changed, clock, report, signal }: Following): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const from = clock.tick()
    try {
      await store.watch(keys, heard, signal)
      if (signal.aborted) return
      throw new Fault('STORE_UNREACHABLE', 'the watch has ended')
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Fault && error.code === 'STORE_SENDS_NO_CHANGES') {
        report.polls(store.name, error)
        return
      }
      if (clock.tick() - from >= HEALTHY_MS) failures = 0
      report.watchLost(store.name, error)
      await pause(clock, backoffMs(AGAIN, mayRetry(error) ? failures++ : AGAIN.most, clock), signal)
    }
  }

  function heard(): void {
    report.watches(store.name)
    changed()
  }
}

interface FollowingFolders {
  readonly folders: readonly string[]
  readonly changed: () => void
  readonly host: Pick<Host, 'follow' | 'clock'>
  readonly report: Report
  readonly signal: AbortSignal
}

/** As for a store: what ends is begun again after a pause. */
export async function followingFolders({ folders, changed, host, report, signal }: FollowingFolders): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await host.follow(folders, changed, signal)
    } catch (error) {
      if (!signal.aborted) report.confdirLost(error)
    }
    await pause(host.clock, backoffMs(AGAIN, failures, host.clock), signal)
  }
}
