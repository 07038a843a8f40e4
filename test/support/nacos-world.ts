import type { MemoryCluster } from '../../src/cluster/memory/memory-cluster.ts'
import { needsOf } from '../../src/cluster/needs.ts'
import type { Built, Gvr, Stored } from '../../src/cluster/port.ts'
import { asCluster } from '../../src/process/memory-cluster.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { settingsOf } from '../../src/setting.ts'
import { CONFIG_MAP, NACOS_POD, NACOS_SERVICE, NACOS_STATEFULSET } from '../../webhooks/nacos/kubernetes.ts'
import { nacosController } from '../../webhooks/nacos/nacos/reconcile/reconcile.ts'
import { NACOS } from '../../webhooks/nacos/nacos/schema.ts'
import { clusterOf, NOW } from './clusters.ts'
import { turnsOf } from './turns.ts'

export const KEY = { namespace: 'demo', name: 'n' }
export const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})

export const sourceOf = (owner: 'internal' | 'user', text: string, rest: Tree = {}): Built => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'demo', name: owner },
  data: { [`${owner}.properties`]: text },
  ...rest,
})
export const nacosOf = (spec: Tree = {}, metadata: Tree = {}): Built => ({
  apiVersion: 'nacos.io/v1alpha1',
  kind: 'Nacos',
  metadata: { ...KEY, uid: 'n-1', generation: 1, creationTimestamp: NOW, ...metadata },
  spec: {
    type: 'cluster',
    image: 'nacos/nacos-server:v2.4.3',
    replicas: 3,
    internalConfigRef: { name: 'internal' },
    userConfigRef: { name: 'user' },
    ...spec,
  },
})

export const SOURCES = [sourceOf('internal', 'a=1'), sourceOf('user', 'b=2')]
/** Of their merged text. */
export const DIGEST = '15952a176aa40df0'

function memberOf(name: string, owner: string, isReady: boolean, waiting?: string): Built {
  const labels = { app: 'n', middleware: 'nacos', component: 'nacos' }
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'n', uid: owner, controller: true }]
  const ready = { type: 'Ready', status: isReady ? 'True' : 'False' }
  const containerStatuses = isReady || !waiting ? [] : [{ name: 'n', state: { waiting: { reason: waiting } } }]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'demo', name, labels, ownerReferences },
    status: { conditions: [{ type: 'Other', status: 'True' }, ready], containerStatuses },
  }
}

/** What happens to objects of a kind, or in place of it, when the controller applies them. */
const appliesIn =
  (cluster: MemoryCluster) => (kind: Gvr, act: (applying: () => Promise<Stored>) => Promise<Stored>) => {
    const apply = cluster.apply.bind(cluster)
    cluster.apply = (of, object, options) => {
      const applying = () => apply(of, object, options)
      return of.kind === kind.kind && options.dryRun !== true ? act(applying) : applying()
    }
  }

/** A cluster in memory in which the controller has turns, and the test plays the StatefulSet controller. */
export function nacosWorld(...objects: readonly Built[]) {
  const cluster: MemoryCluster = clusterOf(...objects)
  const turn = turnsOf('nacos', cluster, [], settingsOf({ nacosSettleSeconds: 0 }))
  const patch = (of: typeof NACOS_STATEFULSET, name: string, body: Tree, subresource?: 'status') =>
    cluster.merge(of, { namespace: 'demo', name }, body, { ...(subresource && { subresource }) })
  const at = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1_000)

  /** All pods of the StatefulSet are there, and so many are ready. */
  async function rolledOut(ready = 3, status: Tree = {}, waiting?: string) {
    const set = treeOf(await cluster.get(NACOS_STATEFULSET, KEY))
    const { generation, uid } = treeOf(set.metadata)
    const counts = { observedGeneration: generation, replicas: 3, readyReplicas: ready, updatedReplicas: 3 }
    await patch(
      NACOS_STATEFULSET,
      'n',
      { status: { ...counts, currentRevision: 'r', updateRevision: 'r', ...status } },
      'status',
    )
    for (const name of ['n-0', 'n-1', 'n-2']) {
      const ref = { namespace: 'demo', name }
      if ((await cluster.get(NACOS_POD, ref)) !== undefined) await cluster.remove(NACOS_POD, ref)
      await cluster.create(NACOS_POD, memberOf(name, String(uid), Number(name.slice(2)) < ready, waiting))
    }
  }
  const { cached } = asCluster(cluster, needsOf({ controllers: [nacosController] }, 'worker').reads).readers
  return {
    cluster,
    rolledOut,
    patch,
    /** What is measured of all Nacos together. */
    counted: async () => (await nacosController.counts?.(cached)) ?? [],
    onApply: appliesIn(cluster),
    /** Its writes, events and condition reasons. */
    async turn(seconds = 0, name = KEY.name) {
      const key = { ...KEY, name }
      const done = await turn(key, at(seconds))
      const status = treeOf(treeOf(await cluster.get(NACOS, key)).status)
      const conditions: readonly unknown[] = Array.isArray(status.conditions) ? status.conditions : []
      const written = (done?.results ?? []).filter(({ outcome }) => outcome === 'done')
      return {
        writes: written.map(({ action }) => ('of' in action ? `${action.do} ${action.of.kind}` : action.do)),
        notices: (done?.notices ?? []).map(({ reason, message }) => `${reason}: ${message}`),
        reasons: Object.fromEntries(conditions.map((each) => [treeOf(each).type, treeOf(each).reason])),
        messages: Object.fromEntries(conditions.map((each) => [treeOf(each).type, treeOf(each).message])),
        status,
        measured: done?.measured ?? [],
        againInMs: done?.againInMs,
      }
    },
    set: async () => treeOf(await cluster.get(NACOS_STATEFULSET, KEY)),
    final: async (name = 'n-final-config') => cluster.get(CONFIG_MAP, { namespace: 'demo', name }),
    service: async (name: string) => cluster.get(NACOS_SERVICE, { namespace: 'demo', name }),
  }
}

export type NacosWorld = ReturnType<typeof nacosWorld>

/** A world with one that runs, and whose status says so. */
export async function runningWorld(nacos = nacosOf()): Promise<NacosWorld> {
  const world = nacosWorld(...SOURCES, nacos)
  await world.turn()
  await world.rolledOut()
  await world.turn()
  return world
}
