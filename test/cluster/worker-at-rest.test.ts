import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubeCluster } from '../../src/cluster/kube/kube-cluster.ts'
import { needsOf } from '../../src/cluster/needs.ts'
import { controllersOf } from '../../src/family.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import { ALWAYS } from '../../src/reconcile/leadership.ts'
import { workerMetrics } from '../../src/reconcile/metrics.ts'
import { Worker } from '../../src/reconcile/worker.ts'
import { settingsOf } from '../../src/setting.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { Meter } from '../../src/telemetry/metrics.ts'
import { type Clock, systemClock } from '../../src/timing/clock.ts'
import { tars } from '../../webhooks/tars/family.ts'
import { callsTo } from '../bench/keep-alive-client.ts'
import { scraped } from '../bench/scraped.ts'
import { CONNECTIONS, serversMade } from '../bench/servers-made.ts'
import { REMOTES } from '../support/remotes.ts'
import { auditOf, inWords, isWrite } from './audited.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { install, type OurProcess, type Product, WORKER, type WorkerReady } from './product.ts'
import { until } from './until.ts'

// On a control plane of its own, which goes with its thousand servers.

const COUNT = 1_000
const CALM_MS = 1_000
const RESYNC_MS = 600_000
const PASSES = 3
let control: ControlPlane
let product: Product
let first: OurProcess<WorkerReady>

beforeAll(async () => {
  control = await startControlPlane()
  product = await install(control)
  first = product.worker('first')
  await first.start()
  const admin = callsTo(control, control.tokens.admin, CONNECTIONS)
  await serversMade(admin.send, { namespace: 'fleet', count: COUNT })
  admin.close()
  await reconciled(first)
}, 600_000)
afterAll(async () => {
  await product.close()
  await control.stop()
}, 60_000)

/** But for Leases. */
function written(): () => readonly string[] {
  const calls = auditOf(control.auditLog, WORKER)
  const isMeant = ({ resource }: { readonly resource: string }) => resource !== 'leases'
  return () => calls().filter(isWrite).filter(isMeant).map(inWords)
}
/** Each server had its turn, and nothing is due or written any more. */
async function reconciled(worker: OurProcess<WorkerReady>): Promise<void> {
  const { metrics } = await worker.ready()
  const isCalm = async () => {
    const writes = written()
    await sleep(CALM_MS)
    const { turns, waiting } = await scraped(metrics)
    return turns >= COUNT && waiting === 0 && writes().length === 0
  }
  await until('all is reconciled', isCalm, { seconds: 240 })
}

describe(`WK-4, WR-3, WR-4 a worker that finds ${COUNT} servers as it wants them writes nothing`, () => {
  it('after a restart', async () => {
    const writes = written()
    await first.stop()
    await first.start()
    await reconciled(first)
    expect(writes()).toEqual([])
  }, 300_000)

  it('after a takeover', async () => {
    const second = product.worker('second')
    await second.start()
    const writes = written()
    await first.stop()
    await reconciled(second)
    expect(writes()).toEqual([])
    await second.stop()
  }, 300_000)

  it(`in ${PASSES} full passes of one process, ten minutes of whose clock are two seconds`, async () => {
    const clock: Clock = {
      ...systemClock,
      after: (ms, act) => systemClock.after(ms === RESYNC_MS ? 2_000 : ms, act),
    }
    const settings = settingsOf({})
    const log = logTo({ write: () => undefined }, 'silent')
    const controllers = controllersOf([tars], REMOTES, settings)
    const { reads } = needsOf({ controllers }, 'worker')
    const kubeconfig = await control.kubeconfigFor(WORKER)
    const cluster = await kubeCluster({ kubeconfig, reads, metrics: metricsOf(), log })
    let turns = 0
    const worker = new Worker(controllers, {
      ...{ cluster, clock, log, leadership: ALWAYS, settings, profile: 'seed', writesPerSecond: 1_000 },
      metrics: workerMetrics(new Meter('tars_worker_')),
      soon: setImmediate,
      notifier: () => () => true,
      onTurn({ name }) {
        if (name === 'tserver') turns += 1
      },
    })
    const writes = written()
    worker.start()
    await until('all passes are over', () => turns >= PASSES * COUNT, { seconds: 240 })
    expect(writes()).toEqual([])
    await worker.stop(1_000)
    cluster.stop()
  }, 300_000)
})
