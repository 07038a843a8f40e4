import { quorumOf } from './rollout.ts'

/** What the phase rests on (spec 4.9). */
export interface PhaseFacts {
  readonly isSpecValid: boolean
  /** It was Running once (NC-REC-61). */
  readonly hasRun: boolean
  readonly isPastDeadline: boolean
  readonly isQuorumLostForLong: boolean
  readonly wanted: number
  readonly replicas: number
  readonly ready: number
  readonly isRolledOut: boolean
  readonly wasScaling: boolean
}
export type Phase = 'Failed' | 'Creating' | 'Scaling' | 'Updating' | 'Running'

/** From top to bottom: the first that is true. */
export function phaseOf(facts: PhaseFacts): Phase {
  const { isSpecValid, hasRun, isPastDeadline, isQuorumLostForLong, wanted, replicas, ready } = facts
  const isComplete = ready === wanted && replicas === wanted
  if (!isSpecValid || isQuorumLostForLong) return 'Failed'
  if (!hasRun && !isComplete) return isPastDeadline ? 'Failed' : 'Creating'
  if (replicas !== wanted || (facts.wasScaling && !facts.isRolledOut)) return 'Scaling'
  if (!facts.isRolledOut && ready >= quorumOf(wanted)) return 'Updating'
  return 'Running'
}

const SERVING: readonly Phase[] = ['Running', 'Updating', 'Scaling']
/** NC-REC-62 */
export const isHealthy = (phase: Phase, { ready, wanted }: Pick<PhaseFacts, 'ready' | 'wanted'>) =>
  SERVING.includes(phase) && ready >= quorumOf(wanted)
