import { sha256Of } from '../../src/kube/digests.ts'
import { Fault } from '../kit/schema.ts'
import type { ReadyReason } from './conditions.ts'

const FIVE_MINUTES_MS = 300_000
const DEPENDENCY_MS = 30_000
const FIRST_MS = 1_000
/** A doubling beyond it is longer than five minutes anyway. */
const MOST_DOUBLINGS = 10

export interface Retrying {
  readonly reason: ReadyReason
  /** How often it failed before, one time after the other. */
  readonly failures: number
  readonly resyncSeconds: number
  /** The API said no: it is asked again, since credentials and plans change, and not soon. */
  readonly isRefused?: boolean
  /** Of the object and the moment, so that a plan needs no dice: see `chanceOf`. */
  readonly chance: number
}

/** When an object is looked at again (CF-ONE-06). */
export function retryMsOf({ reason, failures, resyncSeconds, isRefused, chance }: Retrying): number {
  const resyncMs = resyncSeconds * 1_000
  if (isRefused === true) return FIVE_MINUTES_MS
  switch (reason) {
    case 'Synced':
    case 'SourceDeleted':
      return around(resyncMs, 0.2, chance)
    case 'ManagedByAnother':
    case 'AdoptionConflict':
    case 'DuplicateClaim':
      return around(Math.min(FIVE_MINUTES_MS, resyncMs), 0.1, chance)
    case 'DependencyNotReady':
    case 'Pending':
      return DEPENDENCY_MS
    case 'CredentialError':
    case 'InvalidConfig':
      return FIVE_MINUTES_MS
    case 'APIError':
    case 'RateLimited':
    case 'Deleting':
      return Math.max(1, Math.min(FIVE_MINUTES_MS, FIRST_MS * 2 ** Math.min(failures, MOST_DOUBLINGS)) * chance)
  }
}
const around = (ms: number, share: number, chance: number) => ms * (1 - share + 2 * share * chance)

/** From 0 up to 1, other for each object and each moment, and the same when asked again. */
export function chanceOf(uid: string, at: Date): number {
  return Number.parseInt(sha256Of(`${uid} ${at.getTime()}`).slice(0, 8), 16) / 2 ** 32
}

/** What a fault of the API means for the object that met it. */
export function reasonOf(fault: unknown): ReadyReason {
  if (!(fault instanceof Fault)) return 'APIError'
  if (fault.code === 'REMOTE_DENIED') return 'CredentialError'
  return fault.code === 'REMOTE_THROTTLED' ? 'RateLimited' : 'APIError'
}

/** The API says no: it is not asked again soon. */
export const isRefusal = (fault: unknown) =>
  fault instanceof Fault && (fault.code === 'REMOTE_REFUSED' || fault.code === 'REMOTE_DENIED')
