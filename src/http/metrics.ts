import { type Meter, SECONDS } from '../telemetry/metrics.ts'

const BYTES = [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 8_388_608]
const OPERATIONS = [1, 2, 4, 8, 16, 32, 64]

export type ReviewMetrics = ReturnType<typeof reviewMetrics>
export type IntakeMetrics = ReturnType<typeof intakeMetrics>
export type ControllerRuntimeMetrics = ReturnType<typeof controllerRuntimeMetrics>

/** Metrics of reviews and their answers. */
export function reviewMetrics(meter: Meter, inFlight: InFlight) {
  meter.gauge('reviews_in_flight', [], 'Reviews that wait for their answer.', (gauge) => gauge.set(inFlight.total))
  return {
    inFlight,
    reviews: meter.histogram(
      'review_duration_seconds',
      ['webhook', 'kind', 'operation', 'result', 'dry_run'],
      'Time from the arrival of a review to its answer.',
      SECONDS,
    ),
    denied: meter.counter(
      'denied_total',
      ['rule'],
      'Refused reviews by rule; under --enforce warn, those that would have been.',
    ),
    patchOperations: meter.histogram('patch_operations', [], 'Operations of a patch that was not empty.', OPERATIONS),
    requestBytes: meter.histogram('request_bytes', [], 'Size of a review as it arrived.', BYTES),
    unfit: meter.counter(
      'unfit_objects_total',
      ['kind', 'which'],
      'Objects that the API server accepts and our schema does not.',
    ),
    selfChecks: meter.counter(
      'self_checks_total',
      ['kind', 'result'],
      'Sampled answers whose patch was applied and mutated again.',
    ),
  }
}

/** Metrics of requests that arrive, wait and are shed. */
export const intakeMetrics = (meter: Meter) => ({
  queueDepth: meter.gauge('queue_depth', [], 'Reviews that wait until fewer are in flight.'),
  shed: meter.counter(
    'shed_total',
    ['reason'],
    'Requests sent away with 429, to be sent again: queue, wait, memory, hash or gone.',
  ),
  cutConnections: meter.counter(
    'connections_cut_total',
    ['reason'],
    'Connections that broke, came too slowly, were too many or spoke no HTTP.',
  ),
  tlsErrors: meter.counter('tls_errors_total', [], 'TLS handshakes that failed.'),
})

/** Repeats some metrics under the names of controller-runtime. */
export function controllerRuntimeMetrics(meter: Meter, inFlight: InFlight) {
  const known = 'under the name that stock dashboards know.'
  meter.gauge('requests_in_flight', ['webhook'], `Reviews in flight, ${known}`, (gauge) => {
    for (const [webhook, many] of inFlight) gauge.set({ webhook }, many)
  })
  return {
    requests: meter.counter('requests_total', ['webhook', 'code'], `Reviews by HTTP status, ${known}`),
    latency: meter.histogram('latency_seconds', ['webhook'], `Time to answer a review, ${known}`, SECONDS),
  }
}

/** Counts per webhook in a plain map, since it changes with every review and is read once a scrape. */
export class InFlight extends Map<string, number> {
  get total(): number {
    return [...this.values()].reduce((sum, many) => sum + many, 0)
  }

  change(webhook: string, by: 1 | -1): void {
    this.set(webhook, (this.get(webhook) ?? 0) + by)
  }
}
