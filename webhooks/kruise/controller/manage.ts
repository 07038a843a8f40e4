import { byAge, type DaemonPod, isOver, type NodeOfPods } from './pods-of-nodes.ts'

/** What brings each node to its one pod, whatever the version of that pod. */
export interface Managed {
  /** Names of nodes. */
  readonly create: readonly string[]
  readonly remove: readonly DaemonPod[]
  /** They have failed, or ended, and are removed after a backoff. */
  readonly failed: readonly DaemonPod[]
}
const NOTHING: Managed = { create: [], remove: [], failed: [] }

/** PATCH-CTL-15. */
export function managed(nodes: readonly NodeOfPods[], allowsSurge: boolean): Managed {
  const each = nodes.map((node) => managedOn(node, allowsSurge))
  return {
    create: each.flatMap(({ create }) => create),
    remove: each.flatMap(({ remove }) => remove),
    failed: each.flatMap(({ failed }) => failed),
  }
}

function managedOn({ name, fitness, pods }: NodeOfPods, allowsSurge: boolean): Managed {
  const there = pods.filter(({ isTerminating }) => !isTerminating)
  if (!fitness.shouldContinue) return { ...NOTHING, remove: there }
  if (pods.length === 0) return { ...NOTHING, create: fitness.shouldRun ? [name] : [] }
  const ended = there.filter(({ isPreparingDelete }) => isPreparingDelete)
  const failed = there.filter((pod) => isOver(pod) && !ended.includes(pod))
  const running = there.filter((pod) => !failed.includes(pod) && !ended.includes(pod)).sort(byAge)
  const surplus = allowsSurge ? surplusUnderSurge(running) : running.slice(1)
  const isBare = allowsSurge && running.length === 0 && failed.length + ended.length === 0
  return { create: isBare && fitness.shouldRun ? [name] : [], remove: [...ended, ...surplus], failed }
}

/** One new and one old pod stay together while the new one is not available and the old one is ready. */
function surplusUnderSurge(running: readonly DaemonPod[]): readonly DaemonPod[] {
  const newest = running.find(({ isNew }) => isNew)
  const oldest = running.find(({ isNew }) => !isNew)
  const isDone = newest !== undefined && oldest !== undefined && (newest.isAvailable || !oldest.isReady)
  return running.filter((pod) => (pod !== newest && pod !== oldest) || (pod === oldest && isDone))
}
