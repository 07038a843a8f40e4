import type { Selector } from '../../../src/kube/selectors.ts'
import type { Found } from '../../kit/schema.ts'
import type { DaemonSet } from '../daemonsets.ts'
import { ANNOTATIONS } from '../names.ts'
import { shareOf } from '../share.ts'

/** `stop`: no pod is replaced, and what is marked is not any more. */
export type Way = { readonly by: 'mark' | 'delete' } | { readonly by: 'stop'; readonly reason: StopReason }
export type StopReason = 'FeatureGateDisabled' | 'InvalidPatches' | 'Deferred'

export interface Wishes {
  readonly isGateOn: boolean
  readonly isUnreadable: boolean
  readonly mode: 'Mark' | 'Delete' | 'None'
}

const stop = (reason: StopReason): Way => ({ by: 'stop', reason })

/** The table of spec 8.4. */
export function wayOf(daemonSet: Found<DaemonSet>, { isGateOn, isUnreadable, mode }: Wishes): Way {
  if (!isGateOn) return stop('FeatureGateDisabled')
  if (isUnreadable) return stop('InvalidPatches')
  if (mode === 'None' || daemonSet.metadata.annotations?.[ANNOTATIONS.rollout] === 'OnPodRecreate')
    return stop('Deferred')
  if (partitionOf(daemonSet) > 0) return isProgressive(daemonSet) ? stop('Deferred') : { by: 'delete' }
  return { by: mode === 'Delete' ? 'delete' : 'mark' }
}

export const isOnDelete = ({ spec }: Found<DaemonSet>) => spec?.updateStrategy?.type === 'OnDelete'
export const isPaused = ({ spec }: Found<DaemonSet>) => spec?.updateStrategy?.rollingUpdate?.paused === true

/** OpenKruise chooses by it which nodes get a new pod at all (PATCH-ROLL-23). */
function isProgressive({ metadata, spec }: Found<DaemonSet>): boolean {
  return spec?.scaleStrategy?.partitionedScaling === true || metadata.annotations?.[ANNOTATIONS.progressive] === 'true'
}

export const desiredOf = ({ status }: Found<DaemonSet>) => status?.desiredNumberScheduled ?? 0
/** Before its owner has looked at a new DaemonSet, how many pods it wants is unknown. */
export const isCounted = ({ status }: Found<DaemonSet>) => status?.observedGeneration !== undefined
export const minReadyMs = ({ spec }: Found<DaemonSet>) => (spec?.minReadySeconds ?? 0) * 1_000

const rollingUpdateOf = (daemonSet: Found<DaemonSet>) =>
  isOnDelete(daemonSet) ? undefined : daemonSet.spec?.updateStrategy?.rollingUpdate

function partitionOf(daemonSet: Found<DaemonSet>): number {
  return shareOf(rollingUpdateOf(daemonSet)?.partition, desiredOf(daemonSet), 'down')
}

/** PATCH-ROLL-21. One at a time where only a surge is allowed. */
export function maxUnavailable(daemonSet: Found<DaemonSet>): number {
  return shareOf(rollingUpdateOf(daemonSet)?.maxUnavailable, desiredOf(daemonSet), 'up') || 1
}

/** Whether the owner may replace a pod now and here, as far as the strategy says so. */
export function rollingSelector(daemonSet: Found<DaemonSet>): Selector | undefined {
  return rollingUpdateOf(daemonSet)?.selector
}
