import type { Given, Notice, Plan, Result } from '../../kit/controller.ts'
import type { KubeObject, Settings } from '../../kit/schema.ts'
import { isTransition, type ReadyReason } from '../conditions.ts'
import { ANNOTATIONS } from '../names.ts'
import { chanceOf, retryMsOf } from '../retries.ts'
import { CLOUDFLARE_FORCE_FINALIZER_MINUTES, CLOUDFLARE_RESYNC_SECONDS } from '../settings.ts'
import { decisionOf, type RemoteDeciding, type RemoteDecision } from './decide.ts'
import { noticesOf } from './notices.ts'
import { isForced, outcomeOf, type RemoteOutcome } from './outcome.ts'
import { type RemoteHeld, type RemoteSeen, statusIn } from './seen.ts'
import { conditionsIn, statusFor } from './status.ts'
import type { RemoteStep } from './step.ts'
import type { RemoteTable } from './table.ts'
import { claimed, notMade, recorded, released, reported } from './writes.ts'

/** How often an object failed, one time after the other. */
export interface RemoteFailures {
  readonly failures: number
}
export type Concluding<T extends KubeObject> = RemoteDeciding<T> &
  Pick<RemoteTable<T, never>, 'finalizer' | 'codes' | 'status'>

/** Pure: the matrix in, one write at Cloudflare out, after the finalizer is there. */
export function planOf<T extends KubeObject>(
  seen: RemoteSeen<T>,
  table: Concluding<T>,
  { at, settings, remembered }: Given<RemoteFailures>,
): Plan<RemoteStep, RemoteFailures> {
  const decision = decisionOf(seen, table, settings)
  return { actions: actionsOf(seen, table, decision, at), ...(remembered && { remember: remembered }) }
}

function actionsOf<T extends KubeObject>(
  seen: RemoteSeen<T>,
  { resource, finalizer, mark }: Concluding<T>,
  decision: RemoteDecision,
  at: Date,
): Plan<RemoteStep>['actions'] {
  if (decision.do === 'keep') return claimed(resource, seen, finalizer)
  if (decision.do !== 'write') return []
  if (seen.isTerminating) return [decision.step]
  const isUntold = decision.as === 'create' && mark === undefined
  return [...claimed(resource, seen, finalizer, isUntold ? at.toISOString() : undefined), decision.step]
}

/** Pure: what the answers mean for status, annotations and events (CF-OWN-08, CF-CRD-09). */
export function conclusionOf<T extends KubeObject>(
  seen: RemoteSeen<T>,
  table: Concluding<T>,
  results: readonly Result<RemoteStep>[],
  given: Given<RemoteFailures>,
): Plan<never, RemoteFailures> {
  const decision = decisionOf(seen, table, given.settings)
  const outcome = outcomeOf(decision, results, table.codes)
  switch (outcome.is) {
    case 'interrupted':
      return { actions: [] }
    case 'resting':
      return { actions: [], againInMs: outcome.ms }
    case 'finished':
      return finished(seen, table, outcome)
    case 'held':
      return held(seen, table, outcome, given)
    case 'synced':
      return synced(seen, table, outcome, { ...given, isTruncated: decision.do === 'write' && decision.isTruncated })
  }
}

type Of<Is extends RemoteOutcome['is']> = Extract<RemoteOutcome, { is: Is }>

function finished<T extends KubeObject>(
  seen: RemoteSeen<T>,
  { resource, finalizer, noun }: Concluding<T>,
  outcome: Of<'finished'>,
): Plan<never, RemoteFailures> {
  return leaving(seen, { resource, finalizer }, noticesOf(seen, noun, outcome))
}

/** The object may be gone before its events are told, so they name it. */
export function leaving(
  seen: Pick<RemoteSeen<KubeObject>, 'object'>,
  { resource: of, finalizer }: Pick<Concluding<KubeObject>, 'resource' | 'finalizer'>,
  notices: readonly Notice[],
): Plan<never, RemoteFailures> {
  const { namespace = '', name, uid = '' } = seen.object.metadata
  const about = { of, ref: { namespace, name }, uid }
  return { actions: released(of, seen, finalizer), notices: notices.map((notice) => ({ ...notice, about })) }
}

function held<T extends KubeObject>(
  seen: RemoteSeen<T>,
  table: Concluding<T>,
  outcome: Of<'held'>,
  { at, settings, remembered }: Given<RemoteFailures>,
): Plan<never, RemoteFailures> {
  const { resource, finalizer, noun, status } = table
  if (seen.isTerminating && isForced(seen, outcome.held, forcingOf(seen, at, settings)))
    return leaving(seen, { resource, finalizer }, noticesOf(seen, noun, { ...outcome, isForced: true }))
  const { reason, isRefused, afterMs } = outcome.held
  const failures = remembered?.failures ?? 0
  const message = messageOf(outcome.held, at)
  const outlook = { reason, message, generation: seen.object.metadata.generation ?? 0, at }
  const isChanged = isTransition(conditionsIn(seen.object), outlook)
  return {
    actions: [
      ...(outcome.isAnswered === true && table.mark === undefined ? notMade(resource, seen) : []),
      ...reported(resource, seen, {
        ...knownAlways(seen.object, status.always),
        ...statusFor(seen.object, outlook),
        state: status.states[seen.isTerminating ? 'deleting' : STATES[reason]],
      }),
    ],
    notices: noticesOf(seen, noun, { ...outcome, isChanged }),
    remember: { failures: failures + 1 },
    againInMs:
      afterMs ?? retryMsOf({ ...retrying(seen, at, settings), reason, failures, ...(isRefused && { isRefused }) }),
  }
}

function synced<T extends KubeObject>(
  seen: RemoteSeen<T>,
  { resource, noun, status }: Concluding<T>,
  outcome: Of<'synced'>,
  { at, settings, isTruncated }: Given<RemoteFailures> & { readonly isTruncated: boolean },
): Plan<never, RemoteFailures> {
  const { remote, as } = outcome
  const outlook = { reason: 'Synced', message: '', generation: seen.object.metadata.generation ?? 0, at } as const
  const place = seen.looked?.place ?? { params: {}, known: {} }
  return {
    actions: [
      ...recorded(resource, seen, { id: remote.id, origin: originOf(seen, as) }),
      ...reported(resource, seen, {
        ...statusFor(seen.object, outlook),
        ...status.of?.(remote, place),
        [status.id]: remote.id,
        state: status.states.ready,
      }),
    ],
    notices: noticesOf(seen, noun, {
      ...outcome,
      isChanged: isTransition(conditionsIn(seen.object), outlook),
      isTruncated,
    }),
    againInMs: retryMsOf({ ...retrying(seen, at, settings), reason: 'Synced', failures: 0 }),
  }
}

/** Whose id an author wrote, or an earlier operator, was not made by us (CF-OWN-08). */
function originOf({ known }: RemoteSeen<KubeObject>, as: string): string {
  if (as === 'adopt') return 'adopted'
  return as === 'create' || known.id === '' ? 'created' : known.origin || 'adopted'
}

const STATES: Readonly<Record<ReadyReason, 'ready' | 'pending' | 'error' | 'deleting'>> = {
  Synced: 'ready',
  SourceDeleted: 'ready',
  Pending: 'pending',
  DependencyNotReady: 'pending',
  Deleting: 'deleting',
  CredentialError: 'error',
  InvalidConfig: 'error',
  ManagedByAnother: 'error',
  AdoptionConflict: 'error',
  DuplicateClaim: 'error',
  RateLimited: 'error',
  APIError: 'error',
}

function messageOf({ reason, message, afterMs = 0 }: RemoteHeld, at: Date): string {
  if (reason !== 'RateLimited') return message
  const next = new Date(at.getTime() + afterMs).toISOString().replace(/\.\d{3}Z$/, 'Z')
  return `Cloudflare API rate limit reached, next attempt at ${next}`
}

function knownAlways(object: KubeObject, names: readonly string[] = []) {
  const before = statusIn(object)
  return Object.fromEntries(names.map((name) => [name, before[name] ?? '']))
}

function forcingOf({ object }: RemoteSeen<KubeObject>, at: Date, settings: Settings) {
  const isAsked = object.metadata.annotations?.[ANNOTATIONS.forceDelete] === 'true'
  return { at, minutes: settings.get(CLOUDFLARE_FORCE_FINALIZER_MINUTES), isAsked }
}

function retrying({ object }: RemoteSeen<KubeObject>, at: Date, settings: Settings) {
  const resyncSeconds = settings.get(CLOUDFLARE_RESYNC_SECONDS)
  return { resyncSeconds, chance: chanceOf(object.metadata.uid ?? '', at) }
}
