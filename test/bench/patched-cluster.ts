import { canonical } from '../../src/kube/canonical-json.ts'
import { sha256Of } from '../../src/kube/digests.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { ANNOTATIONS } from '../../webhooks/kruise/names.ts'
import { type ControlPlane, startControlPlane } from '../cluster/control-plane.ts'
import { install, type Product } from '../cluster/product.ts'
import { simulatedNodes } from '../cluster/simulated-nodes.ts'
import { until } from '../cluster/until.ts'
import { at, treesOf } from '../support/builders/trees.ts'
import { callsTo, type Send } from './keep-alive-client.ts'

const CONNECTIONS = 16
const MERGE = 'application/merge-patch+json'
const PATIENT = { seconds: 600 }
type Labels = Readonly<Record<string, string | null>>

/** A real control plane with simulated Nodes, our webhook and our worker. Each DaemonSet has a namespace of its name. */
export interface PatchedCluster extends AsyncDisposable {
  readonly cluster: ControlPlane
  readonly send: Send
  readonly nodes: readonly string[]
  /** Where the metrics of each process are. */
  readonly metrics: Readonly<Record<'webhook' | 'worker', string>>
  /** Of these Nodes, as many at once as there are connections. */
  label(nodes: readonly string[], labels: Labels): Promise<void>
  /** Answers how long it takes until each Node has its pod. */
  create(name: string, list?: readonly object[]): Promise<number>
  /** With its pods. */
  remove(name: string): Promise<void>
  /** Answers how long it takes until all pods are new and available. */
  roll(name: string, change: Change): Promise<number>
  merge(name: string, patch: object): Promise<void>
  pods(name: string): Promise<readonly Tree[]>
}
/** Another list, or another value of a variable in the template. */
type Change = { readonly list: readonly object[] } | { readonly value: string }

export async function patchedCluster(count: number, ...flags: readonly string[]): Promise<PatchedCluster> {
  const opened = new AsyncDisposableStack()
  try {
    const cluster = opened.adopt(await startControlPlane(), (each) => each.stop())
    const product = opened.adopt(await install(cluster), (each) => each.close())
    const nodes = Array.from({ length: count }, (_, i) => `node-${i}`)
    opened.adopt(await simulatedNodes(cluster, nodes), (each) => each.stop())
    const admin = opened.adopt(callsTo(cluster, cluster.tokens.admin, CONNECTIONS), ({ close }) => close())
    const metrics = await started(product, flags)
    const made = { cluster, nodes, metrics, send: admin.send }
    return { ...made, ...actionsOn(made), [Symbol.asyncDispose]: () => opened.disposeAsync() }
  } catch (cause) {
    await opened.disposeAsync()
    throw cause
  }
}

async function started({ webhook, worker }: Product, flags: readonly string[]): Promise<PatchedCluster['metrics']> {
  const [one, other] = [await webhook.ready(), await worker().start(...flags)]
  return { webhook: one.metrics, worker: other.metrics }
}

function actionsOn({ send, nodes }: Pick<PatchedCluster, 'send' | 'nodes'>) {
  const path = (name: string) => `/apis/apps/v1/namespaces/${name}/daemonsets/${name}`
  const read = async (name: string) => treeOf(await send('GET', path(name)))
  const pods = (name: string) => `/api/v1/namespaces/${name}/pods`
  async function merge(name: string, patch: object): Promise<void> {
    await send('PATCH', path(name), patch, MERGE)
  }
  return {
    merge,
    async label(of: readonly string[], labels: Labels) {
      const left = [...of]
      const lanes = Array.from({ length: CONNECTIONS }, async () => {
        for (let name = left.pop(); name !== undefined; name = left.pop())
          await send('PATCH', `/api/v1/nodes/${name}`, { metadata: { labels } }, MERGE)
      })
      await Promise.all(lanes)
    },
    async create(name: string, list: readonly object[] = []) {
      await send('POST', '/api/v1/namespaces', { metadata: { name } })
      const before = performance.now()
      await send('POST', path(name).replace(/\/[^/]+$/, ''), daemonSetWith(name, list))
      await until('each Node has its pod', async () => (await countAt(pods(name), send)) === nodes.length, PATIENT)
      const took = performance.now() - before
      await until('all are available', async () => isRolled(await read(name), nodes.length), PATIENT)
      return took
    },
    async remove(name: string) {
      await send('DELETE', path(name))
      await until('its pods are gone', async () => (await countAt(pods(name), send)) === 0, PATIENT)
    },
    async roll(name: string, change: Change) {
      const before = performance.now()
      const patch = 'list' in change ? withList(change.list) : { spec: { template: templateOf(name, change.value) } }
      await merge(name, patch)
      const isDone = (daemonSet: Tree) => isRolled(daemonSet, nodes.length, 'list' in change ? change.list : undefined)
      await until('all are new', async () => isDone(await read(name)), PATIENT)
      return performance.now() - before
    },
    pods: async (name: string) => treesOf(at(await send('GET', pods(name)), 'items')),
  }
}

const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})

const templateOf = (name: string, value: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'agent', image: 'example.com/agent:1', env: [{ name: 'VALUE', value }] }] },
})
const withList = (list: readonly object[]) => ({
  metadata: { annotations: { [ANNOTATIONS.patches]: JSON.stringify(list) } },
})
function daemonSetWith(name: string, list: readonly object[]) {
  const { metadata } = list.length === 0 ? { metadata: {} } : withList(list)
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } }
  const spec = { selector: { matchLabels: { app: name } }, updateStrategy, template: templateOf(name, 'first') }
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { ...metadata, name }, spec }
}

/** Costs next to nothing, since the API server counts those that it does not list. */
async function countAt(path: string, send: Send): Promise<number> {
  const list = await send('GET', `${path}?limit=1`)
  return treesOf(at(list, 'items')).length + Number(at(list, 'metadata.remainingItemCount') ?? 0)
}

function isRolled(daemonSet: Tree, count: number, list?: readonly object[]): boolean {
  const { observedGeneration, updatedNumberScheduled, numberAvailable } = treeOf(daemonSet.status)
  const isNew = observedGeneration === at(daemonSet, 'metadata.generation') && updatedNumberScheduled === count
  return isNew && numberAvailable === count && (list === undefined || isTold(daemonSet, list))
}

/** The condition alone may be that of the list before. */
function isTold(daemonSet: Tree, list: readonly object[]): boolean {
  const annotations = treeOf(treeOf(daemonSet.metadata).annotations)
  const conditions = treesOf(at(daemonSet, 'status.conditions'))
  const isSynced = conditions.some(({ reason }) => reason === 'AllPodsPatched')
  return isSynced && annotations[ANNOTATIONS.observed] === sha256Of(canonical(list)).slice(0, 16)
}
