import { type ConfigDecision, decisionFor } from '../reconcile/decision.ts'
import { isPaused, isWithheld } from '../reconcile/first-contact.ts'
import { heldAs } from '../reconcile/held.ts'
import type { NacosGiven, NacosMemory } from '../reconcile/memory.ts'
import type { NacosSeen } from '../reconcile/seen.ts'
import { versionsOf } from '../reconcile/settling.ts'
import { replicasOf } from '../shape.ts'
import { type Clocks, clocksFor, hasRun } from './clocks.ts'
import {
  type Condition,
  childrenCondition,
  configCondition,
  isHeld,
  PAUSED,
  readyCondition,
  rolloutCondition,
  specCondition,
} from './conditions.ts'
import type { EndedTurn } from './ended.ts'
import { type Phase, type PhaseFacts, phaseOf } from './phase.ts'
import { isRolledOut, readyIn, rolloutOf } from './rollout.ts'

/** All that is known of a Nacos at the end of a turn. */
export interface KnownNacos {
  readonly decision: ConfigDecision
  readonly phase: Phase
  readonly facts: PhaseFacts
  readonly isStuck: boolean
  readonly conditions: readonly Condition[]
  readonly memory: NacosMemory
  /** How long the rollout took that ends now. */
  readonly rolloutMs?: number | undefined
  /** When the clock alone makes a difference. */
  readonly againInMs?: number | undefined
}

/** NC-REC-04 */
const UNSTEADY_MS = 5_000

export function knownOf(seen: NacosSeen, ended: EndedTurn, given: NacosGiven): KnownNacos {
  const { problems } = seen
  const decision = undisturbed(decisionFor(seen, given), ended)
  const clocks = clocksFor(seen, ended, given)
  const facts = factsOf(seen, ended, { isSpecValid: problems.length === 0, ...clocks })
  const phase = phaseOf(facts)
  const conditions = [
    readyCondition(phase, facts),
    specCondition(problems),
    configCondition(decision),
    rolloutCondition(seen, ended, decision, clocks.isStuck),
    ...(isWithheld(seen) && ended.statefulSet === undefined ? [] : [childrenCondition(seen, ended)]),
    ...(isPaused(seen) ? [PAUSED] : []),
  ]
  return {
    decision,
    phase,
    facts,
    isStuck: clocks.isStuck,
    conditions,
    rolloutMs: clocks.rolloutMs,
    againInMs: decision.waits?.forMs ?? againIn(seen, ended, { decision, phase, facts, clocks }),
    memory: { ...clocks.memory, ...settleMemory(seen, decision) },
  }
}

function settleMemory({ sources }: NacosSeen, { settle, waits }: ConfigDecision): NacosMemory {
  return { settle, paused: waits?.until === 'Paused' ? versionsOf(sources) : undefined }
}

interface Unsteady extends Pick<KnownNacos, 'decision' | 'phase' | 'facts'> {
  readonly clocks: Clocks
}
/** NC-REC-04. What was refused comes back by the backoff of its key, and a wrong spec when it changes. */
function againIn(
  { problems }: NacosSeen,
  { refusals, disturbance }: EndedTurn,
  { decision: { state }, phase, facts, clocks }: Unsteady,
): number | undefined {
  if (problems.length > 0) return undefined
  if (refusals.length > 0 || disturbance !== undefined) return clocks.dueInMs
  const isUnreadable = isHeld(state) && state.reason === 'SourceUnreadable'
  const isSteady = !isUnreadable && phase === 'Running' && facts.isRolledOut && facts.ready === facts.wanted
  return isSteady ? undefined : UNSTEADY_MS
}

/** What another writer changed at once is not rolled out (NC-DIG-02). */
function undisturbed(decision: ConfigDecision, { disturbance }: EndedTurn): ConfigDecision {
  return disturbance === undefined ? decision : { state: heldAs('FinalConfigConflict', disturbance) }
}

function factsOf(
  seen: NacosSeen,
  { statefulSet }: EndedTurn,
  told: Pick<PhaseFacts, 'isSpecValid' | 'isQuorumLostForLong' | 'isPastDeadline'>,
): PhaseFacts {
  const { isSpecValid, isQuorumLostForLong, isPastDeadline } = told
  return {
    ...{ isSpecValid, isQuorumLostForLong, isPastDeadline },
    hasRun: hasRun(seen.nacos),
    wanted: replicasOf(seen.nacos),
    replicas: rolloutOf(statefulSet).replicas,
    ready: readyIn(seen),
    isRolledOut: isRolledOut(statefulSet),
    wasScaling: seen.nacos.status?.phase === 'Scaling',
  }
}
