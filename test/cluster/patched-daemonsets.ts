import { canonical } from '../../src/kube/canonical-json.ts'
import { sha256Of } from '../../src/kube/digests.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { ANNOTATIONS, LABELS } from '../../webhooks/kruise/names.ts'
import { at, treesOf } from '../support/builders/trees.ts'
import type { Workplace } from './at-work.ts'
import { until } from './until.ts'

/** A list of one patch, which gives the pods on large disks a variable. */
export const largeGets = (value: string, more: object = {}): readonly object[] => [
  {
    selector: { matchLabels: { disk: 'large' } },
    patch: { spec: { containers: [{ name: 'agent', env: [{ name: 'DISK', value }], ...more }] } },
  },
]

interface DaemonSetWishes {
  readonly list: readonly object[]
  readonly updateStrategy?: object
  readonly minReadySeconds?: number
}
function daemonSetOf(name: string, { list, ...spec }: DaemonSetWishes) {
  const labels = { app: name }
  const container = { name: 'agent', image: 'example.com/agent:1', env: [{ name: 'DISK', value: 'plain' }] }
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, annotations: { [ANNOTATIONS.patches]: JSON.stringify(list) } },
    spec: {
      ...{ selector: { matchLabels: labels }, ...spec },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  }
}

/** The pods of a DaemonSet that are not terminating. */
export interface PodsSeen {
  /** `red: large`. */
  readonly values: readonly string[]
  /** By their Nodes. */
  readonly uids: Readonly<Record<string, string>>
  /** By their Nodes, in whole seconds. */
  readonly created: Readonly<Record<string, string>>
  readonly ready: number
  /** Phases and conditions of those that are not ready. */
  readonly unready: readonly string[]
  readonly images: string
  readonly marked: number
}

/** Their pods are known by a label: that which they are given here, unless they are made of something else. */
export function daemonSetsIn({ create, merge, list, read }: Workplace, labelOf = (name: string) => `app=${name}`) {
  async function pods(name: string): Promise<PodsSeen> {
    const all = await list('pods', `labelSelector=${labelOf(name)}`)
    const there = all.filter((pod) => at(pod, 'metadata.deletionTimestamp') === undefined)
    const byNode = (path: string) => Object.fromEntries(there.map((pod) => [nodeOf(pod), String(at(pod, path))]))
    return {
      values: there.map((pod) => `${nodeOf(pod)}: ${at(pod, 'spec.containers.0.env.0.value')}`).toSorted(),
      uids: byNode('metadata.uid'),
      created: byNode('metadata.creationTimestamp'),
      ready: there.filter(isReady).length,
      unready: there.filter((pod) => !isReady(pod)).map((pod) => `${nodeOf(pod)}: ${JSON.stringify(pod.status)}`),
      images: [...new Set(there.map((pod) => at(pod, 'spec.containers.0.image')))].join(),
      marked: there.filter((pod) => String(at(pod, `metadata.labels.${LABELS.revision}`)).endsWith('-stale')).length,
    }
  }
  /** Answers the fewest ready pods that were seen meanwhile. */
  async function become(name: string, values: readonly string[], seconds = 40): Promise<number> {
    let fewest = Number.POSITIVE_INFINITY
    let seen: PodsSeen | undefined
    const holds = async () => {
      seen = await pods(name)
      fewest = Math.min(fewest, seen.ready)
      return seen.values.join() === values.join() && seen.ready === values.length && seen.marked === 0
    }
    await until(`pods of ${name} are ${values}`, holds, { seconds }).catch((cause) => {
      throw new Error(`seen last: ${JSON.stringify(seen)}`, { cause })
    })
    return fewest
  }
  async function says(name: string, reason: string, isMore: (daemonSet: Tree) => boolean = () => true): Promise<void> {
    await until(`DaemonSet ${name} says ${reason}`, async () => {
      const daemonSet = await read('daemonsets', name)
      const conditions = treesOf(at(daemonSet, 'status.conditions'))
      const condition = conditions.find(({ type }) => type === 'NodeLabelPatchesSynced')
      return condition?.reason === reason && isMore(daemonSet)
    })
  }
  return {
    pods,
    become,
    says,
    /** As a client that waits for its list: the condition alone may be that of the list before. */
    async synced(name: string, entries: readonly object[]): Promise<void> {
      const list = sha256Of(canonical(entries)).slice(0, 16)
      await says(name, 'AllPodsPatched', ({ metadata }) => annotationIn(metadata) === list)
    },
    /** Creates one, and waits until its owner counts all of its pods as available. */
    async daemonSet(name: string, wishes: DaemonSetWishes, values: readonly string[]): Promise<PodsSeen> {
      await create('daemonsets', daemonSetOf(name, wishes))
      await become(name, values)
      const available = async () => at(await read('daemonsets', name), 'status.numberAvailable')
      await until('all are available', async () => (await available()) === values.length)
      return pods(name)
    },
    patches: (name: string, entries: readonly object[]) =>
      merge('daemonsets', name, { metadata: { annotations: { [ANNOTATIONS.patches]: JSON.stringify(entries) } } }),
  }
}

const annotationIn = (metadata: unknown) =>
  isTree(metadata) && isTree(metadata.annotations) ? metadata.annotations[ANNOTATIONS.observed] : undefined
const nodeOf = (pod: Tree) => String(at(pod, 'spec.nodeName'))
const isReady = (pod: Tree) =>
  treesOf(at(pod, 'status.conditions')).some(({ type, status }) => type === 'Ready' && status === 'True')
