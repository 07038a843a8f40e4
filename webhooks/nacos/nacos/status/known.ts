import { type ConfigDecision, decisionFor } from '../reconcile/decision.ts'
import { isPaused, isWithheld } from '../reconcile/first-contact.ts'
import type { NacosGiven } from '../reconcile/memory.ts'
import { type NacosMemory, type Since, sinceFor } from '../reconcile/memory.ts'
import type { NacosSeen } from '../reconcile/seen.ts'
import { versionsOf } from '../reconcile/settling.ts'
import type { Nacos } from '../schema.ts'
import { CREATE_DEADLINE_SECONDS, STUCK_SECONDS } from '../settings.ts'
import { replicasOf } from '../shape.ts'
import {
  type Condition,
  childrenCondition,
  configCondition,
  PAUSED,
  readyCondition,
  rolloutCondition,
  specCondition,
} from './conditions.ts'
import type { EndedTurn } from './ended.ts'
import { type Phase, type PhaseFacts, phaseOf } from './phase.ts'
import { isAtPartition, isRolledOut, progressOf, quorumOf, readyIn, rolloutOf } from './rollout.ts'

/** All that is known of a Nacos at the end of a turn. */
export interface KnownNacos {
  readonly decision: ConfigDecision
  readonly phase: Phase
  readonly facts: PhaseFacts
  readonly isStuck: boolean
  readonly conditions: readonly Condition[]
  readonly memory: NacosMemory
  /** When the clock alone makes a difference. */
  readonly againInMs?: number | undefined
}

const QUORUM_LOST_MS = 30_000
/** NC-REC-04 */
const UNSTEADY_MS = 5_000

export function knownOf(seen: NacosSeen, ended: EndedTurn, given: NacosGiven): KnownNacos {
  const { problems } = seen
  const decision = decisionFor(seen, given)
  const watched = watchedFor(seen, ended, given)
  const facts = factsOf(seen, ended, { isSpecValid: problems.length === 0, ...watched })
  const phase = phaseOf(facts)
  const conditions = [
    readyCondition(phase, facts),
    specCondition(problems),
    configCondition(decision),
    rolloutCondition(seen, ended, decision, watched.isStuck),
    ...(isWithheld(seen) && ended.statefulSet === undefined ? [] : [childrenCondition(seen, ended)]),
    ...(isPaused(seen) ? [PAUSED] : []),
  ]
  const { state } = decision
  const isReadable = typeof state !== 'object' || state.reason !== 'SourceUnreadable'
  const isSteady = isReadable && phase === 'Running' && facts.isRolledOut && facts.ready === facts.wanted
  const againInMs = decision.waits?.forMs ?? (isSteady ? undefined : UNSTEADY_MS)
  return {
    decision,
    phase,
    facts,
    isStuck: watched.isStuck,
    conditions,
    againInMs,
    memory: {
      ...watched.memory,
      settle: decision.settle,
      paused: decision.waits?.until === 'Paused' ? versionsOf(seen.sources) : undefined,
    },
  }
}

/** What goes on for a time before it counts. */
function watchedFor(seen: NacosSeen, { statefulSet }: EndedTurn, { at, settings, remembered }: NacosGiven) {
  const now = at.getTime()
  const isOver = (since: Since | undefined, ms: number) => since !== undefined && now - since.sinceMs >= ms
  const isMoving = statefulSet !== undefined && !isRolledOut(statefulSet) && !isAtPartition(statefulSet)
  const progress = isMoving ? sinceFor(progressOf(statefulSet), remembered?.progress, now) : undefined
  const isLost = hasRun(seen.nacos) && readyIn(seen) < quorumOf(replicasOf(seen.nacos))
  const quorumLost = isLost ? sinceFor('quorum', remembered?.quorumLost, now) : undefined
  const deadline =
    Date.parse(seen.nacos.metadata.creationTimestamp ?? '') + settings.get(CREATE_DEADLINE_SECONDS) * 1_000
  return {
    memory: { progress, quorumLost },
    isStuck: isOver(progress, settings.get(STUCK_SECONDS) * 1_000),
    isQuorumLostForLong: isOver(quorumLost, QUORUM_LOST_MS),
    isPastDeadline: now >= deadline,
  }
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

/** NC-REC-61: the status says so, whatever worker wrote it. */
function hasRun({ status = {} }: Nacos): boolean {
  const { phase = '', lastRolledOutConfigDigest, conditions = [] } = status
  if (lastRolledOutConfigDigest || ['Running', 'Updating', 'Scaling'].includes(phase)) return true
  return conditions.some(
    ({ type, status, reason }) => type === 'Ready' && (status === 'True' || reason === 'QuorumLost'),
  )
}
