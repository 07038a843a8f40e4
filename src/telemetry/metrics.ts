import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const BYTES = [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 8_388_608]

export type Metrics = ReturnType<typeof metricsOf>

/** Every metric of this process. No namespace or object name is ever a label (OB-1). */
export function metricsOf() {
  const registry = new Registry()
  const registers = [registry]
  const own = (name: string, help: string) => ({ name: `tars_admission_${name}`, help, registers })
  const inFlight = new InFlight()
  new Gauge({
    ...own('reviews_in_flight', 'Reviews that wait for their answer.'),
    collect() {
      this.set(inFlight.total)
    },
  })
  return {
    registry,
    buildInfo: new Gauge({
      ...own('build_info', 'Always 1; its labels say which version runs, by which version of Node.'),
      labelNames: ['version', 'node'] as const,
    }),
    reviews: new Histogram({
      ...own('review_duration_seconds', 'Time from the arrival of a review to its answer.'),
      labelNames: ['webhook', 'kind', 'operation', 'result', 'dry_run'] as const,
      buckets: SECONDS,
    }),
    inFlight,
    queueDepth: new Gauge(own('queue_depth', 'Reviews that wait until fewer are in flight.')),
    hashPoolDepth: new Gauge(own('hash_pool_depth', 'Passwords that are hashed or compared, or wait for it.')),
    shed: new Counter({
      ...own('shed_total', 'Requests sent away with 429, to be sent again: queue, wait, memory, hash or gone.'),
      labelNames: ['reason'] as const,
    }),
    denied: new Counter({
      ...own('denied_total', 'Refused reviews by rule; under --enforce warn, those that would have been.'),
      labelNames: ['rule'] as const,
    }),
    marks: new Counter({
      ...own('marks_total', 'Marks on other objects that follow from a write, by what has become of them.'),
      labelNames: ['kind', 'rule', 'outcome'] as const,
    }),
    patchOperations: new Histogram({
      ...own('patch_operations', 'Operations of a patch that was not empty.'),
      buckets: [1, 2, 4, 8, 16, 32, 64],
    }),
    requestBytes: new Histogram({ ...own('request_bytes', 'Size of a review as it arrived.'), buckets: BYTES }),
    handlerErrors: new Counter({
      ...own(
        'handler_errors_total',
        'Requests that are no review, and failures of ours: in a handler, in a watch, or caught by nobody.',
      ),
      labelNames: ['kind', 'class'] as const,
    }),
    cutConnections: new Counter({
      ...own('connections_cut_total', 'Connections that broke, came too slowly, were too many or spoke no HTTP.'),
      labelNames: ['reason'] as const,
    }),
    unfit: new Counter({
      ...own('unfit_objects_total', 'Objects that the API server accepts and our schema does not.'),
      labelNames: ['kind', 'which'] as const,
    }),
    selfChecks: new Counter({
      ...own('self_checks_total', 'Sampled answers whose patch was applied and mutated again.'),
      labelNames: ['kind', 'result'] as const,
    }),
    tlsErrors: new Counter(own('tls_errors_total', 'TLS handshakes that failed.')),
    certNotAfter: new Gauge({
      ...own('cert_not_after_seconds', 'When a certificate expires, as Unix time.'),
      labelNames: ['role'] as const,
    }),
    certReloads: new Counter({
      ...own('cert_reload_total', 'Serving pairs taken up, and found unusable.'),
      labelNames: ['result'] as const,
    }),
    cacheAge: new Gauge({
      ...own('cache_age_seconds', 'Time since the API server was last heard about a kind.'),
      labelNames: ['kind'] as const,
    }),
    relists: new Counter({
      ...own('relists_total', 'Kinds listed anew, since what the cache had could not be brought up to date.'),
      labelNames: ['kind'] as const,
    }),
    liveReads: new Counter({
      ...own('live_reads_total', 'Look-ups that went to the API server.'),
      labelNames: ['kind', 'outcome'] as const,
    }),
    controllerRuntime: {
      requests: new Counter({
        name: 'controller_runtime_webhook_requests_total',
        help: 'Reviews by HTTP status, under the name that stock dashboards know.',
        labelNames: ['webhook', 'code'] as const,
        registers,
      }),
      latency: new Histogram({
        name: 'controller_runtime_webhook_latency_seconds',
        help: 'Time to answer a review, under the name that stock dashboards know.',
        labelNames: ['webhook'] as const,
        buckets: SECONDS,
        registers,
      }),
      inFlight: new Gauge({
        name: 'controller_runtime_webhook_requests_in_flight',
        help: 'Reviews in flight, under the name that stock dashboards know.',
        labelNames: ['webhook'] as const,
        registers,
        collect() {
          for (const [webhook, many] of inFlight) this.set({ webhook }, many)
        },
      }),
    },
    /** Memory, CPU, collections and event-loop lag of the process: a hundredth of a core at most, so asked for apart. */
    collectProcess: () => collectDefaultMetrics({ register: registry }),
  }
}

/** By webhook. Counted for every review and asked for once a scrape, so it is a plain map. */
export class InFlight extends Map<string, number> {
  get total(): number {
    return [...this.values()].reduce((sum, many) => sum + many, 0)
  }

  change(webhook: string, by: 1 | -1): void {
    this.set(webhook, (this.get(webhook) ?? 0) + by)
  }
}

/**
 * A label whose values somebody else chooses: so many of them are told apart, for a metric has a line for each, and any
 * pod may send reviews of kinds that there are not.
 */
export function firstOf(most: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.size < most) known.add(value)
    return known.has(value) ? value : 'other'
  }
}
