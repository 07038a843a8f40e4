import { type NacosGiven, type NacosMemory, type Since, sinceFor } from '../reconcile/memory.ts'
import type { NacosSeen } from '../reconcile/seen.ts'
import type { Nacos } from '../schema.ts'
import { CREATE_DEADLINE_SECONDS, STUCK_SECONDS } from '../settings.ts'
import { replicasOf } from '../shape.ts'
import type { EndedTurn } from './ended.ts'
import { isAtPartition, isRolledOut, progressOf, quorumOf, readyIn } from './rollout.ts'

const QUORUM_LOST_MS = 30_000

/** What goes on for a time before it counts. */
export interface Clocks {
  readonly memory: Pick<NacosMemory, 'progress' | 'quorumLost' | 'rolloutSinceMs'>
  readonly isStuck: boolean
  readonly isQuorumLostForLong: boolean
  readonly isPastDeadline: boolean
  /** When the next of them counts. */
  readonly dueInMs: number | undefined
  readonly rolloutMs: number | undefined
}

export function clocksFor(seen: NacosSeen, ended: EndedTurn, { at, settings, remembered }: NacosGiven): Clocks {
  const now = at.getTime()
  const { progress, quorumLost } = goingOn(seen, ended, remembered, now)
  const stuckInMs = restOf(progress, settings.get(STUCK_SECONDS) * 1_000, now)
  const lostInMs = restOf(quorumLost, QUORUM_LOST_MS, now)
  const deadlineInMs = deadlineOf(seen.nacos, settings.get(CREATE_DEADLINE_SECONDS)) - now
  const rests = [stuckInMs, lostInMs, hasRun(seen.nacos) ? undefined : deadlineInMs]
  const due = rests.filter((ms) => ms !== undefined).filter((ms) => ms > 0)
  return {
    ...rolloutTime(ended, { progress, quorumLost }, remembered, now),
    isStuck: isOver(stuckInMs),
    isQuorumLostForLong: isOver(lostInMs),
    isPastDeadline: deadlineInMs <= 0,
    dueInMs: due.length === 0 ? undefined : Math.min(...due),
  }
}

function goingOn(seen: NacosSeen, { statefulSet }: EndedTurn, remembered: NacosMemory | undefined, now: number) {
  const isMoving = statefulSet !== undefined && !isRolledOut(statefulSet) && !isAtPartition(statefulSet)
  const isLost = hasRun(seen.nacos) && readyIn(seen) < quorumOf(replicasOf(seen.nacos))
  return {
    progress: isMoving ? sinceFor(progressOf(statefulSet), remembered?.progress, now) : undefined,
    quorumLost: isLost ? sinceFor('quorum', remembered?.quorumLost, now) : undefined,
  }
}

const restOf = (since: Since | undefined, ms: number, now: number) => since && since.sinceMs + ms - now
const isOver = (restMs: number | undefined) => restMs !== undefined && restMs <= 0
const deadlineOf = ({ metadata }: Nacos, seconds: number) =>
  Date.parse(metadata.creationTimestamp ?? '') + seconds * 1_000

/** From the change of the template on: neither pauses nor the time to settle count (NC-REC-73). */
function rolloutTime(
  { isTemplateChanged, statefulSet }: EndedTurn,
  memory: Clocks['memory'],
  remembered: NacosMemory | undefined,
  now: number,
): Pick<Clocks, 'memory' | 'rolloutMs'> {
  const rolloutSinceMs = isTemplateChanged ? now : remembered?.rolloutSinceMs
  if (rolloutSinceMs === undefined || !isRolledOut(statefulSet))
    return { memory: { ...memory, rolloutSinceMs }, rolloutMs: undefined }
  return { memory, rolloutMs: now - rolloutSinceMs }
}

/** NC-REC-61: the status says so, whatever worker wrote it. */
export function hasRun({ status = {} }: Nacos): boolean {
  const { phase = '', lastRolledOutConfigDigest, conditions = [] } = status
  if (lastRolledOutConfigDigest || ['Running', 'Updating', 'Scaling'].includes(phase)) return true
  return conditions.some(
    ({ type, status, reason }) => type === 'Ready' && (status === 'True' || reason === 'QuorumLost'),
  )
}
