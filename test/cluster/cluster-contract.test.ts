import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { kubeCluster } from '../../src/cluster/kube/kube-cluster.ts'
import type { Need } from '../../src/cluster/needs.ts'
import type { Cluster } from '../../src/cluster/port.ts'
import { EVERYWHERE, type Scope } from '../../src/cluster/scope.ts'
import { crds } from '../../src/print/crds.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { controlPlaneAuthor } from '../contracts/cluster/control-plane-author.ts'
import { clusterContract } from '../contracts/cluster-contract.ts'
import { GADGET } from '../support/builders/gadget.ts'
import { DEFINED } from '../support/builders/gadgets.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'

const cluster = theCluster()
/** In full: another suite may have gadgets in a group of its own. */
const GADGETS = `${GADGET.plural}.${GADGET.group}`
const namespaces: string[] = []
const keeping = (reads: readonly Need[], scope: Scope = EVERYWHERE) =>
  kubeCluster({
    kubeconfig: cluster.kubeconfig('admin'),
    reads,
    scope,
    metrics: metricsOf(),
    log: logTo({ write() {} }, 'silent'),
  })
const held = await keeping([])
const others: Cluster[] = []
async function holding(needs: readonly Need[], scope?: Scope): Promise<Cluster> {
  const other = await keeping(needs, scope)
  others.push(other)
  await other.synced
  return other
}
let product: Product

beforeAll(async () => {
  const [definition] = crds({ kinds: [DEFINED] })
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(definition) }))
  const established = ['wait', '--for=condition=Established', '--timeout=20s', `crd/${GADGETS}`]
  expectDone(await cluster.kubectl(established))
  product = await install(cluster)
}, 120_000)

afterAll(async () => {
  for (const each of [held, ...others]) each.stop()
  await letAllGo()
  await cluster.kubectl(['delete', 'namespace', '--wait=false', ...namespaces])
  await product.uninstall()
  expectDone(await cluster.kubectl(['delete', 'crd', GADGETS, '--timeout=50s']))
}, 120_000)

clusterContract('the API server', async () => {
  const namespace = `contract-${randomUUID().slice(0, 8)}`
  namespaces.push(namespace)
  await cluster.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  return {
    cluster: { ...held.readers.live, ...held.writer, ...held.watcher },
    author: controlPlaneAuthor(cluster),
    namespace,
    holding,
  }
})

/** Some cases leave an object behind that waits for its finalizers, and would hold up its namespace and its kind. */
async function letAllGo(): Promise<void> {
  const columns =
    '--output=jsonpath={range .items[?(@.metadata.finalizers)]}{.metadata.namespace} {.metadata.name}{"\\n"}{end}'
  const { stdout } = await cluster.kubectl(['get', GADGETS, '--all-namespaces', columns])
  for (const line of stdout.split('\n').filter(Boolean)) {
    const [namespace = '', name = ''] = line.split(' ')
    const patch = ['--type=merge', '--patch={"metadata":{"finalizers":null}}']
    expectDone(await cluster.kubectl(['patch', GADGETS, name, `--namespace=${namespace}`, ...patch]))
  }
}
