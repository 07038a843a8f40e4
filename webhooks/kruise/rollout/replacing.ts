import { selects } from '../../../src/kube/selectors.ts'
import type { Action } from '../../kit/controller.ts'
import { type Found, isTree } from '../../kit/schema.ts'
import type { DaemonSet } from '../daemonsets.ts'
import { ANNOTATIONS } from '../names.ts'
import type { JudgedPod } from './judged.ts'
import { PREPARING_DELETE, preparation, removal } from './marks.ts'
import type { RolloutPod } from './pod.ts'
import { desiredOf, isOnDelete, isPaused, maxUnavailable, minReadyMs, rollingSelector } from './strategy.ts'

/** Ready for as long as the DaemonSet wants it. */
export function isAvailable({ isEnding, readySince }: RolloutPod, minReady: number, at: number): boolean {
  return !isEnding && readySince !== undefined && at - readySince >= minReady
}

/** PATCH-ROLL-8: such a pod goes already, or OpenKruise works on it. */
export function isTouchable({ isEnding, lifecycle, isInPlaceUpdating }: RolloutPod): boolean {
  return !isEnding && lifecycle !== PREPARING_DELETE && !isInPlaceUpdating
}

/** Whether its owner made it of the present template, as far as the owner says so. */
export function isOfOwnersRevision(
  { revision, generation }: RolloutPod,
  { metadata, status }: Found<DaemonSet>,
): boolean {
  const current = status?.updateRevision ?? status?.daemonSetHash
  if (current !== undefined) return tail(current) === tail(revision)
  const wanted = metadata.annotations?.[ANNOTATIONS.generation]
  return generation !== undefined && generation === wanted
}
/** OpenKruise compares what follows the last `-`. */
const tail = (hash: string) => hash.slice(hash.lastIndexOf('-') + 1)

/** PATCH-ROLL-20, 21: within the budget of the strategy, pods first whose Node has no available pod anyway. */
export function deletions(
  daemonSet: Found<DaemonSet>,
  all: readonly RolloutPod[],
  stale: readonly JudgedPod[],
  at: number,
): { readonly actions: readonly Action[]; readonly replaced: readonly JudgedPod[] } {
  if (isPaused(daemonSet) || isOnDelete(daemonSet)) return { actions: [], replaced: [] }
  const minReady = minReadyMs(daemonSet)
  const available = new Set(all.filter((pod) => isAvailable(pod, minReady, at)).map(({ node }) => node))
  const selector = rollingSelector(daemonSet)
  const wanted = stale.filter(
    ({ pod, node }) => isOfOwnersRevision(pod, daemonSet) && (selector === undefined || selects(selector, node.labels)),
  )
  const [free, costly] = split(wanted, ({ pod }) => !available.has(pod.node))
  const room = Math.max(0, maxUnavailable(daemonSet) - Math.max(0, desiredOf(daemonSet) - available.size))
  const hasHook = isTree(daemonSet.spec?.lifecycle?.preDelete)
  const replaced = [...free, ...costly.slice(0, room)]
  const actions = replaced.map(({ pod, sighting: { reason = '' } }) =>
    hasHook ? preparation(pod, reason) : removal(pod, reason),
  )
  return { actions, replaced }
}

function split<E>(all: readonly E[], isFirst: (each: E) => boolean): readonly [readonly E[], readonly E[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
}
