import type { Fitness } from './fitness.ts'

/** What the controller asks of a pod. */
export interface DaemonPod {
  readonly name: string
  /** Its hash label and its stamp are those that its node calls for. */
  readonly isNew: boolean
  readonly phase: string
  readonly isReady: boolean
  /** Ready for minReadySeconds. */
  readonly isAvailable: boolean
  readonly isTerminating: boolean
  /** A preDelete hook holds it (lifecycle.apps.kruise.io/state). */
  readonly isPreparingDelete: boolean
  readonly isScheduled: boolean
  readonly createdAt: string
}
/** A node with the pods that are bound to it. */
export interface NodeOfPods {
  readonly name: string
  readonly fitness: Fitness
  readonly pods: readonly DaemonPod[]
}
/** The one new and the one old pod of a node, as an update expects it. */
export interface PodPair {
  readonly newPod: DaemonPod | undefined
  readonly oldPod: DaemonPod | undefined
}

export const isOver = ({ phase }: DaemonPod) => phase === 'Failed' || phase === 'Succeeded'

/** Nothing where a node has more than one pod of a sort: those must be deleted first. */
export function pairOf({ pods }: Pick<NodeOfPods, 'pods'>): PodPair | undefined {
  const there = pods.filter(({ isTerminating }) => !isTerminating)
  const [newPod, ...moreNew] = there.filter(({ isNew }) => isNew)
  const [oldPod, ...moreOld] = there.filter(({ isNew }) => !isNew)
  return moreNew.length + moreOld.length > 0 ? undefined : { newPod, oldPod }
}

/** Scheduled before unscheduled, then the oldest, then by name. */
export function byAge(one: DaemonPod, other: DaemonPod): number {
  if (one.isScheduled !== other.isScheduled) return one.isScheduled ? -1 : 1
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1
  return one.name < other.name ? -1 : 1
}
