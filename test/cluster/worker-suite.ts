import { afterAll, beforeAll } from 'vitest'
import type { Cluster } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady, workersThrough } from './product.ts'
import { simulatedNodes } from './simulated-nodes.ts'
import { type WriteProxy, writeProxyTo } from './write-proxy.ts'

export interface WorkerSuiteParts {
  readonly namespace: string
  /** Simulated, so that pods get ready although nothing runs. */
  readonly nodes: readonly string[]
  /** Of the worker. */
  readonly flags: readonly string[]
  readonly webhookFlags?: readonly string[]
}
/** What its tests work with; before the first of them nothing of it is there but the cluster. */
export interface WorkerSuite {
  readonly cluster: Cluster
  readonly product: Product
  readonly worker: OurProcess<WorkerReady>
  /** Stands between the workers and the API server. */
  readonly proxy: WriteProxy
}
type Opened = Omit<WorkerSuite, 'cluster'>

/** A suite with the product, a worker that is started, simulated nodes and a namespace. All of it goes with the suite. */
export function workerSuite(parts: WorkerSuiteParts): WorkerSuite {
  const cluster = theCluster()
  const opening = new AsyncDisposableStack()
  let opened: Opened | undefined
  beforeAll(async () => {
    opened = await open(cluster, parts, opening)
  }, 300_000)
  afterAll(() => opening.disposeAsync(), 240_000)
  const there = () => {
    if (opened === undefined) throw new Error('the suite has not begun')
    return opened
  }
  return {
    cluster,
    get product() {
      return there().product
    },
    get worker() {
      return there().worker
    },
    get proxy() {
      return there().proxy
    },
  }
}

async function open(
  cluster: Cluster,
  { namespace, nodes, flags, webhookFlags = [] }: WorkerSuiteParts,
  opening: AsyncDisposableStack,
): Promise<Opened> {
  const proxy = opening.adopt(await writeProxyTo(cluster), (each) => each.stop())
  opening.adopt(await simulatedNodes(cluster, nodes), (each) => each.stop()) // pods of the product come there, too
  const product = await install(workersThrough(proxy, cluster), ...webhookFlags)
  opening.defer(() => product.uninstall())
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  opening.defer(async () => void (await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])))
  const worker = product.worker(namespace)
  await worker.start(...flags)
  return { proxy, product, worker }
}
