import { randomUUID } from 'node:crypto'
import type { Cluster } from '../cluster/port.ts'
import type { Controller } from '../reconcile/controller.ts'
import { eventsTo } from '../reconcile/events.ts'
import type { Leadership } from '../reconcile/leadership.ts'
import { workerMetrics } from '../reconcile/metrics.ts'
import { Worker } from '../reconcile/worker.ts'
import { systemClock as clock } from '../timing/clock.ts'
import type { ProcessContext } from './process.ts'
import { once } from './readiness.ts'
import type { ProcessPart } from './running.ts'

export const WORKER_PREFIX = 'tars_worker_'

export interface ReconcilingParts extends Pick<ProcessContext, 'config' | 'log' | 'meter'> {
  readonly controllers: readonly Controller[]
  readonly cluster: Cluster
  readonly leadership: Leadership
}

/** How long the turns in flight may take at the end. */
const DRAIN_MS = 5_000

/** Runs controllers. It is ready when all that they watch is listed, also while another process leads (WR-9). */
export function reconciling({ controllers, cluster, leadership, config, log, meter }: ReconcilingParts): ProcessPart {
  const worker = new Worker(controllers, {
    ...{ cluster, leadership, clock, log },
    settings: config.settings,
    profile: config.profile,
    writesPerSecond: config.writesPerSecond,
    metrics: workerMetrics(meter.under(WORKER_PREFIX)),
    notifier: (writer) => eventsTo({ writer, clock, identity: leadership.identity, unique }),
  })
  const isListed = once(() => worker.isListed)
  const missing = () => (isListed() ? undefined : 'not everything that controllers watch has been listed yet')
  return {
    checks: [{ name: 'controllers', missing }],
    async start(opened) {
      worker.start()
      opened.defer(() => worker.stop(0))
      return { identity: leadership.identity }
    },
    drain: () => worker.stop(DRAIN_MS),
  }
}

const unique = () => randomUUID().replaceAll('-', '').slice(0, 16)
