import type { Built, ClusterWriter } from '../../src/cluster/port.ts'
import { asCluster } from '../../src/process/memory-cluster.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { type Pacing, SHARED_CONFIG_MAP } from '../../webhooks/cloudflare/aggregation/shared-config-map.ts'
import { configMapName, sourceKey } from '../../webhooks/cloudflare/aggregation/sources.ts'
import { TunnelConfigs } from '../../webhooks/cloudflare/aggregation/tunnel-configs.ts'
import { clusterOf } from './clusters.ts'

export const ID = '6ff42ae2-765d-4adf-8112-31c55c1551ef'
export const REF = { namespace: 'operator', name: configMapName(ID) }
export const LABELS = {
  'cloudflare-operator.io/type': 'tunnel-config',
  'cloudflare-operator.io/tunnel-id': ID,
  'app.kubernetes.io/managed-by': 'tars-admission',
}
export const AT = new Date('2026-01-01T00:00:00Z')
export const A = sourceKey('Ingress', 'demo', 'a')
export const B = sourceKey('Ingress', 'demo', 'b')
export const source = (hostname: string): Tree => ({ kind: 'Ingress', rules: [{ hostname, service: 'http://a' }] })
export const aConfigMap = (content: unknown, rest: Tree = {}, metadata: Tree = {}): Built => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...REF, labels: LABELS, ...metadata },
  data: { 'config.json': typeof content === 'string' ? content : JSON.stringify(content) },
  ...rest,
})

/** A process of its own, with its own grouping; time goes on with each pause. */
export function aProcess(memory: ReturnType<typeof clusterOf>) {
  const { readers, writer } = asCluster(memory, [])
  const pauses: number[] = []
  let now = 0
  const pacing: Pacing = {
    async pause(ms) {
      pauses.push(ms)
      now += ms
      await Promise.resolve()
    },
    random: () => 0.5,
    tick: () => now,
  }
  const calls: string[] = []
  const failing: unknown[] = []
  const act = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    calls.push(name)
    const failure = failing.shift()
    if (failure !== undefined) throw failure
    return call()
  }
  const told: ClusterWriter = {
    ...writer,
    create: (of, object) => act('create', () => writer.create(of, object)),
    replace: (of, object) => act('replace', () => writer.replace(of, object)),
  }
  const controller = new AbortController()
  const context = { live: readers.live, writer: told, signal: controller.signal, at: AT, accountId: 'acc' }
  return { configs: new TunnelConfigs('operator', pacing), context, calls, failing, pauses, controller }
}

/** A cluster, a process that writes there, and what is stored. */
export function aStore() {
  const memory = clusterOf()
  const own = aProcess(memory)
  const stored = async () => {
    const found = await memory.get(SHARED_CONFIG_MAP, REF)
    const content: unknown = JSON.parse(found?.data?.['config.json'] ?? '{}')
    return { found, content: isTree(content) ? content : {} }
  }
  const keysStored = async () => {
    const { sources } = (await stored()).content
    return isTree(sources) ? Object.keys(sources) : []
  }
  const write = (key: string, hostname = 'a.b') => own.configs.writeSourceConfig(ID, key, source(hostname), own.context)
  return { memory, own, stored, keysStored, write }
}
