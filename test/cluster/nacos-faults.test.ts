import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rested } from './at-work.ts'
import { theCluster } from './cluster.ts'
import { nacosIn, nacosOf, sourceOf } from './nacos-workplace.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady, workersThrough } from './product.ts'
import { type SimulatedNodes, simulatedNodes } from './simulated-nodes.ts'
import { killedAt, momentsOf, succeed, type WriteProxy, writeProxyTo } from './write-proxy.ts'

const cluster = theCluster()
const { namespace, apply, seen, running } = nacosIn(cluster, 'nacos-faults')
const FLAGS = ['--nacos-min-ready-seconds=0', '--nacos-settle-seconds=0']
const DIGEST = '15952a176aa40df0'
let proxy: WriteProxy
let product: Product
let worker: OurProcess<WorkerReady>
let nodes: SimulatedNodes | undefined

beforeAll(async () => {
  proxy = await writeProxyTo(cluster)
  product = await install(workersThrough(proxy, cluster))
  nodes = await simulatedNodes(cluster, ['nacos-1'])
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  worker = product.worker()
  await worker.start(...FLAGS)
}, 300_000)
afterAll(async () => {
  await worker.stop()
  await proxy.stop()
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s'])
  await product.uninstall()
  await nodes?.stop()
}, 180_000)

/** Phase, three children and the configuration, the labels of two sources, and the status. */
const WRITES = 8

describe('NC-TST-15, NC-DIG-31, NC-DIG-32 kill -9 at every write', () => {
  it.each(momentsOf(WRITES))(
    '$side write $write of a new Nacos: it runs, and no pod restarted for it',
    async ({ write, side }) => {
      const name = `${side}${write}`
      const killed = killedAt({ write, side }, { proxy, worker })
      await apply(sourceOf('internal', name, 'a=1'), sourceOf('user', name, 'b=2'), nacosOf(name))
      await killed
      await succeed(worker, cluster, ...FLAGS)
      await running(name, DIGEST)
      await rested(worker)
      expect(await seen(name)).toMatchObject({ digest: DIGEST, textDigest: DIGEST, generation: 1 })
    },
    120_000,
  )

  it.each(momentsOf(3))(
    '$side write $write of a changed source: it is rolled out once',
    async ({ write, side }) => {
      const name = `${side}-change-${write}`
      await apply(sourceOf('internal', name, 'a=1'), sourceOf('user', name, 'b=1'), nacosOf(name))
      await running(name)
      await rested(worker)
      const killed = killedAt({ write, side }, { proxy, worker })
      await apply(sourceOf('user', name, 'b=2'))
      await killed
      await succeed(worker, cluster, ...FLAGS)
      await running(name, DIGEST)
      expect(await seen(name)).toMatchObject({ digest: DIGEST, textDigest: DIGEST, generation: 2 })
    },
    120_000,
  )
})
