import type { Cluster } from '../cluster/port.ts'
import { once } from './readiness.ts'
import type { ProcessPart } from './running.ts'

/** Ready when every cache has been listed once. Until then look-ups go to the API server. */
export function caches(cluster: Pick<Cluster, 'states'>): ProcessPart {
  const isSynced = once(() => cluster.states().every(({ synced }) => synced))
  const missing = () => (isSynced() ? undefined : 'not everything has been listed yet')
  return { checks: [{ name: 'caches', missing }], start: async () => ({}) }
}
