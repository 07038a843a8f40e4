import type { Metric, Sample } from '../kit/telling.ts'

const MERGES: Metric = {
  name: 'nacos_config_merges_total',
  type: 'counter',
  labels: ['result'],
  help: 'Configurations of Nacos that were merged and stored, and those that were held.',
}
const HELD: Metric = {
  name: 'nacos_config_held',
  type: 'gauge',
  labels: ['reason'],
  help: 'Nacos whose configuration is held, by reason.',
}
const ROLLOUT: Metric = {
  name: 'nacos_rollout_duration_seconds',
  type: 'histogram',
  labels: [],
  help: 'Time from the change of a pod template by the worker until all members of the Nacos have it.',
  buckets: [10, 30, 60, 120, 300, 600, 1_200, 3_600],
}
export const METRICS: readonly Metric[] = [MERGES, HELD, ROLLOUT]

export const mergeSample = (result: 'merged' | 'held'): Sample => ({ metric: MERGES, labels: { result }, value: 1 })
export const heldSample = (reason: string, value: number): Sample => ({ metric: HELD, labels: { reason }, value })
export const rolloutSample = (seconds: number): Sample => ({ metric: ROLLOUT, labels: {}, value: seconds })
