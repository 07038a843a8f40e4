import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlPlane, startControlPlane } from '../cluster/control-plane.ts'
import { install, type OurProcess, type Product, WORKER, type WorkerReady } from '../cluster/product.ts'
import { until } from '../cluster/until.ts'
import { linkTo } from '../support/fakes/proxy.ts'
import { type Audited, auditOf, together } from './audited.ts'
import { callsTo, type Send } from './keep-alive-client.ts'
import { scraped } from './scraped.ts'
import { CONNECTIONS, serversMade, writesByHand } from './servers-made.ts'
import type { Measurement } from './setting.ts'
import { quotients, type Row, spreadOf } from './table.ts'

/** TEndpoint, TExitedRecord, Service, StatefulSet and status; one TTree comes beside them. */
const WRITES_OF_EACH = 5
const CALM_MS = 1_000

interface Fleet {
  readonly cluster: ControlPlane
  readonly product: Product
  readonly send: Send
  readonly audited: () => Audited
  /** Of each round. */
  readonly count: number
}
type Worker = OurProcess<WorkerReady>

/** What the worker does for many TServers at once, on a real API server and beside the webhook. */
export const fleet: Measurement = {
  ids: ['PF-17', 'PF-10', 'PF-6'],
  async measure({ quick }) {
    const { rounds, count } = quick ? { rounds: 1, count: 100 } : { rounds: 3, count: 1_000 }
    const cluster = await startControlPlane()
    const product = await install(cluster)
    const admin = callsTo(cluster, cluster.tokens.admin, CONNECTIONS)
    const fleet = { cluster, product, send: admin.send, audited: auditOf(cluster.auditLog), count }
    try {
      const rows = await made(fleet, rounds)
      const servers = 2 * rounds * count
      return [...rows, ...(await again(fleet, servers)), await connected(fleet, servers)]
    } finally {
      admin.close()
      await product.close()
      await cluster.stop()
    }
  },
}

/** In turns. The worker finds what was written by hand as it wants it, so both have sent the same. */
async function made(fleet: Fleet, rounds: number): Promise<readonly Row[]> {
  const { cluster, product, send, audited, count } = fleet
  const byHand = callsTo(cluster, tokenIn(await cluster.kubeconfigFor(WORKER)), CONNECTIONS)
  const measured: Record<'hand' | 'ours' | 'writes', number[]> = { hand: [], ours: [], writes: [] }
  for (let round = 0; round < rounds; round += 1) {
    measured.hand.push(await serversMade(send, { namespace: `hand-${round}`, count, also: writesByHand(byHand.send) }))
    audited() // they were sent as the worker
    const worker = await started(product, `worker-${round}`)
    expectNone((await settled(fleet, worker, (2 * round + 1) * count)).writes)
    measured.ours.push(await serversMade(send, { namespace: `ours-${round}`, count }))
    measured.writes.push((await settled(fleet, worker, 2 * (round + 1) * count)).writes.length)
    await worker.stop()
  }
  byHand.close()
  return madeRows(measured, count)
}

function madeRows(
  { hand, ours, writes }: Record<'hand' | 'ours' | 'writes', readonly number[]>,
  count: number,
): readonly Row[] {
  const servers = count.toLocaleString('en')
  return [
    {
      id: 'PF-17',
      what: `${servers} TServers created at once, on a real API server beside the webhook: time until all their StatefulSets are visible, by that of the same creations and the same writes sent by a bare client over ${CONNECTIONS} connections`,
      goal: '≤ 1.5 ×',
      measured: spreadOf(quotients(ours, hand), 2, ' ×'),
      beside: `${spreadOf(ours, 0, ' ms')}, bare ${spreadOf(hand, 0, ' ms')}`,
    },
    {
      id: 'PF-17',
      what: 'API writes of the worker for them, by the audit log, but for Leases and Events',
      goal: `≤ ${(WRITES_OF_EACH * count + 1).toLocaleString('en')}`,
      measured: spreadOf(writes, 0),
      beside: 'the bare client as many, which the worker then leaves as they are',
    },
  ]
}

/** A second pass of all that there is, and a third by another worker. */
async function again(fleet: Fleet, servers: number): Promise<readonly Row[]> {
  const first = await started(fleet.product, 'restarted')
  const restart = await settled(fleet, first, servers)
  const second = await started(fleet.product, 'standby')
  fleet.audited()
  await first.stop()
  const takeover = await settled(fleet, second, servers)
  await second.stop()
  const row = (what: string, { calls, writes, leases, events }: Audited): Row => ({
    id: 'PF-10',
    what: `API writes of a worker that finds ${servers.toLocaleString('en')} TServers reconciled, ${what}`,
    goal: '0',
    measured: String(writes.length),
    beside: `${events} of Events, ${leases} of Leases, ${calls} calls altogether`,
  })
  return [row('after a restart', restart), row('after a takeover', takeover)]
}

/** By way of a proxy that counts. A burst opens up to 16, one for each write in flight, which the next one finds open. */
async function connected(fleet: Fleet, servers: number): Promise<Row> {
  const { cluster, product, send, count } = fleet
  const link = await linkTo(cluster.port)
  const kubeconfig = join(cluster.folder, 'by-the-proxy.kubeconfig')
  const direct = readFileSync(await cluster.kubeconfigFor(WORKER), 'utf8')
  writeFileSync(kubeconfig, direct.replaceAll(`:${cluster.port}`, `:${link.port}`))
  const worker = await started(product, 'by-the-proxy', '--kubeconfig', kubeconfig)
  const atFirst = { connections: link.connections, ...(await settled(fleet, worker, servers)) }
  for (const namespace of ['first-by-the-proxy', 'then-by-the-proxy']) await serversMade(send, { namespace, count })
  const { calls } = await settled(fleet, worker, servers + 2 * count)
  const { connections } = link
  await worker.stop()
  await link.stop()
  const more = connections - atFirst.connections
  return {
    id: 'PF-6',
    what: `TLS connections of the worker per 1,000 API calls, while it reconciles ${(2 * count).toLocaleString('en')} TServers`,
    goal: '≤ 3',
    measured: ((1_000 * more) / calls).toFixed(2),
    beside: `${more} connections for ${calls} calls; ${atFirst.connections} before that for ${atFirst.calls} calls, a connection for each watch; a stock client has 1,000`,
  }
}

async function started(product: Product, name: string, ...flags: readonly string[]): Promise<Worker> {
  const worker = product.worker(name)
  await worker.start(...flags)
  return worker
}

/** Waits until so many TServers have had their turns and nothing is due or written any more; answers what was asked for since it was called last. */
async function settled({ audited }: Fleet, worker: Worker, servers: number): Promise<Audited> {
  const { metrics } = await worker.ready()
  let all = audited()
  async function isCalm(): Promise<boolean> {
    await sleep(CALM_MS)
    const { turns, waiting } = await scraped(metrics)
    const more = audited()
    all = together(all, more)
    return turns >= servers && waiting === 0 && more.writes.length === 0
  }
  await until('all is reconciled', isCalm, { seconds: 300 })
  return all
}

function expectNone(writes: readonly string[]): void {
  if (writes.length > 0) throw new Error(`the worker writes otherwise: ${writes.slice(0, 5).join(', ')}`)
}

function tokenIn(kubeconfig: string): string {
  return JSON.parse(readFileSync(kubeconfig, 'utf8')).users[0].user.token
}
