import type { Given } from '../../kit/controller.ts'
import { isGateOn } from '../gate.ts'
import { componentIn } from '../list/hash.ts'
import { type Choice, type PatchReading, readingOf } from '../list/reading.ts'
import { specOf } from '../list/touched.ts'
import { ANNOTATIONS } from '../names.ts'
import { targetNode } from '../owner.ts'
import { tolerationsIn } from './daemon-pod.ts'
import { fitnessOf, taintsOf } from './fitness.ts'
import { labelHashOf } from './label-hash.ts'
import type { NodeOfPods } from './pods-of-nodes.ts'
import type { StoredDaemonPod } from './resources.ts'
import { type Revised, revised } from './revise.ts'
import type { DaemonSetSeen } from './seen.ts'
import { daemonPodFrom } from './view.ts'

/** What one turn works with, derived from what was seen. */
export interface Work {
  readonly seen: DaemonSetSeen
  readonly reading: PatchReading
  /** What applies on a node of that name. */
  readonly choiceOn: (node: string) => Choice
  readonly revised: Revised
  readonly nodes: readonly NodeOfPods[]
  /** Pods that no node runs and that wait for a node which is gone. */
  readonly stranded: readonly StoredDaemonPod[]
  readonly desired: number
  readonly minReadySeconds: number
}

/** PATCH-GATE-1: new pods follow the template. What runs with patches stays, as long as the template does. */
const NO_PATCHES: Choice = { entries: [], component: '', templateHash: () => '' }
const appliedTo = ({ metadata }: StoredDaemonPod) => componentIn(metadata.annotations?.[ANNOTATIONS.combinedHash])

const wantedAs = (component: string, { templateHash }: Revised) => ({
  hash: labelHashOf(templateHash, component),
  component,
})

export function workOf(seen: DaemonSetSeen, { at, settings }: Pick<Given, 'at' | 'settings'>): Work {
  const { daemonSet, nodes, pods, revisions } = seen
  const reading = readingOf(daemonSet)
  const version = revised({ daemonSet, revisions })
  const { minReadySeconds = 0 } = daemonSet.spec ?? {}
  const byTarget = Map.groupBy(pods, ({ spec }) => targetNode({ spec }) ?? '')
  const podSpec = specOf(reading.template)
  const tolerations = tolerationsIn(podSpec)
  const labelsOf = new Map(nodes.map(({ metadata }) => [metadata.name, metadata.labels]))
  const isPatching = isGateOn(settings)
  const choiceOn = (node: string) => (isPatching ? reading.choiceFor(labelsOf.get(node)) : NO_PATCHES)
  const ofNodes = nodes.map((node): NodeOfPods => {
    const { name, labels } = node.metadata
    const { component } = choiceOn(name)
    const wantedOf = (pod: StoredDaemonPod) => wantedAs(isPatching ? component : appliedTo(pod), version)
    const there = byTarget.get(name) ?? []
    return {
      name,
      fitness: fitnessOf(podSpec, tolerations, { name, labels: labels ?? {}, taints: taintsOf({ ...node }) }),
      pods: there.map((pod) => daemonPodFrom(pod, wantedOf(pod), { minReadySeconds, at })),
    }
  })
  const stranded = pods.filter(({ spec }) => !spec?.nodeName && !labelsOf.has(targetNode({ spec }) ?? ''))
  const desired = ofNodes.filter(({ fitness }) => fitness.shouldRun).length
  return { seen, reading, choiceOn, revised: version, nodes: ofNodes, stranded, desired, minReadySeconds }
}
