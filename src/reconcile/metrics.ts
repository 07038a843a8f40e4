import type { Meter } from '../telemetry/metrics.ts'

export const markMetrics = (meter: Meter) => ({
  marks: meter.counter(
    'marks_total',
    ['kind', 'rule', 'outcome'],
    'Marks on other objects that follow from a write, by what has become of them.',
  ),
})
