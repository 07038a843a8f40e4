import type { Action } from '../../kit/controller.ts'
import type { Found, Gvr, KubeObject, Tree } from '../../kit/schema.ts'
import type { DaemonSet } from '../daemonsets.ts'
import { ANNOTATIONS } from '../names.ts'
import { isOpen } from './breaker.ts'
import type { Decided } from './decided.ts'
import { isStale, type JudgedPod } from './judged.ts'
import type { RolloutMemory, RolloutSeen } from './seen.ts'
import { desiredOf, isCounted, type StopReason, type Way } from './strategy.ts'

/** PATCH-ROLL-11 */
export interface Progress {
  readonly reason: 'AllPodsPatched' | 'RolloutInProgress' | 'PatchFailed' | 'WebhookBypassed' | StopReason
  readonly message: string
}
interface Tally {
  readonly judged: readonly JudgedPod[]
  readonly way: Way
  readonly done: Decided
  readonly memory: RolloutMemory
}

export const isOver = ({ reason }: Progress) => reason === 'AllPodsPatched'

/** A Node without its pod is behind too: its pod may have been refused. */
export function progressOf({ daemonSet, patches, pods, bypass }: RolloutSeen, known: Tally): Progress {
  const current = known.judged.filter((each) => !isStale(each) && each.pod.mark === undefined)
  const all = Math.max(pods.filter(({ pod }) => !pod.isEnding).length, desiredOf(daemonSet))
  const isAll = isCounted(daemonSet) && current.length >= all
  const reason = reasonOf(known, { isAll, isBypassed: bypass !== undefined })
  const more = whyOf(reason, { unreadable: patches.unreadable, problem: problemIn(known.done), bypass })
  const count = `${current.length}/${all} pods current`
  return { reason, message: more === undefined ? count : `${count}; ${more}` }
}

interface Why {
  readonly unreadable: string | undefined
  readonly problem: string | undefined
  readonly bypass: string | undefined
}
function whyOf(reason: Progress['reason'], { unreadable, problem, bypass }: Why): string | undefined {
  switch (reason) {
    case 'InvalidPatches':
      return unreadable
    case 'PatchFailed':
      return problem
    case 'WebhookBypassed':
      return bypass
    default:
      return undefined
  }
}

export const problemIn = ({ problems: [first] }: Decided) => first && `node ${first.node}: ${first.problem}`

function reasonOf(
  { way, done, memory, judged }: Tally,
  { isAll, isBypassed }: { readonly isAll: boolean; readonly isBypassed: boolean },
): Progress['reason'] {
  if (way.by === 'stop' && way.reason !== 'Deferred') return way.reason
  if (isAll) return 'AllPodsPatched'
  if (way.by === 'stop') return judged.some(isStale) ? way.reason : 'RolloutInProgress'
  if (done.problems.length > 0) return 'PatchFailed'
  return isBypassed || isOpen(memory.bypassed) ? 'WebhookBypassed' : 'RolloutInProgress'
}

const CONDITION = 'NodeLabelPatchesSynced'
const EACH_MS = 10_000

const conditionIn = ({ status }: Found<DaemonSet>) => status?.conditions?.find(({ type }) => type === CONDITION)

/** The condition says something else still. */
export const isNews = (daemonSet: Found<DaemonSet>, { reason }: Progress) => conditionIn(daemonSet)?.reason !== reason

interface Telling {
  readonly actions: readonly Action[]
  readonly waits: readonly number[]
  readonly hasTold: boolean
}

/**
 * PATCH-ROLL-11: on change alone, and ten seconds apart. Of which list the condition speaks is said after it, so that a
 * client that waits for a list never reads the condition of another one.
 */
export function telling(
  { of, daemonSet, list, patches }: RolloutSeen,
  progress: Progress,
  { at, toldAt = Number.NEGATIVE_INFINITY }: { readonly at: Date; readonly toldAt: number | undefined },
): Telling {
  const isObserved = daemonSet.metadata.annotations?.[ANNOTATIONS.observed] === list
  const observed = isObserved || patches.unreadable !== undefined ? [] : [observedUpdate(of, daemonSet, list)]
  if (isTold(daemonSet, progress)) return { actions: observed, waits: [], hasTold: false }
  const wait = toldAt + EACH_MS - at.getTime()
  if (wait > 0) return { actions: [], waits: [wait], hasTold: false }
  return { actions: [conditionUpdate(of, daemonSet, progress, at), ...observed], waits: [], hasTold: true }
}

const statusOf = (progress: Progress) => (isOver(progress) ? 'True' : 'False')

function isTold(daemonSet: Found<DaemonSet>, progress: Progress): boolean {
  const { status, reason, message } = conditionIn(daemonSet) ?? {}
  return status === statusOf(progress) && reason === progress.reason && message === progress.message
}

/** Conditions of others stay: the whole list is sent, and counts for the version that it was read from. */
function conditionUpdate(of: Gvr, daemonSet: Found<DaemonSet>, progress: Progress, at: Date): Action {
  const { uid = '', resourceVersion = '' } = daemonSet.metadata
  const status = statusOf(progress)
  const old = conditionIn(daemonSet)
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : `${at.toISOString().slice(0, 19)}Z`
  const ours: Tree = { type: CONDITION, status, ...progress, lastTransitionTime }
  const conditions = (daemonSet.status?.conditions ?? []).filter(({ type }) => type !== CONDITION)
  return {
    do: 'merge',
    subresource: 'status',
    of,
    ref: refOf(daemonSet),
    expects: { uid, resourceVersion },
    patch: { status: { conditions: [...conditions, ours] } },
    because: 'PATCH-ROLL-11',
  }
}

function observedUpdate(of: Gvr, daemonSet: Found<DaemonSet>, list: string): Action {
  return {
    do: 'merge',
    of,
    ref: refOf(daemonSet),
    expects: { uid: daemonSet.metadata.uid ?? '' },
    patch: { metadata: { annotations: { [ANNOTATIONS.observed]: list } } },
    because: 'PATCH-ROLL-11',
  }
}

const refOf = ({ metadata: { namespace = '', name } }: KubeObject) => ({ namespace, name })
