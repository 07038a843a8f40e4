import type { Notice } from '../../kit/controller.ts'
import type { KubeObject } from '../../kit/schema.ts'
import type { RemoteOutcome } from './outcome.ts'
import { type RemoteHeld, type RemoteSeen, statusIn } from './seen.ts'

interface Telling {
  /** The reason is another one than before. */
  readonly isChanged?: boolean
  readonly isTruncated?: boolean
  readonly isForced?: boolean
}
type Told = Extract<RemoteOutcome, { is: 'held' | 'synced' | 'finished' }> & Telling

/** Events, on transitions alone (§3.4). */
export function noticesOf(seen: RemoteSeen<KubeObject>, noun: string, told: Told): readonly Notice[] {
  const missing = seen.looked?.isMissing === true && !seen.isTerminating
  const first = missing
    ? [warning('RemoteMissing', `${noun} ${seen.known.id} is not there any more (${seen.words})`)]
    : []
  return [...first, ...ownOf(seen, noun, told)]
}

function ownOf(seen: RemoteSeen<KubeObject>, noun: string, told: Told): readonly Notice[] {
  switch (told.is) {
    case 'held':
      return ofHeld(seen, noun, told)
    case 'synced':
      return ofSynced(seen, noun, told)
    case 'finished':
      return ofFinished(seen, noun, told)
  }
}

function ofHeld({ words, known }: RemoteSeen<KubeObject>, noun: string, told: Extract<Told, { is: 'held' }>) {
  const { held, failed, isChanged, isForced } = told
  if (isForced === true) {
    const left = known.id === '' ? 'one may be left at Cloudflare' : `id ${known.id} is left at Cloudflare`
    return [warning('ForcedCleanup', `${noun} ${words}: ${left} (${held.message})`)]
  }
  if (isChanged !== true) return []
  if (failed === 'create') return [warning('CreateFailed', held.message)]
  if (failed === 'update' || failed === 'adopt') return [warning('UpdateFailed', held.message)]
  return failed === undefined ? ofCause(held) : [warning('DeleteFailed', held.message)]
}

/** The words for events that other operators of this API group use. */
export function ofCause({ reason, message }: RemoteHeld): readonly Notice[] {
  switch (reason) {
    case 'DependencyNotReady':
    case 'CredentialError':
      return [warning('DependencyError', message)]
    case 'InvalidConfig':
      return [warning('InvalidConfig', message)]
    case 'ManagedByAnother':
      return [warning('ManagedByAnother', message)]
    case 'AdoptionConflict':
      return [warning('AdoptionConflict', message)]
    case 'DuplicateClaim':
      return [warning('DuplicateClaim', message)]
    case 'APIError':
    case 'RateLimited':
      return [warning('APIError', message)]
    default:
      return []
  }
}

function ofSynced(seen: RemoteSeen<KubeObject>, noun: string, told: Extract<Told, { is: 'synced' }>) {
  const { as, isWritten, isChanged, isTruncated, remote } = told
  const what = `${noun} ${seen.words}, id ${remote.id}`
  const drift =
    isWritten && as === 'update' && isDrift(seen) ? [warning('DriftDetected', `${what} was changed at Cloudflare`)] : []
  const truncated =
    isTruncated === true ? [warning('CommentTruncated', `${what}: the comment is longer than there is room`)] : []
  if (as === 'adopt') return [normal('Adopted', what), ...truncated]
  if (isWritten) return [...drift, normal(as === 'create' ? 'Created' : 'Updated', what), ...truncated]
  return isChanged === true ? [normal('Synced', what)] : []
}

function ofFinished({ words }: RemoteSeen<KubeObject>, noun: string, told: Extract<Told, { is: 'finished' }>) {
  const { as, skipped } = told
  const end =
    skipped === undefined
      ? []
      : [normal('DeleteSkipped', `${noun} ${words}, id ${skipped} is not managed by this resource, and stays`)]
  const done =
    as === undefined ? [] : [normal('Deleted', `${noun} ${words}${as === 'orphan' ? ' stays, without a mark' : ''}`)]
  return [...end, ...done, normal('FinalizerRemoved', `${noun} ${words}`)]
}

const normal = (reason: string, message: string): Notice => ({ type: 'Normal', reason, message })
const warning = (reason: string, message: string): Notice => ({ type: 'Warning', reason, message })

/** What the author wants was there already, so somebody else changed it. */
function isDrift({ object, known }: RemoteSeen<KubeObject>): boolean {
  return known.id !== '' && statusIn(object).observedGeneration === object.metadata.generation
}
