import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { needsOf } from '../cluster/needs.ts'
import type { Built, Gvr, KubeObject, Resource } from '../cluster/port.ts'
import { resource } from '../cluster/resource.ts'
import { md5Of } from '../kube/digests.ts'
import type { Action } from '../reconcile/action.ts'
import { type Controller, defineController } from '../reconcile/controller.ts'
import { ALWAYS } from '../reconcile/leadership.ts'
import { owned } from '../reconcile/watches.ts'
import { isTree, object, type Tree } from '../schema.ts'
import { Meter } from '../telemetry/metrics.ts'
import { asCluster } from './memory-cluster.ts'
import type { ProcessContext } from './process.ts'
import { reconciling } from './reconciling.ts'
import type { ProcessPart } from './running.ts'

// What the controllers, nodes and kubelets of a real cluster do, as far as a demo shows it: nothing runs.

const ofKubernetes = (group: string, kind: string) =>
  resource({ group, version: 'v1', kind, plural: `${kind.toLowerCase()}s`, scope: 'Namespaced' }, object({}))
const POD = ofKubernetes('', 'Pod')
const STATEFULSET = ofKubernetes('apps', 'StatefulSet')
const DAEMONSET = ofKubernetes('apps', 'DaemonSet')

/** The user who writes what is imitated. */
export const IMITATOR = 'system:kube-controller-manager'

/** Its metrics are not shown, and it adds nothing to the ready line. */
export function imitating(memory: MemoryCluster, context: Pick<ProcessContext, 'config' | 'log'>): ProcessPart {
  const cluster = asCluster(memory, needsOf({ controllers: imitations }, 'worker').reads, IMITATOR)
  const meter = new Meter('imitation_')
  const part = reconciling({ ...context, meter, cluster, kinds: [], controllers: imitations, leadership: ALWAYS })
  return {
    checks: [],
    async start(opened) {
      await part.start(opened)
      return {}
    },
  }
}

/** Pods of StatefulSets and DaemonSets, and the status of both. A DaemonSet has one pod, as on a cluster of one node. */
export const imitations: readonly Controller[] = [
  imitation(STATEFULSET, 'imitated-statefulset', ({ replicas = 1 }) => {
    const most = Math.min(Number(replicas), MOST_PODS)
    return Array.from({ length: most }, (_, ordinal) => `${ordinal}`)
  }),
  imitation(DAEMONSET, 'imitated-daemonset', () => ['node']),
]
const MOST_PODS = 100

interface Seen {
  readonly workload: KubeObject
  readonly pods: readonly KubeObject[]
}

function imitation(of: Resource<KubeObject>, name: string, suffixesOf: (spec: Tree) => readonly string[]): Controller {
  return defineController<KubeObject, Seen>({
    name,
    of,
    watches: [owned(POD, of)],
    writes: [
      { resource: POD, verbs: ['create', 'remove'] },
      { resource: of, subresource: 'status', verbs: ['merge'] },
    ],
    async observe(key, { cached, live }) {
      const [workload, pods] = await Promise.all([live.get(of, key), cached.list(POD, { namespace: key.namespace })])
      return workload && { workload, pods: pods.filter((pod) => isOf(workload, pod)) }
    },
    plan: ({ workload, pods }) => ({ actions: planned({ of, workload, pods }, suffixesOf(under(workload, 'spec'))) }),
  })
}

const isOf = ({ metadata: { uid } }: KubeObject, { metadata: { ownerReferences } }: KubeObject) =>
  (ownerReferences ?? []).some((owner) => owner.uid === uid)

function under(value: unknown, ...path: readonly string[]): Tree {
  const found = path.reduce<unknown>((inner, step) => (isTree(inner) ? inner[step] : undefined), value)
  return isTree(found) ? found : {}
}

interface Imitated extends Seen {
  readonly of: Gvr
}

/** A pod of another template goes first; the next turn makes the one that takes its place. */
function planned({ of, workload, pods }: Imitated, suffixes: readonly string[]): readonly Action[] {
  const wanted = suffixes.map((suffix) => `${workload.metadata.name}-${suffix}`)
  const revision = revisionOf(workload)
  const isCurrent = ({ metadata: { name, labels } }: KubeObject) =>
    wanted.includes(name) && labels?.[REVISION] === revision
  const missing = wanted.filter((name) => !pods.some(({ metadata }) => metadata.name === name))
  return [
    ...pods.filter((pod) => !isCurrent(pod)).map(removal),
    ...missing.map((name): Action => ({ do: 'create', of: POD, object: podOf(of, workload, name), because: WHY })),
    ...statusOf(of, workload, wanted.length),
  ]
}
const WHY = 'imitated'
const REVISION = 'controller-revision-hash'
const revisionOf = (workload: KubeObject) => md5Of(JSON.stringify(under(workload, 'spec', 'template'))).slice(0, 10)

function removal({ metadata: { namespace = '', name, uid = '' } }: KubeObject): Action {
  return { do: 'remove', of: POD, ref: { namespace, name }, expects: { uid }, because: WHY }
}

function podOf(of: Gvr, workload: KubeObject, name: string): Built {
  const { name: owner, namespace = '', uid = '' } = workload.metadata
  const labels = under(workload, 'spec', 'template', 'metadata', 'labels')
  const spec = under(workload, 'spec', 'template', 'spec')
  const ownerReferences = [
    { apiVersion: `${of.group}/${of.version}`, kind: of.kind, name: owner, uid, controller: true },
  ]
  const words = Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { ...words, [REVISION]: revisionOf(workload) }, ownerReferences },
    spec: { ...spec, nodeName: 'node' },
    status: podStatus(name, Array.isArray(spec.readinessGates) && spec.readinessGates.length > 0),
  }
}

/** Nothing sets the readiness gate of a TARS server here, so its pod is not ready (TE-R5). */
function podStatus(name: string, hasGate: boolean): Tree {
  const passed = ['PodScheduled', 'Initialized', 'ContainersReady'].map((type) => ({ type, status: 'True' }))
  const ready = hasGate
    ? { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: 'a readiness gate is not set' }
    : { type: 'Ready', status: 'True' }
  const [one = 0, other = 0] = Buffer.from(md5Of(name), 'hex')
  return { phase: 'Running', hostIP: '192.0.2.1', podIP: `10.0.${one}.${other}`, conditions: [...passed, ready] }
}

/** Only where it differs, or one write would lead to the next. */
function statusOf(of: Gvr, workload: KubeObject, pods: number): readonly Action[] {
  const { namespace = '', name, uid = '', resourceVersion = '', generation = 1 } = workload.metadata
  const counts =
    of.kind === 'DaemonSet' ? ['desiredNumberScheduled', 'currentNumberScheduled'] : ['replicas', 'currentReplicas']
  const status = { observedGeneration: generation, ...Object.fromEntries(counts.map((each) => [each, pods])) }
  const stored = under(workload, 'status')
  if (Object.entries(status).every(([key, value]) => stored[key] === value)) return []
  const expects = { uid, resourceVersion }
  return [
    { do: 'merge', of, ref: { namespace, name }, patch: { status }, expects, subresource: 'status', because: WHY },
  ]
}
