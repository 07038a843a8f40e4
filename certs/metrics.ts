import type { Meter } from '../src/telemetry/metrics.ts'

export type CertMetrics = ReturnType<typeof certMetrics>

export const certMetrics = (meter: Meter) => ({
  certNotAfter: meter.gauge('cert_not_after_seconds', ['role'], 'When a certificate expires, as Unix time.'),
  certReloads: meter.counter('cert_reload_total', ['result'], 'Serving pairs taken up, and found unusable.'),
})
