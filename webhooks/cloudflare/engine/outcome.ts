import { CloudflareFault } from '../../kit/cloudflare.ts'
import type { Result } from '../../kit/controller.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { isRefusal, reasonOf } from '../retries.ts'
import type { RemoteDecision, WrittenAs } from './decide.ts'
import type { RemoteHeld, RemoteSeen } from './seen.ts'
import { type RemoteStep, remoteIn } from './step.ts'
import type { RemoteCodes, RemoteFound } from './table.ts'

/** What a turn came to. */
export type RemoteOutcome =
  /** An earlier write did not go through, so the object is read again. */
  | { readonly is: 'interrupted' }
  | { readonly is: 'resting'; readonly ms: number }
  | { readonly is: 'held'; readonly held: RemoteHeld; readonly failed?: WrittenAs; readonly isAnswered?: boolean }
  | { readonly is: 'synced'; readonly remote: RemoteFound; readonly as: WrittenAs; readonly isWritten: boolean }
  | { readonly is: 'finished'; readonly as?: 'delete' | 'orphan'; readonly skipped?: string }

export function outcomeOf(
  decision: RemoteDecision,
  results: readonly Result<RemoteStep>[],
  { exists }: RemoteCodes,
): RemoteOutcome {
  switch (decision.do) {
    case 'hold':
      return { is: 'held', held: decision.held }
    case 'rest':
      return { is: 'resting', ms: decision.ms }
    case 'keep':
      return { is: 'synced', remote: decision.remote, as: decision.as, isWritten: false }
    case 'release':
      return { is: 'finished', ...(decision.skipped !== undefined && { skipped: decision.skipped }) }
    case 'write':
      return ofStep(
        decision.as,
        results.find(({ action }) => action.do === decision.step.do),
        exists,
      )
  }
}

function ofStep(as: WrittenAs, result: Result<RemoteStep> | undefined, exists: readonly number[]): RemoteOutcome {
  if (result === undefined) return { is: 'interrupted' }
  if (result.outcome !== 'done')
    return { is: 'held', held: heldBy(result, exists), failed: as, isAnswered: as === 'create' && isAnswered(result) }
  if (as === 'delete' || as === 'orphan') return { is: 'finished', as }
  const remote = remoteIn(result)
  return remote === undefined ? { is: 'interrupted' } : { is: 'synced', remote, as, isWritten: true }
}

function heldBy({ cause, message = '' }: Result<RemoteStep>, exists: readonly number[]): RemoteHeld {
  const isTaken = cause instanceof CloudflareFault && cause.codes.some((code) => exists.includes(code))
  const afterMs = cause instanceof CloudflareFault && cause.code === 'REMOTE_THROTTLED' ? cause.retryAfterMs : undefined
  return { reason: reasonOf(cause), message, isRefused: isRefusal(cause) && !isTaken, afterMs }
}

/** The API answered, so what was to be made was not made by this call. */
const isAnswered = ({ cause }: Result<RemoteStep>) => cause instanceof CloudflareFault && cause.code !== 'REMOTE_FAILED'

const UNRESOLVED: readonly RemoteHeld['reason'][] = ['CredentialError', 'DependencyNotReady', 'InvalidConfig']
interface Forcing {
  readonly at: Date
  readonly minutes: number
  readonly isAsked: boolean
}
/** CF-OWN-14: what cannot be reached is left behind after a time, or at once where somebody asks for that. */
export function isForced(
  { object }: RemoteSeen<KubeObject>,
  { reason }: RemoteHeld,
  { at, minutes, isAsked }: Forcing,
): boolean {
  if (isAsked) return true
  const since = Date.parse(object.metadata.deletionTimestamp ?? '')
  return UNRESOLVED.includes(reason) && at.getTime() - since >= minutes * 60_000
}
