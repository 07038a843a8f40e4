import { isTerminating } from '../../../src/kube/metadata.ts'
import { CloudflareFault } from '../../kit/cloudflare.ts'
import {
  all,
  type Controller,
  defineController,
  type Given,
  type Key,
  type Plan,
  type Sight,
} from '../../kit/controller.ts'
import type { Found } from '../../kit/schema.ts'
import { isObstacle } from '../access/account.ts'
import { credentialReads } from '../access/accounts.ts'
import type { CredentialUsers } from '../access/credential-users.ts'
import { isTransition } from '../conditions.ts'
import { leaving, type RemoteFailures } from '../engine/conclude.ts'
import type { RemoteParts } from '../engine/controller.ts'
import { heldBy } from '../engine/observe.ts'
import { Rests, resting } from '../engine/rests.ts'
import { type RemoteHeld, statusIn } from '../engine/seen.ts'
import { conditionsIn, statusFor } from '../engine/status.ts'
import { claimed, reported } from '../engine/writes.ts'
import { ANNOTATIONS } from '../names.ts'
import { chanceOf, retryMsOf } from '../retries.ts'
import { CLOUDFLARE_RESYNC_SECONDS } from '../settings.ts'
import { noticesOf, RELEASED } from './notices.ts'
import { type CloudflareCredentials, CREDENTIALS } from './schema.ts'
import { flawOf } from './verify.ts'

const FINALIZER = 'cloudflare.com/credentials-finalizer'

interface SeenCredentials {
  readonly object: Found<CloudflareCredentials>
  readonly hasFinalizer: boolean
  /** The objects that cannot be deleted at Cloudflare without them; none while they are not deleted. */
  readonly users: readonly string[]
  /** Why they are of no use. */
  readonly held?: RemoteHeld | undefined
  readonly restMs?: number
}
type CheckingParts = Pick<RemoteParts, 'accounts' | 'settings' | 'tick'>

/**
 * Whether Cloudflare takes credentials, before the first object needs them; it writes nothing there. Those that are deleted
 * stay until the last object that uses them is gone (CF-OWN-12, CF-OWN-14).
 */
export function credentialsController(
  { accounts, settings, tick }: CheckingParts,
  kinds: readonly CredentialUsers[] = [],
): Controller {
  const rests = new Rests(tick)
  return resting(
    rests,
    defineController<CloudflareCredentials, SeenCredentials, never, RemoteFailures>({
      name: CREDENTIALS.kind.toLowerCase(),
      of: CREDENTIALS,
      /** Of two defaults each says so, and the one that is left is none of two. */
      watches: [all(CREDENTIALS, (_, among) => among.all('')), ...kinds.map(({ watch }) => watch)],
      reads: credentialReads(settings),
      writes: [
        { resource: CREDENTIALS, verbs: ['merge'] },
        { resource: CREDENTIALS, subresource: 'status', verbs: ['merge'] },
      ],
      observe: (key, sight) => observe(key, sight, { accounts, rests, kinds }),
      plan,
    }),
  )
}

interface AroundCredentials {
  readonly accounts: CheckingParts['accounts']
  readonly rests: Rests
  readonly kinds: readonly CredentialUsers[]
}

async function observe(key: Key, sight: Sight, around: AroundCredentials): Promise<SeenCredentials | undefined> {
  const object = await sight.cached.get(CREDENTIALS, key)
  if (object === undefined) return undefined
  const hasFinalizer = object.metadata.finalizers?.includes(FINALIZER) === true
  if (!isTerminating(object)) return { hasFinalizer, users: [], ...(await checked(object, key, sight, around)) }
  if (!hasFinalizer) return undefined
  const isForced = object.metadata.annotations?.[ANNOTATIONS.forceDelete] === 'true'
  const users = await Promise.all(around.kinds.map((kind) => (isForced ? [] : kind.namesOf(object, sight.cached))))
  return { object, hasFinalizer, users: users.flat() }
}

async function checked(
  object: SeenCredentials['object'],
  key: Key,
  sight: Sight,
  { accounts, rests }: AroundCredentials,
): Promise<Pick<SeenCredentials, 'object' | 'held' | 'restMs'>> {
  try {
    const isDefault = object.spec?.isDefault === true
    const account = await accounts.of(isDefault ? {} : { credentialsRef: { name: key.name } }, sight)
    const restMs = rests.leftMs(key, object, account)
    if (restMs !== undefined) return { object, restMs }
    if (isObstacle(account)) return { object, held: account }
    const message = CREDENTIALS.isOutline(object) ? await flawOf(object.spec, account) : undefined
    return { object, held: message === undefined ? undefined : { reason: 'CredentialError', message } }
  } catch (cause) {
    if (cause instanceof CloudflareFault) return { object, held: heldBy(cause) }
    throw cause
  }
}

function plan(seen: SeenCredentials, given: Given<RemoteFailures>): Plan<never, RemoteFailures> {
  const { object, restMs, users } = seen
  const { remembered } = given
  if (isTerminating(object) && users.length === 0)
    return leaving(seen, { resource: CREDENTIALS, finalizer: FINALIZER }, [RELEASED])
  if (isTerminating(object))
    return verdict({ ...seen, held: { reason: 'Deleting', message: waitingFor(users) } }, given)
  const actions = claimed(CREDENTIALS, seen, FINALIZER)
  if (restMs !== undefined) return { actions, ...(remembered && { remember: remembered }), againInMs: restMs }
  const found = verdict(seen, given)
  return { ...found, actions: [...actions, ...found.actions] }
}

const MOST_NAMED = 10
function waitingFor(users: readonly string[]): string {
  const more = users.length - MOST_NAMED
  return `waits for ${users.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** An outage says nothing of them: what was valid stays so. */
function verdict(
  { object, held }: SeenCredentials,
  { at, settings, remembered }: Given<RemoteFailures>,
): Plan<never, RemoteFailures> {
  const { reason, message, isRefused = false, afterMs } = held ?? { reason: 'Synced', message: '' }
  const outlook = { reason, message, generation: object.metadata.generation ?? 0, at }
  const failures = remembered?.failures ?? 0
  const chance = chanceOf(object.metadata.uid ?? '', at)
  const resyncSeconds = settings.get(CLOUDFLARE_RESYNC_SECONDS)
  return {
    actions: reported(CREDENTIALS, { object }, { ...statusFor(object, outlook), ...verdictOf(object, held, at) }),
    notices: isTransition(conditionsIn(object), outlook) ? noticesOf(held) : [],
    ...(held && { remember: { failures: failures + 1 } }),
    againInMs: afterMs ?? retryMsOf({ reason, failures, resyncSeconds, isRefused, chance }),
  }
}

/** The time is that of the verdict: one that stays the same is not written again. */
function verdictOf({ metadata, spec, ...object }: SeenCredentials['object'], held: RemoteHeld | undefined, at: Date) {
  const { validated, lastValidatedTime, observedGeneration } = statusIn(object)
  if (held !== undefined) return { state: 'Error', ...(held.reason === 'CredentialError' && { validated: false }) }
  const isSo =
    validated === true && observedGeneration === (metadata.generation ?? 0) && lastValidatedTime !== undefined
  return {
    state: 'Ready',
    validated: true,
    accountName: spec?.accountName ?? '',
    ...(!isSo && { lastValidatedTime: at.toISOString().replace(/\.\d{3}Z$/, 'Z') }),
  }
}
