import type { MemoryCluster } from '../../src/cluster/memory/memory-cluster.ts'
import type { Built } from '../../src/cluster/port.ts'
import { defineController, type Plan } from '../../webhooks/kit/controller.ts'
import type { KubeObject, Tree } from '../../webhooks/kit/schema.ts'
import { CONTROLLER_REVISION, POD, type StoredDaemonPod } from '../../webhooks/kruise/controller/resources.ts'
import { KRUISE_DAEMONSET } from '../../webhooks/kruise/daemonsets.ts'
import { LABELS } from '../../webhooks/kruise/names.ts'
import { targetNode } from '../../webhooks/kruise/owner.ts'
import { clusterAsking, NOW } from './clusters.ts'
import { settled } from './turns.ts'

/** What becomes of pods: the phase of those on some nodes, and what another webhook writes to the metadata of all. */
interface Fate {
  readonly phases: Map<string, string>
  others?: Tree
}

/** Binds each pod to its node and makes it Ready, unless it is to end there. */
const kubelet = ({ phases, others }: Fate) =>
  defineController<KubeObject, StoredDaemonPod>({
    name: 'kubelet',
    of: POD,
    watches: [],
    writes: [{ resource: POD, verbs: ['merge'] }],
    observe: (key, { cached }) => cached.get(POD, key),
    plan({ metadata, spec, status }): Plan {
      const node = targetNode({ spec }) ?? ''
      if (status?.phase !== undefined) return { actions: [] }
      const ready = { type: 'Ready', status: 'True', lastTransitionTime: NOW }
      const phase = phases.get(node) ?? 'Running'
      const bound = { spec: { nodeName: node }, status: { phase, conditions: phase === 'Running' ? [ready] : [] } }
      const patch = { ...bound, ...(others && { metadata: others }) }
      const { namespace = '', name, uid = '' } = metadata
      return { actions: [{ do: 'merge', of: POD, ref: { namespace, name }, expects: { uid }, patch, because: 'test' }] }
    },
  })

export const aNode = (name: string, labels: Readonly<Record<string, string>> = {}, spec: Tree = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
  spec,
})
const TEMPLATE = { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image: 'agent:1' }] } }

export const aKruiseDaemonSet = (spec: Tree = {}, metadata: Tree = {}) => ({
  apiVersion: 'apps.kruise.io/v1beta1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'demo', uid: 'd1', generation: 1, ...metadata },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: TEMPLATE, ...spec },
})
export const KEY = { namespace: 'demo', name: 'agent' }

/** A cluster with these nodes, and the controller at work on a DaemonSet of apps.kruise.io. */
export class DaemonWorld {
  readonly cluster: MemoryCluster
  readonly fate: Fate = { phases: new Map() }
  #writesLeft = Number.POSITIVE_INFINITY

  constructor(nodes: readonly Built[], daemonSet: Built) {
    this.cluster = clusterAsking(async (phase) => {
      if (phase === 'mutate' && --this.#writesLeft < 0) throw new Error('killed')
      return []
    })
    this.cluster.seed([...nodes, daemonSet])
  }

  /** Runs until nothing is due. */
  settle(forMs = 600, settings: Tree = {}) {
    const given = { enableDaemonsetController: true, ...settings }
    return settled('daemonset', this.cluster, { given, beside: [kubelet(this.fate)], forMs })
  }

  /** A worker that is killed after so many writes. Answers whether it had come to its end before. */
  async killedAfter(writes: number): Promise<boolean> {
    this.#writesLeft = writes
    await this.settle().catch(() => undefined)
    const hadEnded = this.#writesLeft >= 0
    this.#writesLeft = Number.POSITIVE_INFINITY
    return hadEnded
  }

  async change(patch: Tree): Promise<void> {
    await this.cluster.merge(KRUISE_DAEMONSET, KEY, patch)
  }

  /** `n1 agent:1`: the node and the image of each pod. */
  async pods(): Promise<readonly string[]> {
    const pods = await this.cluster.list(POD, { namespace: 'demo' })
    return pods.map(({ spec }) => `${targetNode({ spec })} ${imageOf(spec ?? {})}`).sort()
  }

  async hashes(): Promise<readonly (string | undefined)[]> {
    const pods = await this.cluster.list(POD, { namespace: 'demo' })
    return pods.map(({ metadata }) => metadata.labels?.[LABELS.revision])
  }

  revisions() {
    return this.cluster.list(CONTROLLER_REVISION, { namespace: 'demo' })
  }
  daemonSet() {
    return this.cluster.get(KRUISE_DAEMONSET, KEY)
  }
}

function imageOf(spec: Tree): unknown {
  const [container] = Array.isArray(spec.containers) ? spec.containers : []
  return container?.image
}
