import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Registers the metrics of one part of a process under the prefix of that part; they are defined beside the code that
 * they measure. No namespace or object name is ever a label (OB-1).
 */
export class Meter {
  readonly registry: Registry
  readonly #prefix: string

  constructor(prefix: string, registry: Registry = new Registry()) {
    this.#prefix = prefix
    this.registry = registry
  }

  /** The same registry. */
  under(prefix: string): Meter {
    return new Meter(prefix, this.registry)
  }

  counter<const L extends string>(name: string, labels: readonly L[], help: string): Counter<L> {
    return new Counter(this.#described(name, labels, help))
  }

  /** `collect` sets it on each scrape. */
  gauge<const L extends string>(
    name: string,
    labels: readonly L[],
    help: string,
    collect: (gauge: Gauge<L>) => void = () => undefined,
  ): Gauge<L> {
    return new Gauge({
      ...this.#described(name, labels, help),
      collect() {
        collect(this)
      },
    })
  }

  histogram<const L extends string>(
    name: string,
    labels: readonly L[],
    help: string,
    buckets: readonly number[],
  ): Histogram<L> {
    return new Histogram({ ...this.#described(name, labels, help), buckets: [...buckets] })
  }

  /** Memory, CPU, garbage collections and event-loop lag of the process: optional, since they take up to a hundredth of a core. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry })
  }

  #described<L extends string>(name: string, labelNames: readonly L[], help: string) {
    return { name: `${this.#prefix}${name}`, help, labelNames, registers: [this.registry] }
  }
}

export type ProcessMetrics = ReturnType<typeof processMetrics>

/** The metrics of every process, whatever its parts. */
export const processMetrics = (meter: Meter) => ({
  buildInfo: meter.gauge(
    'build_info',
    ['version', 'node'],
    'Always 1; its labels say which version runs, by which version of Node.',
  ),
  handlerErrors: meter.counter(
    'handler_errors_total',
    ['kind', 'class'],
    'Requests that are no review, and our own failures: in a handler, in a watch, or uncaught.',
  ),
})

/**
 * Limits the values of a label that callers choose, because a metric has a line for each, and any pod may send reviews
 * of kinds that do not exist.
 */
export function firstOf(most: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.size < most) known.add(value)
    return known.has(value) ? value : 'other'
  }
}
