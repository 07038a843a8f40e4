import { isSame } from '../../kit/admission.ts'
import { isTree, type KubeObject, type Settings, type Tree } from '../../kit/schema.ts'
import { type AdoptionPolicy, adoptionOf, deletionOf, type Owning, type RemoteObject, standingOf } from '../adoption.ts'
import { conflictOf } from '../conflict-words.ts'
import { managedComment } from '../managed-comment.ts'
import { ANNOTATIONS } from '../names.ts'
import { extractUserComment } from '../ownership.ts'
import { CLOUDFLARE_ALLOW_FORCE_ADOPTION, CLOUDFLARE_CLUSTER_ID } from '../settings.ts'
import { isProven, type LookedAt, type RemoteHeld, type RemoteSeen } from './seen.ts'
import type { RemoteStep } from './step.ts'
import type { RemoteFound, RemoteTable } from './table.ts'

export type WrittenAs = 'create' | 'update' | 'adopt' | 'delete' | 'orphan'
/** What becomes of one object in this turn. */
export type RemoteDecision =
  | { readonly do: 'hold'; readonly held: RemoteHeld }
  | { readonly do: 'rest'; readonly ms: number }
  | { readonly do: 'write'; readonly as: WrittenAs; readonly step: RemoteStep; readonly isTruncated: boolean }
  | { readonly do: 'keep'; readonly as: 'update' | 'adopt'; readonly remote: RemoteFound }
  /** There is nothing to delete, or it is not ours: its id then. */
  | { readonly do: 'release'; readonly skipped?: string }

/** The parts of a table that decide. */
export type RemoteDeciding<T extends KubeObject> = Pick<
  RemoteTable<T, never>,
  'noun' | 'mark' | 'deletionPolicy' | 'keepsAdopted' | 'resource' | 'normal' | 'policy' | 'replaces'
>

export function decisionOf<T extends KubeObject>(
  seen: RemoteSeen<T>,
  table: RemoteDeciding<T>,
  settings: Settings,
): RemoteDecision {
  const { held, restMs, looked, dependents } = seen
  if (dependents.length > 0) return hold({ reason: 'Deleting', message: `waits for ${dependents.join(', ')}` })
  if (held !== undefined) return hold(held)
  if (restMs !== undefined) return { do: 'rest', ms: restMs }
  if (looked === undefined) return hold({ reason: 'Pending', message: '' })
  const owning = { owner: seen.owner, clusterId: settings.get(CLOUDFLARE_CLUSTER_ID) }
  return seen.isTerminating
    ? ofDeletion(seen, looked, table, owning)
    : ofLiving(seen, looked, { table, owning, settings })
}
const hold = (held: RemoteHeld): RemoteDecision => ({ do: 'hold', held })

interface AroundLiving<T extends KubeObject> {
  readonly table: RemoteDeciding<T>
  readonly owning: Owning
  readonly settings: Settings
}

/** CF-OWN-10 */
function ofLiving<T extends KubeObject>(
  seen: RemoteSeen<T>,
  looked: LookedAt,
  { table, owning, settings }: AroundLiving<T>,
): RemoteDecision {
  const candidates = looked.candidates.map((remote) => asRemoteObject(remote, seen))
  const policy = policyOf(seen, table, settings)
  const adoption = adoptionOf({ ...owning, policy, from: looked.from, candidates })
  const conflict = conflictOf(adoption, { noun: table.noun, words: seen.words })
  if (conflict !== undefined) return hold(conflict)
  const { text, isTruncated } = markedText(seen, looked, { table, owning, settings })
  const body = (fields: Tree) => withText(fields, text, table)
  const at = { account: looked.account, place: looked.place, because: 'CF-ONE-04' }
  if (adoption.do === 'create')
    return { do: 'write', as: 'create', step: { ...at, do: 'create remote', body: body(looked.created) }, isTruncated }
  const remote = looked.candidates.find(({ id }) => 'remote' in adoption && id === adoption.remote.id)
  if (remote === undefined) return hold({ reason: 'Pending', message: '' })
  const as = adoption.do === 'adopt' ? 'adopt' : 'update'
  if (remote.text === text && isAsWanted(remote, looked.wanted, table)) return { do: 'keep', as, remote }
  const isReplaceable =
    standingOf(remote, owning).is === 'ours' && table.replaces?.(remote.fields, looked.wanted) === true
  const before = isReplaceable && { before: withText(remote.fields, remote.text, table) }
  const step: RemoteStep = { ...at, ...before, do: 'update remote', id: remote.id, body: body(looked.wanted) }
  return { do: 'write', as, step, isTruncated }
}

function withText<T extends KubeObject>(fields: Tree, text: string, { mark }: RemoteDeciding<T>): Tree {
  return mark === undefined ? fields : { ...fields, [mark.field]: text }
}

function asRemoteObject<T extends KubeObject>(remote: RemoteFound, { known, object }: RemoteSeen<T>): RemoteObject {
  return { id: remote.id, text: remote.text, isProven: isProven(remote, known, object) }
}

function policyOf<T extends KubeObject>(
  { object }: RemoteSeen<T>,
  { resource, policy }: RemoteDeciding<T>,
  settings: Settings,
): AdoptionPolicy {
  const usual = resource.isOutline(object) ? policy?.(object) : undefined
  const said = object.metadata.annotations?.[ANNOTATIONS.adoptionPolicy] ?? usual
  if (said === 'Force') return settings.get(CLOUDFLARE_ALLOW_FORCE_ADOPTION) ? 'Force' : 'IfExists'
  return said === 'IfExists' || said === 'MustExist' ? said : 'MustNotExist'
}

function markedText<T extends KubeObject>(
  { owner }: RemoteSeen<T>,
  { comment, place }: LookedAt,
  { table: { mark }, owning: { clusterId }, settings }: AroundLiving<T>,
) {
  if (mark === undefined) return { text: '', isTruncated: false }
  return managedComment(owner, comment, { clusterId, limit: mark.limit(settings, place) })
}

function isAsWanted<T extends KubeObject>(
  { fields }: RemoteFound,
  wanted: Tree,
  { normal }: RemoteDeciding<T>,
): boolean {
  return contains(normal?.(fields) ?? fields, normal?.(wanted) ?? wanted)
}
/** What Cloudflare adds by itself is not compared. */
function contains(there: unknown, wanted: unknown): boolean {
  if (!isTree(there) || !isTree(wanted)) return isSame(there, wanted)
  return Object.entries(wanted).every(([name, value]) => contains(there[name], value))
}

/** CF-OWN-12, CF-OWN-13: of what was just read. */
function ofDeletion<T extends KubeObject>(
  seen: RemoteSeen<T>,
  looked: LookedAt,
  table: RemoteDeciding<T>,
  owning: Owning,
): RemoteDecision {
  const policy = isOrphaned(seen, table) ? 'Orphan' : 'Delete'
  const judged = looked.candidates.map((remote) => ({
    remote,
    end: deletionOf(asRemoteObject(remote, seen), owning, policy),
  }))
  const own = judged.find(({ end }) => end === 'delete' || end === 'orphan')
  if (own === undefined) return { do: 'release', ...(judged[0] && { skipped: judged[0].remote.id }) }
  const { remote, end } = own
  const at = { account: looked.account, place: looked.place, id: remote.id, because: 'CF-OWN-12' }
  if (end === 'delete') return { do: 'write', as: 'delete', step: { ...at, do: 'delete remote' }, isTruncated: false }
  const text = extractUserComment(remote.text)
  if (table.mark === undefined || text === remote.text) return { do: 'release' }
  const body = { ...remote.fields, [table.mark.field]: text }
  return { do: 'write', as: 'orphan', step: { ...at, do: 'update remote', body }, isTruncated: false }
}

function isOrphaned<T extends KubeObject>(
  { object, known }: RemoteSeen<T>,
  { deletionPolicy, keepsAdopted, resource }: RemoteDeciding<T>,
): boolean {
  const annotations = object.metadata.annotations ?? {}
  if (annotations[ANNOTATIONS.deletionPolicy] === 'Orphan') return true
  if (resource.isOutline(object) && deletionPolicy?.(object) === 'Orphan') return true
  const isAdopted = known.id !== '' && known.origin !== 'created'
  return keepsAdopted === true && isAdopted && annotations[ANNOTATIONS.deleteAdopted] !== 'true'
}
