import { type Meter, SECONDS } from '../telemetry/metrics.ts'

export const markMetrics = (meter: Meter) => ({
  marks: meter.counter(
    'marks_total',
    ['kind', 'rule', 'outcome'],
    'Marks on other objects that follow from a write, by what has become of them.',
  ),
})

export type WorkerMetrics = ReturnType<typeof workerMetrics>

export const workerMetrics = (meter: Meter) => ({
  reconcileDuration: meter.histogram(
    'reconcile_duration_seconds',
    ['controller', 'result'],
    'Time of one turn of a key.',
    SECONDS,
  ),
  queueDepth: meter.gauge('queue_depth', ['controller'], 'Keys that are due and wait for their turn.'),
  retries: meter.counter('retries_total', ['controller'], 'Turns after which a key came back after its backoff.'),
  apiRequests: meter.counter(
    'api_requests_total',
    ['verb', 'resource', 'code'],
    'Writes and live reads of controllers, by the code of the answer.',
  ),
  leader: meter.gauge('leader', [], '1 while this process leads and so writes, else 0.'),
  invariantViolations: meter.gauge(
    'invariant_violations',
    ['type'],
    'What admission could not prevent and the auditor found, by rule.',
  ),
  futileApplies: meter.counter(
    'futile_applies_total',
    [],
    'Applies that changed nothing although the comparison had found a difference.',
  ),
})
