import type { Meter } from '../../telemetry/metrics.ts'

export const passwordMetrics = (meter: Meter) => ({
  hashPoolDepth: meter.gauge('hash_pool_depth', [], 'Passwords that are hashed or compared, or wait for it.'),
})
