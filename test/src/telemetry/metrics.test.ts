import { describe, expect, it } from 'vitest'
import { metricsOf } from '../../../src/process/metrics.ts'
import { firstOf, Meter } from '../../../src/telemetry/metrics.ts'

/** As OB-1 writes them, those that belong to reviews and to what they need. */
const OB_1: Readonly<Record<string, readonly string[]>> = {
  tars_admission_build_info: ['version', 'node'],
  tars_admission_review_duration_seconds: ['webhook', 'kind', 'operation', 'result', 'dry_run'],
  tars_admission_reviews_in_flight: [],
  tars_admission_queue_depth: [],
  tars_admission_shed_total: ['reason'],
  tars_admission_hash_pool_depth: [],
  tars_admission_denied_total: ['rule'],
  tars_admission_marks_total: ['kind', 'rule', 'outcome'],
  tars_admission_patch_operations: [],
  tars_admission_request_bytes: [],
  tars_admission_handler_errors_total: ['kind', 'class'],
  tars_admission_connections_cut_total: ['reason'],
  tars_admission_cert_not_after_seconds: ['role'],
  tars_admission_cert_reload_total: ['result'],
  tars_admission_cache_age_seconds: ['kind'],
  tars_admission_relists_total: ['kind'],
  tars_admission_live_reads_total: ['kind', 'outcome'],
  controller_runtime_webhook_requests_total: ['webhook', 'code'],
  controller_runtime_webhook_latency_seconds: ['webhook'],
  controller_runtime_webhook_requests_in_flight: ['webhook'],
}

describe('metrics (OB-1)', () => {
  const meter = new Meter('tars_admission_')
  const { registry, reviews } = metricsOf(meter)
  const all = registry.getMetricsAsArray()
  const labelsOf = (metric: object): readonly string[] =>
    'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : []

  it.each(Object.entries(OB_1))('%s has the labels %j', (name, labels) => {
    const metric = all.find((each) => each.name === name)
    expect(metric && labelsOf(metric)).toEqual(labels)
  })

  it('none is labelled with a namespace or the name of an object', () => {
    const labels = new Set(all.flatMap(labelsOf))
    for (const label of ['namespace', 'name', 'uid', 'user', 'object']) expect(labels).not.toContain(label)
  })

  it('each says what it is', () => {
    for (const { help } of all) expect(help).toMatch(/^[A-Z].{20,}\.$/)
  })

  it('a review is timed from 1 ms to 10 s', async () => {
    reviews.observe({ webhook: '', kind: '', operation: '', result: '', dry_run: '' }, 1)
    const text = await registry.metrics()
    const bounds = [...text.matchAll(/review_duration_seconds_bucket\{le="([\d.]+)"/g)].map(([, bound]) =>
      Number(bound),
    )
    expect([bounds.at(0), bounds.at(-1)]).toEqual([0.001, 10])
  })

  it('the process tells its memory, its CPU and the lag of its event loop, when it is asked to', async () => {
    expect(await registry.metrics()).not.toContain('nodejs_eventloop_lag')
    meter.collectProcess()
    const text = await registry.metrics()
    const reported = [
      'nodejs_eventloop_lag_p99_seconds',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_gc_duration_seconds',
    ]
    for (const name of reported) expect(text).toContain(`# TYPE ${name} `)
  })
})

describe('firstOf', () => {
  it('tells so many values apart, and those for good', () => {
    const label = firstOf(2)
    expect(['a', 'b', 'c', 'a', 'd', 'b'].map(label)).toEqual(['a', 'b', 'other', 'a', 'other', 'b'])
  })
})
