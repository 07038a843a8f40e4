import { onTestFinished } from 'vitest'
import type { MemoryCluster } from '../../src/cluster/memory/memory-cluster.ts'
import type { Cluster } from '../../src/cluster/port.ts'
import { asCluster } from '../../src/process/memory-cluster.ts'
import type { Notice } from '../../src/reconcile/action.ts'
import type { Controller } from '../../src/reconcile/controller.ts'
import { ALWAYS } from '../../src/reconcile/leadership.ts'
import { workerMetrics } from '../../src/reconcile/metrics.ts'
import { Worker, type WorkerParts } from '../../src/reconcile/worker.ts'
import { settingsOf } from '../../src/setting.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { Meter } from '../../src/telemetry/metrics.ts'
import { ManualClock } from './fakes/clock.ts'

interface Wishes extends Partial<WorkerParts> {
  readonly memory: MemoryCluster
  readonly changed?: (cluster: Cluster) => Partial<Cluster>
}

/** A worker on a clock that a test moves. */
export function working(controllers: readonly Controller[], { memory, changed, ...wishes }: Wishes) {
  const clock = new ManualClock()
  clock.chance = 1
  const meter = new Meter('tars_worker_')
  const turns: string[] = []
  const notices: Notice[] = []
  const lines: string[] = []
  const cluster = asCluster(memory, [])
  const worker = new Worker(controllers, {
    ...{ clock, settings: settingsOf({}), profile: 'seed', leadership: ALWAYS, writesPerSecond: 1_000 },
    cluster: { ...cluster, ...changed?.(cluster) },
    metrics: workerMetrics(meter),
    log: logTo({ write: (line) => lines.push(line) }, 'info'),
    notifier: () => (notice) => notices.push(notice) > 0,
    onTurn: (controller, { name }, { result }) => turns.push(`${controller.name} ${name} ${result}`),
    ...wishes,
  })
  worker.start()
  onTestFinished(async () => {
    const stopped = worker.stop(0)
    clock.advance(0)
    await stopped
  })
  /** What has happened since it was asked last, once all that is due now has been done. */
  const happened = async () => {
    await rested()
    return turns.splice(0)
  }
  const passed = async (ms: number) => {
    clock.advance(ms)
    return happened()
  }
  return { worker, clock, notices, lines, metrics: () => meter.registry.metrics(), happened, passed }
}

/** The events of the cluster in memory are told, and turns that wait for nothing have ended. */
export async function rested(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const { promise, resolve } = Promise.withResolvers<void>()
    setImmediate(resolve)
    await promise
  }
}
