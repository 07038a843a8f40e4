import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aTFrameworkConfig } from '../support/builders/framework-configs.ts'
import { aTServer } from '../support/builders/servers.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { at } from '../support/builders/trees.ts'
import { MADE, rested, workplaceIn } from './at-work.ts'
import { auditOf, inWords, isWrite } from './audited.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, WORKER, type WorkerReady } from './product.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'undefined'
const { create, list, remove } = workplaceIn(cluster, namespace)
const NAME = 'tservers.k8s.tars.io'
const DEFINITION = `manifests/crds/${NAME}.yaml`
const SERVERS = ['One', 'Two', 'Three']
let product: Product
let worker: OurProcess<WorkerReady>

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  for (const object of [aTTemplate({ name: 'base', namespace }), aTFrameworkConfig({ namespace })])
    expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(object) }))
  worker = product.worker('undefined-worker')
  await worker.start()
  await collectorKnowsTServers()
  for (const server of SERVERS) await create('tservers', aTServer({ server, namespace }))
  await until('all is made', async () => (await owners()).length === MADE.length * SERVERS.length)
  await rested(worker)
}, 180_000)
afterAll(async () => {
  await cluster.kubectl(['apply', '-f', DEFINITION])
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s'])
  await product.uninstall()
}, 180_000)

/** It may discover a kind late. */
async function collectorKnowsTServers(): Promise<void> {
  await create('tservers', aTServer({ server: 'Probe', namespace }))
  await until('all is made', async () => (await owners()).length === MADE.length)
  await remove('tservers', 'demo-probe')
  await until('all is collected', async () => (await owners()).length === 0)
}
/** The uids that own what is made of servers, once for each object. */
async function owners(): Promise<readonly unknown[]> {
  const lists = await Promise.all(MADE.map((of) => list(of)))
  return lists.flat().map((object) => at(object, 'metadata.ownerReferences.0.uid'))
}
/** A few tries of a worker that looks for the definition at longer and longer intervals. */
const SECONDS = 20
const MOST_LISTS = 8

describe('TS-R7 the definition of TServers vanishes, and returns', () => {
  it('nothing is made again, the collector takes all, and the worker is calm', async () => {
    const calls = auditOf(cluster.auditLog, WORKER)
    expectDone(await cluster.kubectl(['delete', 'crd', NAME, '--timeout=50s']))
    await until('all is collected', async () => (await owners()).length === 0)
    await sleep(SECONDS * 1_000)
    expect(await owners()).toEqual([])
    const own = calls().filter((call) => call.namespace === namespace)
    expect(own.filter(isWrite).map(inWords)).toEqual([])
    const lists = calls().filter(({ verb, resource }) => verb === 'list' && resource === 'tservers')
    expect(lists.length).toBeLessThanOrEqual(MOST_LISTS)
    console.info(
      own.map((c) => `${inWords(c)} ${c.name}`),
      lists.length,
    )
    expect(worker.log()).not.toContain('a controller has thrown')
  }, 150_000)

  it('the same worker makes what the servers of the next one want', async () => {
    expectDone(await cluster.kubectl(['apply', '-f', DEFINITION]))
    expectDone(await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=20s', `crd/${NAME}`]))
    for (const server of SERVERS) await create('tservers', aTServer({ server, namespace }))
    const uids = (await list('tservers')).map((server) => at(server, 'metadata.uid'))
    const wanted = uids.flatMap((uid) => MADE.map(() => uid)).toSorted()
    await until('all is made for them', async () => (await owners()).toSorted().join() === wanted.join())
    expect(await worker.stop()).toMatchObject({ code: 0 })
  }, 150_000)
})
