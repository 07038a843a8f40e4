import type { Cluster } from '../cluster/client.ts'

/** What a process of ours says of itself. */
export interface ProcessFigures {
  readonly cpuMs: number
  readonly rss: number
  readonly heap: number
  /** Of the event loop, since it was asked last. */
  readonly lagP99Ms: number
}

export async function figuresAt(metrics: string): Promise<ProcessFigures> {
  const text = await (await fetch(`${metrics}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  return {
    cpuMs: value('process_cpu_seconds_total') * 1_000,
    rss: value('process_resident_memory_bytes'),
    heap: value('nodejs_heap_size_used_bytes'),
    lagP99Ms: value('nodejs_eventloop_lag_p99_seconds') * 1_000,
  }
}

/** How long the API server has waited for one webhook, in its buckets: seconds, and the calls up to there. */
export interface WebhookWaits {
  readonly count: number
  readonly seconds: number
  readonly buckets: readonly (readonly [number, number])[]
}

export async function waitsFor(webhook: string, cluster: Cluster): Promise<WebhookWaits> {
  const text = String((await cluster.request('GET', '/metrics')).body)
  const lines = text.split('\n').filter((line) => line.startsWith(`${NAME}_`) && line.includes(`name="${webhook}"`))
  const sumOf = (suffix: string) =>
    lines.filter((line) => line.startsWith(`${NAME}_${suffix}{`)).reduce((sum, line) => sum + valueIn(line), 0)
  const bounds = new Map<number, number>()
  for (const line of lines) {
    const bound = Number(/le="([^"]+)"/.exec(line)?.[1]?.replace('+Inf', 'Infinity') ?? Number.NaN)
    if (!Number.isNaN(bound)) bounds.set(bound, (bounds.get(bound) ?? 0) + valueIn(line))
  }
  return { count: sumOf('count'), seconds: sumOf('sum'), buckets: [...bounds].sort(([one], [other]) => one - other) }
}
const NAME = 'apiserver_admission_webhook_admission_duration_seconds'
const valueIn = (line: string) => Number(line.slice(line.lastIndexOf(' ') + 1))

export function waitsBetween(before: WebhookWaits, after: WebhookWaits): WebhookWaits {
  const old = new Map(before.buckets)
  return {
    count: after.count - before.count,
    seconds: after.seconds - before.seconds,
    buckets: after.buckets.map(([bound, calls]) => [bound, calls - (old.get(bound) ?? 0)]),
  }
}

/** By linear interpolation within a bucket, as Prometheus does it. */
export function quantileMs({ count, buckets }: WebhookWaits, share: number): number {
  const rank = share * count
  const at = buckets.findIndex(([, calls]) => calls >= rank)
  const [bound = Number.NaN, calls = 0] = buckets[at] ?? []
  const [from, fewer] = buckets[at - 1] ?? [0, 0]
  return 1_000 * (from + ((bound - from) * (rank - fewer)) / Math.max(1, calls - fewer))
}
