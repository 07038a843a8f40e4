import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Action, Given, Notice, Plan, Result } from '../../kit/controller.ts'
import type { Found } from '../../kit/schema.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import { TCONFIG, type TConfig } from './schema.ts'
import {
  isActive,
  isInForce,
  isLive,
  isToBeDeactivated,
  isToBeDeleted,
  latestFirst,
  momentOf,
  newestFirst,
  titleOf,
} from './shape.ts'

type Member = Found<TConfig>
const { markedAt, markedBy, markedByUid } = ANNOTATIONS

export interface GroupSeen {
  /** What is marked or in force, and the rest too when there are too many: confirmed by their fields, none terminating. */
  readonly members: readonly Member[]
  /** What the marks name, by name, as far as it exists. */
  readonly markers: ReadonlyMap<string, Member>
  readonly limit: number
  /** A version for a single pod whose family has no master. */
  readonly orphan?: Member
}

/** A mark is an intent, which counts once the write that it was made for is stored (TC-S6). */
export function plan({ members, markers, limit, orphan }: GroupSeen, { at }: Pick<Given, 'at'>): Plan {
  const live = members.filter(isLive)
  const steps = [
    ...members.filter(isToBeDeleted).map((each) => endOf(each, markers, at)),
    ...onActive(live, at),
    ...tooOld(live, limit).map((each) => doing(removal(each, 'TC-R4'))),
  ]
  const waits = steps.flatMap(({ waitMs }) => waitMs ?? [])
  return {
    actions: steps.flatMap(({ action }) => action ?? []),
    ...(orphan && { notices: [orphaned(orphan)] }),
    ...(waits.length > 0 && { againInMs: Math.min(...waits) }),
  }
}

interface GroupStep {
  readonly action?: Action
  readonly waitMs?: number
}
const doing = (action: Action): GroupStep => ({ action })

/** Time for a marked write to be stored: requests of the API server take less. */
const GRACE_MS = 30_000

/** A mark from far ahead, or without a time, has no time left: no clock is so wrong. */
function leftMs({ metadata }: Member, at: Date): number {
  const since = momentOf(metadata.annotations?.[markedAt])
  if (since === undefined || since > at.getTime() + GRACE_MS) return 0
  return Math.max(0, since + GRACE_MS - at.getTime())
}
function afterGrace(marked: Member, at: Date, action: Action): GroupStep {
  const waitMs = leftMs(marked, at)
  return waitMs > 0 ? { waitMs } : { action }
}

function endOf(doomed: Member, markers: GroupSeen['markers'], at: Date): GroupStep {
  const { [markedBy]: name = '', [markedByUid]: uid } = doomed.metadata.annotations ?? {}
  const marker = markers.get(name)
  if (marker === undefined || !isStillThere(marker, uid)) return doing(removal(doomed, 'TC-R2'))
  // The deletion did not come in time: now it goes alone, also if it is still on its way, for then it is reviewed again.
  if (!isActive(marker)) return doing(deleteCancelled(doomed))
  return afterGrace(doomed, at, deleteCancelled(doomed))
}

/**
 * Whether the deletion that caused the mark was not stored. A new object of the same name is no sign of that; the very
 * object is, even if another version ended it since. A mark of an older release names no uid.
 */
function isStillThere(marker: Member, uid: string | undefined): boolean {
  return !isTerminating(marker) && (uid === undefined ? isActive(marker) : marker.metadata.uid === uid)
}

/** Of several in force the latest wins (TC-R3), and ends what is marked for its sake (TC-R1). */
function onActive(live: readonly Member[], at: Date): readonly GroupStep[] {
  const marked = live.filter(isToBeDeactivated)
  const [current, ...others] = live.filter(isInForce).toSorted(latestFirst)
  if (current === undefined) return withoutCurrent(marked, at)
  return [
    ...marked.map((each) => doing(deactivation(each, 'TC-R1'))),
    ...others.map((each) => doing(deactivation(each, 'TC-R3'))),
  ]
}

/**
 * The activation is still to come, or never landed. Then the latest comes back, and the next turn ends the others: if each
 * came back when its own time is up, an early one would end a later one.
 */
function withoutCurrent(marked: readonly Member[], at: Date): readonly GroupStep[] {
  const isPending = (each: Member) => isActive(each) && each.metadata.annotations?.[markedAt] !== undefined
  const latest = marked.filter(isPending).toSorted(latestFirst).slice(0, 1)
  return [
    ...marked.filter((each) => !isPending(each)).map((each) => doing(deactivation(each, 'TC-R1'))),
    ...latest.map((each) => afterGrace(each, at, deactivateCancelled(each))),
  ]
}

function tooOld(live: readonly Member[], limit: number): readonly Member[] {
  const history = live.filter((each) => !isActive(each) && !isToBeDeactivated(each))
  return history.toSorted(newestFirst).slice(limit).reverse()
}

const UNMARKED = { [markedAt]: null, [markedBy]: null, [markedByUid]: null }
const NOT_DEACTIVATED = { [LABELS.deactivate]: null, [LABELS.deactivating]: null }

function deactivation(member: Member, because: string): Action {
  const labels = { [LABELS.activated]: 'false', ...NOT_DEACTIVATED }
  return merging(member, because, { activated: false, metadata: { labels, annotations: UNMARKED } })
}
const deactivateCancelled = (member: Member) =>
  merging(member, DEACTIVATE_CANCELLED, { metadata: { labels: NOT_DEACTIVATED, annotations: UNMARKED } })

/** Both marks share their annotations. */
function deleteCancelled(member: Member): Action {
  const annotations = isToBeDeactivated(member) ? {} : UNMARKED
  return merging(member, DELETE_CANCELLED, { metadata: { labels: { [LABELS.deleting]: null }, annotations } })
}

const merging = (member: Member, because: string, patch: object): Action => ({
  do: 'merge',
  ...itself(member),
  patch: { ...patch },
  because,
})
const removal = (member: Member, because: string): Action => ({ do: 'remove', ...itself(member), because })

/** In the version that was read: a mark or an activation that came since has its say first. */
function itself({ metadata: { namespace = '', name, uid = '', resourceVersion = '' } }: Member) {
  return { of: TCONFIG, ref: { namespace, name }, expects: { uid, resourceVersion } } as const
}

const DEACTIVATE_CANCELLED = 'TC-R1: no other version came into force'
const DELETE_CANCELLED = 'TC-R2: the version in force was not deleted'
const CANCELLED = new Map([
  [DEACTIVATE_CANCELLED, { reason: 'DeactivateCancelled', message: 'stays in force: no other version was stored' }],
  [DELETE_CANCELLED, { reason: 'DeleteCancelled', message: 'stays: the version in force was not deleted' }],
])

/** Tells of what was really written. */
export function conclude({ members }: GroupSeen, results: readonly Result[]): Plan {
  const done = results.filter(({ outcome }) => outcome === 'done')
  const notices = done.flatMap(({ action }) => {
    const words = CANCELLED.get(action.because)
    const member = members.find(({ metadata }) => 'ref' in action && metadata.name === action.ref.name)
    return words === undefined || member === undefined ? [] : [{ type: 'Normal' as const, ...words, ...about(member) }]
  })
  return { actions: [], ...(notices.length > 0 && { notices }) }
}

function orphaned(orphan: Member): Notice {
  const { app = '', server = '', configName = '', podSeq = '' } = orphan
  const message = `no active master configuration ${titleOf({ app, server, configName, podSeq })}; create or activate one, with podSeq m (TC-R5)`
  return { type: 'Warning', reason: 'OrphanNodeConfig', message, ...about(orphan) }
}
const about = ({ metadata: { namespace = '', name, uid = '' } }: Member) => ({
  about: { of: TCONFIG, ref: { namespace, name }, uid },
})
