import type { Metric, Sample } from '../kit/telling.ts'

const SYNCS: Metric = {
  name: 'cf_tunnel_sync_total',
  type: 'counter',
  labels: ['result'],
  help: 'Configurations of tunnels that were sent or compared, by the sync-status that came of it.',
}
const ATTEMPTS: Metric = {
  name: 'cf_configmap_write_attempts',
  type: 'histogram',
  labels: [],
  help: 'Attempts until a change of the ConfigMap of a tunnel was stored.',
  buckets: [1, 2, 3, 5, 10, 15, 20],
}
export const METRICS: readonly Metric[] = [SYNCS, ATTEMPTS]

export const syncSample = (result: string): Sample => ({ metric: SYNCS, labels: { result }, value: 1 })
export const attemptsSample = (attempts: number): Sample => ({ metric: ATTEMPTS, labels: {}, value: attempts })
