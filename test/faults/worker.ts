import { setTimeout as sleep } from 'node:timers/promises'
import { MADE, rested, type Workplace, workplaceIn } from '../cluster/at-work.ts'
import { type AuditedCall, auditOf, isWrite } from '../cluster/audited.ts'
import { binaries } from '../cluster/binaries.ts'
import { clientOf } from '../cluster/client.ts'
import { startControlPlane } from '../cluster/control-plane.ts'
import { expectDone, install, WORKER, workersThrough } from '../cluster/product.ts'
import { until } from '../cluster/until.ts'
import { aTServer } from '../support/builders/servers.ts'
import { at } from '../support/builders/trees.ts'
import { linkTo } from '../support/fakes/proxy.ts'
import { create, type Fault, faultsOf, type Victim } from './api-server-troubles.ts'
import { NAMESPACE } from './jam.ts'
import type { Pace, Row } from './row.ts'

/** RL-6: our worker, on a control plane of its own, whose API server is then troubled as that of the webhook is. */
export async function workerFaults({ quick }: Pick<Pace, 'quick'>): Promise<readonly Row[]> {
  await using stage = new AsyncDisposableStack()
  const { controllers: _, ...needed } = await binaries()
  const control = stage.adopt(await startControlPlane({ binaries: needed }), (each) => each.stop())
  const link = stage.adopt(await linkTo(control.port), (each) => each.stop())
  const through = clientOf({ ...control.facts, url: `https://127.0.0.1:${link.port}` })
  const product = stage.adopt(await install(workersThrough(through, control)), (each) => each.close())
  expectDone(await control.kubectl(['create', 'namespace', NAMESPACE]))
  await create({ control }, 'base')
  const worker = product.worker()
  await worker.start()
  const scene: Scene = { control, link, account: WORKER, place: workplaceIn(control, NAMESPACE) }
  await scene.place.create('tservers', aTServer({ server: OLD }))
  await rested(worker)
  const rows: Row[] = []
  for (const fault of faultsOf(scene, quick ? 3_000 : 60_000)) rows.push(await rowOf(scene, fault, rows.length))
  const { code } = await worker.stop()
  return [...rows, { id: 'WR-2', what: 'after all that', goal: 'exit 0', measured: `exit ${code}`, holds: code === 0 }]
}

interface Scene extends Victim {
  readonly place: Workplace
}

const OLD = 'Old'
const GOAL = { seconds: 5, writes: 5, lists: 1 } as const
const GOAL_WORDS = 'made and mended ≤ 5 s after its return; 5 writes of the new server; ≤ 1 list a kind'

/** Meanwhile a Service is lost, and afterwards there is a new server. */
async function rowOf(scene: Scene, { what, befall }: Fault, i: number): Promise<Row> {
  const { control, place } = scene
  const audited = auditOf(control.auditLog, WORKER)
  const lost = sleep(500).then(() => place.remove('services', `demo-${OLD}`.toLowerCase()))
  lost.catch(() => undefined) // where the API server is gone
  await befall()
  const backAt = performance.now()
  const server = `New${i}`
  const name = `demo-${server.toLowerCase()}`
  await until('the API server takes a server', () => takes(place, server), { seconds: 20 })
  await until('all is made', () => isMade(place, name), { seconds: 30 })
  await until('all is mended', () => place.exists('services', `demo-${OLD}`.toLowerCase()), { seconds: 30 })
  const seconds = (performance.now() - backAt) / 1_000
  const calls = audited()
  const writes = calls.filter((call) => isWrite(call) && call.name === name && call.code < 300).length
  const lists = Math.max(
    0,
    ...Map.groupBy(calls.filter(isList), ({ uri }) => uri)
      .values()
      .map(({ length }) => length),
  )
  return {
    id: 'RL-6',
    what: `worker: ${what}`,
    goal: GOAL_WORDS,
    measured: `right after ${seconds.toFixed(2)} s; ${writes} writes; at most ${lists} lists of a kind`,
    holds: seconds <= GOAL.seconds && writes === GOAL.writes && lists <= GOAL.lists,
  }
}

/** Its creation may have been stored although nobody heard of it. */
async function takes(place: Workplace, server: string): Promise<boolean> {
  await place.create('tservers', aTServer({ server })).catch(() => undefined)
  return place.exists('tservers', `demo-${server.toLowerCase()}`)
}

async function isMade(place: Workplace, name: string): Promise<boolean> {
  const made = await Promise.all(MADE.map((of) => place.exists(of, name)))
  return made.every(Boolean) && at(await place.read('tservers', name), 'status') !== undefined
}

/** Those of caches, of all namespaces: a turn that looks again lists one, and the auditor has other pages. */
const isList = ({ verb, uri, code }: AuditedCall) =>
  verb === 'list' && code === 200 && /[?&]limit=[15]00\b/.test(uri) && !uri.includes('/namespaces/')
