import { treeIn } from '../objects/parts.ts'
import type { NacosSeen } from '../reconcile/seen.ts'

const numberIn = (value: unknown) => (typeof value === 'number' ? value : 0)

/** What a StatefulSet says of its rollout. */
export interface Rollout {
  readonly isObserved: boolean
  readonly wanted: number
  readonly replicas: number
  readonly ready: number
  readonly updated: number
  readonly partition: number
  readonly revision: unknown
  readonly isOfOneRevision: boolean
}

export function rolloutOf(statefulSet: unknown): Rollout {
  const { metadata, spec, status } = treeIn(statefulSet)
  const { observedGeneration, currentRevision, updateRevision, replicas, readyReplicas, updatedReplicas } =
    treeIn(status)
  const strategy = treeIn(treeIn(spec).updateStrategy)
  return {
    isObserved: observedGeneration !== undefined && observedGeneration === treeIn(metadata).generation,
    wanted: numberIn(treeIn(spec).replicas),
    replicas: numberIn(replicas),
    ready: numberIn(readyReplicas),
    updated: numberIn(updatedReplicas),
    partition: numberIn(treeIn(strategy.rollingUpdate).partition),
    revision: updateRevision,
    isOfOneRevision: updateRevision !== undefined && updateRevision === currentRevision,
  }
}

/** NC-ROL-20, by the same figures as `kubectl rollout status`. */
export function isRolledOut(statefulSet: unknown): boolean {
  if (statefulSet === undefined) return false
  const { isObserved, wanted, ready, updated, isOfOneRevision } = rolloutOf(statefulSet)
  return isObserved && (isOfOneRevision || updated === wanted) && ready === wanted
}

/** All members down to the partition are done: the rest waits for the user who set it (NC-STS-03). */
export function isAtPartition(statefulSet: unknown): boolean {
  const { isObserved, wanted, ready, updated, partition } = rolloutOf(statefulSet)
  return isObserved && partition > 0 && updated >= wanted - partition && ready === wanted
}

/** What changes while a rollout goes on (NC-ROL-21). */
export function progressOf(statefulSet: unknown): string {
  const { updated, ready, revision } = rolloutOf(statefulSet)
  return JSON.stringify([updated, ready, revision])
}

/** NC-REC-51, NC-REC-52 */
export const readyIn = ({ pods }: NacosSeen) => pods.filter(({ isReady }) => isReady).length
export const quorumOf = (replicas: number) => Math.floor(replicas / 2) + 1
