import type { Labels } from '../../../src/kube/labels.ts'
import { selects } from '../../../src/kube/selectors.ts'
import type { Found } from '../../kit/schema.ts'
import type { DaemonSet } from '../daemonsets.ts'
import { selectorFaults, selectorFrom } from '../list/selector.ts'
import { ANNOTATIONS } from '../names.ts'
import { shareOf } from '../share.ts'
import { type NodeOfPods, pairOf } from './pods-of-nodes.ts'
import { eligibleNodes, type NodeProgress } from './selection.ts'
import { type Budget, type UpdateStep, updateStep } from './update.ts'
import type { Work } from './work.ts'

type Strategy = NonNullable<Found<DaemonSet>['spec']>['updateStrategy']
const rollingOf = (strategy: Strategy) => strategy?.rollingUpdate ?? {}
const NO_STEP: UpdateStep = { remove: [], create: [] }
const MOST_AT_ONCE = 250

/** Undefined without a selector of nodes; one that cannot be read selects none. */
export function isSelectedBy({ spec }: Found<DaemonSet>, labels: Labels): boolean | undefined {
  const { selector } = rollingOf(spec?.updateStrategy)
  if (selector === undefined) return undefined
  return selectorFaults(selector).length === 0 && selects(selectorFrom(selector), labels)
}

/** PATCH-CTL-17: nothing of a DaemonSet that is updated by hand, or paused. */
export function nextUpdate({ seen: { daemonSet, nodes: stored }, nodes, desired }: Work): UpdateStep {
  const strategy = daemonSet.spec?.updateStrategy
  const { paused, partition } = rollingOf(strategy)
  if (strategy?.type === 'OnDelete' || paused === true) return NO_STEP
  const labels = new Map(stored.map(({ metadata }) => [metadata.name, metadata.labels]))
  const inUpdate = nodes.filter(({ fitness, pods }) => fitness.shouldRun || pods.length > 0)
  const progress = inUpdate.map((node) => progressOf(node, isSelectedBy(daemonSet, labels.get(node.name))))
  const eligible = eligibleNodes(progress, shareOf(partition, desired, 'down'))
  const byName = new Map(inUpdate.map((node) => [node.name, node]))
  const ordered = [...eligible].flatMap((name) => byName.get(name) ?? [])
  return updateStep(ordered, budgetOf(strategy, desired))
}

function progressOf(node: NodeOfPods, isSelected: boolean | undefined): NodeProgress {
  const pair = pairOf(node)
  const isUpdated = pair === undefined || pair.newPod !== undefined
  const isUpdating = pair?.oldPod === undefined || pair.oldPod.isPreparingDelete
  return { node: node.name, progress: isUpdated ? 'updated' : isUpdating ? 'updating' : 'old', isSelected }
}

export function budgetOf(strategy: Strategy, desired: number): Budget {
  const { maxUnavailable, maxSurge } = rollingOf(strategy)
  const surge = shareOf(maxSurge, desired, 'up')
  const unavailable = maxUnavailable === undefined && surge === 0 ? 1 : shareOf(maxUnavailable, desired, 'up')
  return { maxSurge: surge, maxUnavailable: unavailable }
}

/** How many pods a turn may create: OpenKruise's burst, and under a partition no more than it leaves open (1.2). */
export function creatable({ seen: { daemonSet }, nodes, desired }: Work): number {
  const { burstReplicas = MOST_AT_ONCE, scaleStrategy, updateStrategy } = daemonSet.spec ?? {}
  const burst = Math.max(1, shareOf(burstReplicas, desired, 'down'))
  const isProgressive =
    scaleStrategy?.partitionedScaling === true || daemonSet.metadata.annotations?.[ANNOTATIONS.progressive] === 'true'
  const partition = shareOf(rollingOf(updateStrategy).partition, desired, 'down')
  if (!isProgressive || partition === 0) return burst
  const updated = nodes.filter(({ pods }) => pods.some(({ isNew }) => isNew)).length
  return Math.max(0, Math.min(burst, desired - updated - partition))
}
