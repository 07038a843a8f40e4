import type { Meter } from '../../telemetry/metrics.ts'

export type KubeMetrics = ReturnType<typeof kubeMetrics>

export const kubeMetrics = (meter: Meter) => ({
  cacheAge: meter.gauge('cache_age_seconds', ['kind'], 'Time since the API server was last heard about a kind.'),
  relists: meter.counter(
    'relists_total',
    ['kind'],
    'Kinds listed again, because a watch could not bring the cache up to date.',
  ),
  liveReads: meter.counter('live_reads_total', ['kind', 'outcome'], 'Look-ups that went to the API server.'),
})
