import type { Action } from '../../kit/controller.ts'
import type { Words } from '../../kit/schema.ts'
import { ANNOTATIONS, LABELS, STAMPS } from '../names.ts'
import { type RolloutPod, STALE } from './pod.ts'
import { DAEMON_POD } from './pod-schema.ts'

type Changes = Readonly<Record<string, string | null>>
/** What a pod is stamped with. */
export interface Stamp {
  readonly component: string
  readonly indexes: readonly number[]
}

/** A label value has 63 characters at most. */
const LONGEST_REVISION = 63 - STALE.length

/**
 * PATCH-ROLL-5: a suffix, since OpenKruise compares what follows the last `-`, and no hash has the letters of `stale`. The
 * owner then takes the pod for an old one, and replaces it under its own strategy (PATCH-ROLL-6).
 */
export function mark(pod: RolloutPod, reason: string, at: Date): Action {
  const { revision, generation } = pod
  const saved = { [LABELS.revision]: revision, ...(generation !== undefined && { [LABELS.generation]: generation }) }
  const labels = {
    [LABELS.revision]: `${revision.slice(0, LONGEST_REVISION)}${STALE}`,
    ...(generation !== undefined && { [LABELS.generation]: null }),
  }
  return merge(
    pod,
    { labels, annotations: { [ANNOTATIONS.stale]: markText(reason, at, saved) } },
    `PATCH-ROLL-5 ${reason}`,
  )
}

/** PATCH-ROLL-7: the labels that it had, and no others. */
export function unmark(pod: RolloutPod): Action {
  return merge(pod, { labels: savedLabels(pod), annotations: { [ANNOTATIONS.stale]: null } }, 'PATCH-ROLL-7')
}

/** PATCH-ROLL-12: wakes the owner. */
export function wakeOwner(pod: RolloutPod, at: Date): Action {
  const saved = savedLabels(pod)
  const text = markText(pod.mark?.reason ?? '', at, saved)
  return merge(pod, { annotations: { [ANNOTATIONS.stale]: text } }, 'PATCH-ROLL-12')
}

/** PATCH-HASH-7: the result is the same as before, so the stamps alone change. A mark is taken back. */
export function restamp(pod: RolloutPod, { component, indexes }: Stamp): Action {
  const stamps: Changes =
    component === ''
      ? Object.fromEntries(STAMPS.map((key) => [key, null]))
      : { [ANNOTATIONS.combinedHash]: `${baseOf(pod)}-${component}`, [ANNOTATIONS.applied]: indexes.join(',') }
  if (pod.mark === undefined) return merge(pod, { annotations: stamps }, 'PATCH-HASH-7')
  const annotations = { ...stamps, [ANNOTATIONS.stale]: null }
  return merge(pod, { labels: savedLabels(pod), annotations }, 'PATCH-HASH-7')
}

/** PATCH-INPLACE-2: OpenKruise has brought the pod to a newer template, and what the patches set is still there. */
export function rebase(pod: RolloutPod): Action {
  const annotations = { [ANNOTATIONS.combinedHash]: `${pod.revision}-${pod.component}` }
  return merge(pod, { annotations }, 'PATCH-INPLACE-2')
}

/** PATCH-ROLL-20 */
export function removal(pod: RolloutPod, reason: string): Action {
  const { uid, resourceVersion } = pod
  return {
    do: 'remove',
    of: DAEMON_POD,
    ref: refOf(pod),
    expects: { uid, resourceVersion },
    because: `PATCH-ROLL-20 ${reason}`,
  }
}

export const PREPARING_DELETE = 'PreparingDelete'
/** PATCH-ROLL-22: OpenKruise runs the hook, and deletes the pod itself. */
export function preparation(pod: RolloutPod, reason: string): Action {
  return merge(pod, { labels: { [LABELS.lifecycle]: PREPARING_DELETE } }, `PATCH-ROLL-22 ${reason}`)
}

/** The revision with which its owner made the pod. */
export function baseOf({ stamp = '', component }: Pick<RolloutPod, 'stamp' | 'component'>): string {
  return stamp.slice(0, -component.length - 1)
}

const refOf = ({ namespace, name }: RolloutPod) => ({ namespace, name })

function savedLabels({ revision, generation }: RolloutPod): Words {
  return { [LABELS.revision]: revision, ...(generation !== undefined && { [LABELS.generation]: generation }) }
}

function markText(reason: string, at: Date, labels: Words): string {
  return JSON.stringify({ reason, at: at.toISOString(), labels })
}

function merge(
  pod: RolloutPod,
  metadata: { readonly labels?: Changes; readonly annotations?: Changes },
  because: string,
): Action {
  const { uid, resourceVersion } = pod
  return {
    do: 'merge',
    of: DAEMON_POD,
    ref: refOf(pod),
    expects: { uid, resourceVersion },
    patch: { metadata },
    because,
  }
}
