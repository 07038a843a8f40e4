import type { Cluster } from '../cluster/port.ts'
import type { Facts } from '../fact.ts'
import type { Kind } from '../kind.ts'
import type { Measure } from '../metric.ts'
import type { Controller } from '../reconcile/controller.ts'
import { eventsTo } from '../reconcile/events.ts'
import type { Leadership } from '../reconcile/leadership.ts'
import { workerMetrics } from '../reconcile/metrics.ts'
import { Worker } from '../reconcile/worker.ts'
import { systemClock as clock } from '../timing/clock.ts'
import { auditing } from './auditing.ts'
import { unique } from './limited-events.ts'
import type { ProcessContext } from './process.ts'
import { once } from './readiness.ts'
import type { ProcessPart } from './running.ts'

export const WORKER_PREFIX = 'tars_worker_'

export interface ReconcilingParts extends Pick<ProcessContext, 'config' | 'log' | 'meter'> {
  readonly controllers: readonly Controller[]
  /** The kinds whose stored objects are audited (WR-8). */
  readonly kinds: readonly Kind[]
  readonly cluster: Cluster
  readonly leadership: Leadership
  readonly facts?: Facts | undefined
  /** Counts what families measure. */
  readonly measure?: Measure
}

/** How long the turns in flight may take at the end. */
const DRAIN_MS = 5_000

/** Runs controllers and the auditor. It is ready when all that they watch is listed, also while another process leads (WR-9). */
export function reconciling({
  controllers,
  kinds,
  cluster,
  leadership,
  facts,
  config,
  log,
  meter,
  measure,
}: ReconcilingParts): ProcessPart {
  const metrics = workerMetrics(meter.under(WORKER_PREFIX))
  const worker = new Worker(controllers, {
    ...{ cluster, leadership, facts, clock, log },
    settings: config.settings,
    profile: config.profile,
    writesPerSecond: config.writesPerSecond,
    ...(measure && { measure }),
    metrics,
    soon: setImmediate,
    notifier: (writer) => eventsTo({ writer, clock, identity: leadership.identity, unique }),
  })
  const auditor = auditing({ kinds, cluster, leadership, facts, config, log, metrics })
  const isListed = once(() => worker.isListed)
  const missing = () => (isListed() ? undefined : 'not everything that controllers watch has been listed yet')
  return {
    checks: [{ name: 'controllers', missing }],
    async start(opened) {
      worker.start()
      auditor.start()
      opened.defer(() => auditor.stop())
      opened.defer(() => worker.stop(0))
      return { identity: leadership.identity }
    },
    drain: () => worker.stop(DRAIN_MS),
  }
}
