import { expect } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { configDigest } from '../../webhooks/nacos/config/digest.ts'
import { type AuditedCall, auditOf, isWrite } from './audited.ts'
import type { Answer, Cluster } from './client.ts'
import { expectDone, WORKER } from './product.ts'
import { until } from './until.ts'
import type { WorkerSuite } from './worker-suite.ts'

const PATHS = {
  configmaps: '/api/v1',
  services: '/api/v1',
  pods: '/api/v1',
  events: '/api/v1',
  statefulsets: '/apis/apps/v1',
  nacos: '/apis/nacos.io/v1alpha1',
} as const
type Plural = keyof typeof PATHS

function done({ status, body }: Answer): void {
  if (status >= 300) throw new Error(`not done, but ${status}: ${JSON.stringify(body)}`)
}
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
export const plainSources = (name: string) => [
  sourceOf('internal', name, 'server.port=8848\n'),
  sourceOf('user', name, 'a=1\n'),
]
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

export type NacosPlace = ReturnType<typeof nacosIn>
/** What the cases of a suite about Nacos are given. */
export interface NacosStage {
  readonly suite: WorkerSuite
  readonly place: NacosPlace
  readonly flags: readonly string[]
}

/** A namespace with Nacos, whose pods get ready by themselves. */
export function nacosIn(cluster: Cluster, namespace: string) {
  const path = (of: Plural, name = '') => `${PATHS[of]}/namespaces/${namespace}/${of}${name && `/${name}`}`
  const read = async (of: Plural, name = ''): Promise<Tree> => {
    const { status, body } = await cluster.request('GET', path(of, name))
    return status === 200 ? treeOf(body) : {}
  }
  const seen = async (name: string) => {
    const found = [read('nacos', name), read('statefulsets', name), read('configmaps', `${name}-final-config`)] as const
    return stateOf(...(await Promise.all(found)))
  }
  const pods = async (name: string) => treesOf((await read('pods', `?labelSelector=app%3D${name}`)).items)
  const apply = async (...objects: readonly object[]) => {
    const stdin = objects.map((each) => JSON.stringify(each)).join('\n---\n')
    expectDone(await cluster.kubectl(['apply', `--namespace=${namespace}`, '-f', '-'], { stdin }))
  }
  const kubectl = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
  const running = (name: string, digest?: string) =>
    until(`${name} runs`, () => isRolledOut(name, digest), { seconds: 120 })
  const isRolledOut = async (name: string, digest?: string) => {
    const { phase, status } = await seen(name)
    return phase === 'Running' && (digest === undefined || status.lastRolledOutConfigDigest === digest)
  }
  return {
    namespace,
    read,
    seen,
    kubectl,
    /** When kubectl prints all of these texts of a Nacos: `Type: message` or `Reason: message`. */
    says: (name: string, texts: readonly string[]) =>
      until(`${name} says so`, async () => {
        const found = describedIn((await kubectl('describe', 'nacos', name)).stdout)
        expect(found).toEqual(expect.arrayContaining([...texts]))
        return true
      }),
    pods,
    apply,
    running,
    /** Applied together with two sources each, and they run when this returns. */
    async started(...names: readonly string[]) {
      await apply(...names.flatMap((name) => [...plainSources(name), nacosOf(name)]))
      await Promise.all(names.map((name) => running(name)))
    },
    create: async (of: Plural, object: object) => done(await cluster.request('POST', path(of), object)),
    replace: async (of: Plural, name: string, object: unknown) =>
      done(await cluster.request('PUT', path(of, name), object)),
    merge: async (of: Plural, name: string, patch: object) =>
      done(await cluster.request('PATCH', path(of, name), patch, { contentType: 'application/merge-patch+json' })),
    remove: async (of: Plural, name: string) => done(await cluster.request('DELETE', path(of, name))),
    /** All objects of a resource. */
    all: async (of: Plural) => treesOf((await read(of)).items),
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
  const conditions = treesOf(at(nacos, 'status', 'conditions'))
  const reasons = conditions.map(({ type, reason }) => [type, reason])
  return {
    phase: at(nacos, 'status', 'phase'),
    status: treeOf(nacos.status),
    reasons: Object.fromEntries(reasons),
    messages: Object.fromEntries(conditions.map(({ type, message }) => [type, message])),
    digest: at(set, 'spec', 'template', 'metadata', 'annotations', 'nacos.io/config-digest'),
    generation: at(set, 'metadata', 'generation'),
    replicas: at(set, 'spec', 'replicas'),
    text: content,
    bytes: Buffer.byteLength(content),
    textDigest: configDigest(content),
  }
}

/** What `kubectl describe` prints of a Nacos: `Type: message` of conditions, and `Reason: message` of events. */
function describedIn(text: string): readonly string[] {
  const [status = '', events = ''] = text.split(/^Events:/m)
  const conditions = status.split(/^ {4}Last Transition Time: /m).slice(1)
  const messages = conditions.map((each) =>
    [/^ {4}Type: +(.*)$/m, /^ {4}Message: +(.*)$/m].map((line) => line.exec(each)?.[1]),
  )
  const rows = events.split('\n').map((line) => /^ {2}(?:Normal|Warning) +(\w+) +.*? {2}\S+ {2,}(.*)$/.exec(line))
  return [
    ...messages.map(([type, message = '']) => `${type}: ${message}`),
    ...rows.flatMap((row) => (row === null ? [] : [`${row[1]}: ${row[2]}`])),
  ]
}
