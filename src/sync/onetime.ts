import { backoffMs } from '../timing/backoff.ts'
import { pause } from '../timing/pause.ts'
import { batch, type Done, type Working } from './loop/batch.ts'
import { mayRetry, read } from './loop/reading.ts'
import type { State } from './loop/state.ts'
import type { SnapshotValues } from './pass/values.ts'
import type { Store } from './store.ts'

export interface OneTime {
  readonly states: readonly State[]
  readonly store: Store
  readonly working: Working
  /** How long the store is asked again. */
  readonly patienceMs: number
}

const AGAIN = { first: 250, most: 2_000 }

/** One pass of all resources, one after the other; how many of them failed (SY-EXIT-1, SY-EXIT-2). */
export async function onetime(asked: OneTime): Promise<number> {
  const { states, working } = asked
  const values = await patiently(asked)
  if (values === undefined) return states.length
  let failed = 0
  const tell = ({ outcome, ran }: Done) => {
    if (outcome.did === 'failed' || ran?.ok === false) failed++
  }
  const jobs = states.map((state) => ({ state, pairs: values.under(state.resource.keys) }))
  await batch(jobs, working, tell)
  return failed
}

/** A store that comes up beside us is waited for a little (SY-EXIT-8). */
async function patiently({ states, store, working, patienceMs }: OneTime): Promise<SnapshotValues | undefined> {
  const { host, stopping, report } = working
  const until = host.clock.tick() + patienceMs
  for (let failures = 0; !stopping.aborted; failures++) {
    try {
      return await read(store, states, stopping)
    } catch (error) {
      report.unread(store.name, error)
      const wait = backoffMs(AGAIN, failures, host.clock)
      if (!mayRetry(error) || host.clock.tick() + wait >= until) return undefined
      await pause(host.clock, wait, stopping)
    }
  }
  return undefined
}
