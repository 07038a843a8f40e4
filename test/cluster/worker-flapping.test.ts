import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsTo } from '../bench/keep-alive-client.ts'
import { aTFrameworkConfig } from '../support/builders/framework-configs.ts'
import { aPort, aRelease, aTServer } from '../support/builders/servers.ts'
import { at } from '../support/builders/trees.ts'
import { OF_SERVER } from '../support/builders/workloads.ts'
import { rested, workplaceIn } from './at-work.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'

// The pods of one server that come and go without an end: what a worker writes of them, counted by the API server.

/** `PODS=10000` takes some minutes. */
const PODS = Number(process.env.PODS ?? 1_000)
const ROUNDS = 4
const LIMIT = 10

const cluster = theCluster()
const namespace = 'flapping'
const name = 'demo-echo'
const { audit, create, path, read } = workplaceIn(cluster, namespace)
const { send, close } = callsTo(cluster, cluster.tokens.admin, 16)
const names = Array.from({ length: PODS }, (_, i) => `guest-${i}`)
let product: Product
let worker: OurProcess<WorkerReady>

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  const limits = { texitedPod: LIMIT, tconfigHistory: 10, timageRelease: 10 }
  await create('tframeworkconfigs', aTFrameworkConfig({ namespace, recordLimit: limits }))
  await create('tservers', aTServer({ namespace, normal: [aPort()], release: aRelease(), k8s: { replicas: 0 } }))
  worker = product.worker()
  await worker.start()
}, 120_000)
afterAll(async () => {
  close()
  await worker.stop()
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=110s'])
  await product.uninstall()
}, 180_000)

/** No scheduler takes it, so that nothing but this test writes to it. */
const aGuest = (name: string) => ({
  metadata: { name, labels: OF_SERVER },
  spec: { schedulerName: 'none', containers: [{ name: 'echo', image: 'registry.example/echo:r1' }] },
})
async function ofEach(act: (name: string) => Promise<unknown>): Promise<void> {
  const left = [...names]
  const lane = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await act(next)
  }
  await Promise.all(Array.from({ length: 16 }, lane))
}
function turnsReady(name: string, isReady: boolean): Promise<unknown> {
  const status = { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] }
  return send('PATCH', `${path('pods', name)}/status`, { status }, 'application/merge-patch+json')
}

/** How often each resource was written until the worker rests. */
async function written(act: () => Promise<void>): Promise<Readonly<Record<string, number>>> {
  const writes = audit()
  await act()
  await rested(worker)
  const counts = Object.entries(Object.groupBy(writes(), ({ resource }) => resource))
  return Object.fromEntries(counts.map(([resource, calls = []]) => [resource, calls.length]))
}

describe(`WR-10 ${PODS} pods of one server`, () => {
  it(`that become ready and unready, ${ROUNDS} times each: no write for each event, and the last state is told`, async () => {
    await ofEach((each) => send('POST', path('pods'), aGuest(each)))
    await rested(worker)
    const counts = await written(async () => {
      for (let round = 1; round <= ROUNDS; round += 1) await ofEach((each) => turnsReady(each, round % 2 === 0))
    })
    process.stderr.write(`${ROUNDS * PODS} changes of pods: ${JSON.stringify(counts)}\n`)
    expect(Object.keys(counts).toSorted()).toEqual(['tendpoints/status', 'tservers/status'])
    for (const count of Object.values(counts)) expect(count).toBeLessThan((ROUNDS * PODS) / 10)
    expect(at(await read('tservers', name), 'status.readyReplicas')).toBe(PODS)
    const listed = at(await read('tendpoints', name), 'status.pods')
    expect(new Set(Array.isArray(listed) ? listed.map(({ presentState }) => presentState) : [])).toEqual(
      new Set(['Active']),
    )
  }, 900_000)

  it('TX-R4 that end: a record that is full takes few writes, and stays within its limit', async () => {
    const counts = await written(async () => {
      await ofEach((each) => send('DELETE', path('pods', each), { gracePeriodSeconds: 0 }))
    })
    process.stderr.write(`${PODS} pods that end: ${JSON.stringify(counts)}\n`)
    for (const count of Object.values(counts)) expect(count).toBeLessThan(PODS / 4)
    expect(at(await read('texitedrecords', name), 'pods')).toHaveLength(LIMIT)
    expect(at(await read('tendpoints', name), 'status.pods')).toEqual([])
    expect(at(await read('tservers', name), 'status')).toMatchObject({ currentReplicas: 0, readyReplicas: 0 })
  }, 900_000)
})
