import type { Entry } from '../list/entry.ts'
import type { RolloutPod } from './pod.ts'

export const STALE_REASONS = ['PatchChanged', 'NodeRelabeled', 'NotPatched', 'InPlaceOverwritten'] as const
export type StaleReason = (typeof STALE_REASONS)[number]

/** What was last found of a pod. Without a reason it is current. */
export interface Sighting {
  /** The component that its Node calls for. */
  readonly expected: string
  readonly reason?: StaleReason
  readonly since: number
}
export interface ComparedList {
  readonly entries: readonly Entry[]
  /** The list is another one than that with which pods were compared before. */
  readonly isNews: boolean
  readonly at: number
}

/** PATCH-ROLL-2: only the component counts, since the base is the business of the owner (PATCH-HASH-5). */
export function sightingOf(
  pod: Pick<RolloutPod, 'component' | 'stamp' | 'applied'>,
  expected: string,
  before: Sighting | undefined,
  judging: ComparedList,
): Sighting {
  const { isNews, at } = judging
  if (pod.component === expected) return { expected, since: at }
  if (before?.reason !== undefined && before.expected === expected && !isNews) return before
  return { expected, since: at, reason: reasonOf(pod, before, judging) }
}

/** A pod that was current under the same list is stale because of its Node. */
function reasonOf(
  { stamp, component, applied }: Pick<RolloutPod, 'component' | 'stamp' | 'applied'>,
  before: Sighting | undefined,
  { entries, isNews }: ComparedList,
): StaleReason {
  if (before !== undefined && !isNews) return before.reason ?? 'NodeRelabeled'
  if (stamp === undefined) return 'NotPatched'
  return !isNews && component === hashesAt(applied, entries) ? 'NodeRelabeled' : 'PatchChanged'
}

/** What the entries at the places that a stamp names come to now. */
function hashesAt(applied: string, entries: readonly Entry[]): string {
  return applied
    .split(',', entries.length)
    .map((index) => entries.find((entry) => String(entry.index) === index)?.hash ?? '')
    .join('')
}

/** PATCH-ROLL-3: a label that comes and goes restarts nothing. Zero or less when it is time to act. */
export function waitMs({ reason, since }: Sighting, stabilizationMs: number, at: number): number {
  return reason === 'NodeRelabeled' ? since + stabilizationMs - at : 0
}
