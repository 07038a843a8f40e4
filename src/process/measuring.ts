import type { ClusterReader, Words } from '../cluster/port.ts'
import type { Family } from '../family.ts'
import type { Measure, Metric, Sample, SeriesObject } from '../metric.ts'
import type { Meter } from '../telemetry/metrics.ts'
import { type Clock, every, systemClock } from '../timing/clock.ts'

interface MeasuringParts {
  readonly families: readonly Pick<Family, 'metrics'>[]
  readonly meter: Meter
  /** Answers whether the objects that labels name are still there. */
  readonly cached: Pick<ClusterReader, 'get'>
  readonly clock?: Clock
}

const SWEEP_MS = 60_000

/** The metrics of the families that run. A series of an object that is gone goes within a minute. */
export function measuring(
  { families, meter, cached, clock = systemClock }: MeasuringParts,
  opened: AsyncDisposableStack,
): Measure {
  const all = families.flatMap(({ metrics = [] }) => metrics)
  const series = new Map(all.map((metric) => [metric, new Series(metric, meter.under(''))]))
  const sweep = () => void Promise.all([...series.values()].map((each) => each.sweep(cached)))
  if (all.length > 0) opened.defer(every(SWEEP_MS, sweep, clock))
  return (samples) => {
    for (const sample of samples) series.get(sample.metric)?.add(sample)
  }
}

const MOST_SERIES = 5_000
/** The labels of all series beyond the limit. */
const OTHER = 'other'

interface Collector {
  readonly add: (labels: Words, value: number) => void
  readonly remove: (labels: Words) => void
}

/** The series of one metric, by their labels. */
class Series {
  readonly #metric: Metric
  readonly #collector: Collector
  readonly #known = new Map<string, Words>()

  constructor(metric: Metric, meter: Meter) {
    this.#metric = metric
    this.#collector = collectorOf(metric, meter)
  }

  /** Beyond the limit counts go to one series, and a gauge is not set: it would be that of another object. */
  add({ labels, value }: Sample): void {
    const id = JSON.stringify(this.#metric.labels.map((name) => labels[name]))
    const isKnown = this.#known.has(id) || this.#known.size < MOST_SERIES
    if (isKnown) this.#known.set(id, labels)
    else if (this.#metric.type === 'gauge') return
    this.#collector.add(isKnown ? labels : this.#others(), value)
  }

  async sweep(cached: Pick<ClusterReader, 'get'>): Promise<void> {
    for (const [id, labels] of this.#known) {
      const about = this.#metric.about?.(labels) ?? []
      if (about.length === 0 || (await isAnyThere(about, cached))) continue
      this.#known.delete(id)
      this.#collector.remove(labels)
    }
  }

  #others(): Words {
    return Object.fromEntries(this.#metric.labels.map((name) => [name, OTHER]))
  }
}

/** What cannot be read may be there. */
async function isAnyThere(about: readonly SeriesObject[], cached: Pick<ClusterReader, 'get'>): Promise<boolean> {
  const looks = about.map(async ({ of, ref }) => (await cached.get(of, ref)) !== undefined)
  const found = await Promise.allSettled(looks)
  return found.some((each) => each.status === 'rejected' || each.value)
}

function collectorOf({ type, name, labels: names, help, buckets = [] }: Metric, meter: Meter): Collector {
  switch (type) {
    case 'counter': {
      const counter = meter.counter(name, names, help)
      return { add: (labels, value) => counter.inc(labels, value), remove: (labels) => counter.remove(labels) }
    }
    case 'gauge': {
      const gauge = meter.gauge(name, names, help)
      return { add: (labels, value) => gauge.set(labels, value), remove: (labels) => gauge.remove(labels) }
    }
    case 'histogram': {
      const histogram = meter.histogram(name, names, help, buckets)
      return {
        add: (labels, value) => histogram.observe(labels, value),
        remove: (labels) => histogram.remove(labels),
      }
    }
  }
}
