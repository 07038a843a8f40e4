import { Fault } from '../../faults.ts'
import { collapsed } from '../keys.ts'
import { SnapshotValues } from '../pass/values.ts'
import type { Store } from '../store.ts'
import type { State } from './state.ts'

/** One read for all of them (SY-PIPE-2). Without a key the store is not asked. */
export async function read(store: Store, states: readonly State[], signal: AbortSignal): Promise<SnapshotValues> {
  const keys = collapsed(states.flatMap(({ resource }) => resource.keys))
  return new SnapshotValues(keys.length === 0 ? { values: new Map() } : await store.read(keys, signal), store)
}

/** An error that is no Fault is one of ours, and may go away. */
export const mayRetry = (error: unknown) => !(error instanceof Fault) || error.retry
