import type { RolloutPod } from './pod.ts'

/** The last mark on a Node, for as long as the replacement is stale too. */
export interface LastMark {
  readonly component: string
  readonly uid: string
  readonly at: number
  readonly waitMs: number
}
const FIRST_MS = 300_000
const LONGEST_MS = 3_600_000

/** PATCH-ROLL-9 c: zero or less when the pod may be marked. A pod that was marked and is not any more waits for nothing. */
export function repeatWaitMs(
  last: LastMark | undefined,
  { uid }: Pick<RolloutPod, 'uid'>,
  component: string,
  at: number,
) {
  const isAgain = last !== undefined && last.component === component && last.uid !== uid
  return isAgain ? last.at + last.waitMs - at : 0
}

export function markedNow(
  last: LastMark | undefined,
  { uid }: Pick<RolloutPod, 'uid'>,
  component: string,
  at: number,
): LastMark {
  if (last === undefined || last.component !== component) return { component, uid, at, waitMs: FIRST_MS }
  return { component, uid, at, waitMs: last.uid === uid ? last.waitMs : Math.min(last.waitMs * 2, LONGEST_MS) }
}

/** A pod that was not there before, with what applies to it. */
export interface Newcomer {
  readonly pod: Pick<RolloutPod, 'component' | 'createdAt'>
  readonly expected: string
  /** The same applied to the pod before it: a Node may have got its labels after its pod (PATCH-ROLL-9 b). */
  readonly isExpectedBefore: boolean
  /** Of a pod that was marked for the same component. */
  readonly isReplacement: boolean
}
const MOST_BYPASSED = 3
/** Times of creation are whole seconds, and the cache of the webhook may be behind ours. */
const SETTLED_MS = 1_000

/**
 * PATCH-ROLL-9 b: how many pods in a row came up without the patches that applied already. A pod that came up with them
 * ends the row.
 */
export function bypassedAfter(before: number, newcomers: readonly Newcomer[], since: number): number {
  const told = newcomers
    .filter(({ expected }) => expected !== '')
    .filter(
      ({ pod, isReplacement, isExpectedBefore }) =>
        isReplacement || (isExpectedBefore && pod.createdAt > since + SETTLED_MS),
    )
    .toSorted((one, other) => one.pod.createdAt - other.pod.createdAt)
  return told.reduce((row, { pod, expected }) => (pod.component === expected ? 0 : row + 1), before)
}

export const isOpen = (bypassed: number) => bypassed >= MOST_BYPASSED
