import { isTree, type Tree } from '../../src/schema.ts'
import { configDigest } from '../../webhooks/nacos/config/digest.ts'
import { type AuditedCall, auditOf, isWrite } from './audited.ts'
import type { Cluster } from './client.ts'
import { expectDone, WORKER } from './product.ts'
import { until } from './until.ts'

const PATHS = {
  configmaps: '/api/v1',
  services: '/api/v1',
  pods: '/api/v1',
  events: '/api/v1',
  statefulsets: '/apis/apps/v1',
  nacos: '/apis/nacos.io/v1alpha1',
} as const
type Plural = keyof typeof PATHS

const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
const treesOf = (value: unknown): readonly Tree[] => (Array.isArray(value) ? value.map(treeOf) : [])
/** The value behind some steps, wherever the path ends. */
export const at = (object: unknown, ...steps: readonly string[]): unknown =>
  steps.reduce<unknown>((value, step) => treeOf(value)[step], object)

export const sourceOf = (owner: 'internal' | 'user', name: string, text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `${name}-${owner}` },
  data: { [`${owner}.properties`]: text },
})
export const nacosOf = (name: string, spec: Tree = {}, metadata: Tree = {}) => ({
  apiVersion: 'nacos.io/v1alpha1',
  kind: 'Nacos',
  metadata: { name, ...metadata },
  spec: {
    type: 'cluster',
    image: 'nacos/nacos-server:v2.4.3',
    replicas: 3,
    userConfigRef: { name: `${name}-user` },
    internalConfigRef: { name: `${name}-internal` },
    ...spec,
  },
})

/** A namespace with Nacos, whose pods get ready by themselves. */
export function nacosIn(cluster: Cluster, namespace: string) {
  const path = (of: Plural, name = '') => `${PATHS[of]}/namespaces/${namespace}/${of}/${name}`
  const read = async (of: Plural, name = ''): Promise<Tree> => {
    const { status, body } = await cluster.request('GET', path(of, name))
    return status === 200 ? treeOf(body) : {}
  }
  const seen = async (name: string) => {
    const found = [read('nacos', name), read('statefulsets', name), read('configmaps', `${name}-final-config`)] as const
    return stateOf(...(await Promise.all(found)))
  }
  const isRolledOut = async (name: string, digest?: string) => {
    const { phase, status } = await seen(name)
    return phase === 'Running' && (digest === undefined || status.lastRolledOutConfigDigest === digest)
  }
  return {
    namespace,
    read,
    seen,
    kubectl: (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`]),
    async apply(...objects: readonly object[]) {
      const stdin = objects.map((each) => JSON.stringify(each)).join('\n---\n')
      expectDone(await cluster.kubectl(['apply', `--namespace=${namespace}`, '-f', '-'], { stdin }))
    },
    running: (name: string, digest?: string) =>
      until(`${name} runs`, () => isRolledOut(name, digest), { seconds: 120 }),
    pods: async (name: string) => treesOf((await read('pods', `?labelSelector=app%3D${name}`)).items),
    events: async () =>
      treesOf((await read('events')).items).filter((each) => at(each, 'involvedObject', 'kind') === 'Nacos'),
    /** What the worker has written here since this was called, but Events and dry runs. */
    audit(): () => readonly AuditedCall[] {
      const calls = auditOf(cluster.auditLog, WORKER)
      const isMeant = ({ uri, resource }: AuditedCall) => !uri.includes('dryRun=All') && resource !== 'events'
      return () => calls().filter((call) => isWrite(call) && call.namespace === namespace && isMeant(call))
    },
  }
}

/** What a Nacos, its StatefulSet and its final ConfigMap say. */
function stateOf(nacos: Tree, set: Tree, final: Tree) {
  const text = at(final, 'data', 'application.properties')
  const content = typeof text === 'string' ? text : ''
  const reasons = treesOf(at(nacos, 'status', 'conditions')).map(({ type, reason }) => [type, reason])
  return {
    phase: at(nacos, 'status', 'phase'),
    status: treeOf(nacos.status),
    reasons: Object.fromEntries(reasons),
    digest: at(set, 'spec', 'template', 'metadata', 'annotations', 'nacos.io/config-digest'),
    generation: at(set, 'metadata', 'generation'),
    replicas: at(set, 'spec', 'replicas'),
    text: content,
    bytes: Buffer.byteLength(content),
    textDigest: configDigest(content),
  }
}
