import type { Action } from '../../kit/controller.ts'
import type { Found } from '../../kit/schema.ts'
import type { DaemonSet } from '../daemonsets.ts'
import { isOpen, repeatWaitMs } from './breaker.ts'
import { indexesOf, isStale, type JudgedPod } from './judged.ts'
import { mark, rebase, restamp, unmark, wakeOwner } from './marks.ts'
import type { RolloutPod } from './pod.ts'
import { deletions, isAvailable, isOfOwnersRevision, isTouchable } from './replacing.ts'
import type { RolloutMemory } from './seen.ts'
import { waitMs } from './staleness.ts'
import { minReadyMs, type Way } from './strategy.ts'

export interface Deciding {
  readonly daemonSet: Found<DaemonSet>
  readonly way: Way
  readonly pods: readonly RolloutPod[]
  readonly judged: readonly JudgedPod[]
  readonly memory: RolloutMemory
  readonly bypass: string | undefined
  readonly stabilizationMs: number
  readonly at: Date
}
/** What is done about the pods, and when to look again. */
export interface Decided {
  readonly actions: readonly Action[]
  /** The pods that are replaced. */
  readonly replaced: readonly JudgedPod[]
  readonly problems: readonly { readonly node: string; readonly problem: string }[]
  readonly waits: readonly number[]
}

/** Edits of a list are gathered (PATCH-ROLL-3). */
const SETTLES_MS = 1_000
const AT_ONCE = 100
const BYPASSED_AGAIN_MS = 10_000
const BUDGET_AGAIN_MS = 5_000

export function decided(deciding: Deciding): Decided {
  const { judged, way, memory, pods } = deciding
  const isStopped = way.by !== 'mark' || isOpen(memory.bypassed)
  const unmarked = judged.filter((each) => each.pod.mark !== undefined && (isStopped || !isStale(each)))
  const released = isStopped ? pods.filter(isMarked) : unmarked.map(({ pod }) => pod)
  const unmarks = released.map(unmark)
  if (way.by === 'stop') return { actions: unmarks, replaced: [], problems: [], waits: [] }
  const stale = judged.filter((each) => isStale(each) && !unmarked.includes(each))
  const waiting = stale.map((each) => ({ each, wait: settlingMs(each, deciding) }))
  const due = waiting.filter(({ wait }) => wait <= 0).map(({ each }) => each)
  const same = due.filter((each) => isSameTemplate(each, deciding))
  const rest = replacements(
    due.filter((each) => !same.includes(each)),
    deciding,
  )
  const restamps = same.map(({ pod, node: { expects } }) =>
    restamp(pod, { component: expects.component, indexes: indexesOf(expects) }),
  )
  const behind = judged.filter(({ isBehind, pod }) => isBehind && pod.mark === undefined)
  const wakes = ownersToWake(stale, deciding)
  return {
    ...rest,
    actions: [...unmarks, ...restamps, ...behind.map(({ pod }) => rebase(pod)), ...wakes.actions, ...rest.actions],
    waits: [...rest.waits, ...wakes.waits, ...waiting.flatMap(({ wait }) => (wait > 0 ? [wait] : []))],
  }
}

/** Also on a Node that is unknown (PATCH-GATE-1). */
const isMarked = ({ mark, isEnding }: RolloutPod) => mark !== undefined && !isEnding

function settlingMs({ sighting, pod }: JudgedPod, { stabilizationMs, memory, at }: Deciding): number {
  if (pod.mark !== undefined) return 0
  const now = at.getTime()
  return Math.max(waitMs(sighting, stabilizationMs, now), memory.since + SETTLES_MS - now)
}

/** PATCH-HASH-7: edits that change nothing of the result restart nothing. */
function isSameTemplate({ pod, patched }: JudgedPod, { daemonSet }: Deciding): boolean {
  if (pod.templateHash === undefined || !isOfOwnersRevision(pod, daemonSet)) return false
  const wanted = patched()
  return 'hash' in wanted && wanted.hash === pod.templateHash
}

/** PATCH-ROLL-4, 8, 9 */
function replacements(due: readonly JudgedPod[], deciding: Deciding): Decided {
  const { daemonSet, way, pods, memory, bypass, at } = deciding
  const candidates = due.filter(({ pod }) => pod.mark === undefined && isTouchable(pod))
  const problems = candidates.flatMap(({ pod, patched }) => {
    const wanted = patched()
    return 'problem' in wanted ? [{ node: pod.node ?? '', problem: wanted.problem }] : []
  })
  const sound = candidates.filter(({ patched }) => !('problem' in patched()))
  const nothing = { actions: [], replaced: [], problems }
  if (sound.length === 0) return { ...nothing, waits: [] }
  if (bypass !== undefined || isOpen(memory.bypassed)) return { ...nothing, waits: [BYPASSED_AGAIN_MS] }
  const now = at.getTime()
  const waits = sound.map((each) => ({ each, wait: repeatMs(each, memory, now) }))
  const ready = waits.flatMap(({ each, wait }) => (wait <= 0 ? [each] : []))
  const later = waits.flatMap(({ wait }) => (wait > 0 ? [wait] : []))
  if (way.by === 'delete') {
    const { actions, replaced } = deletions(daemonSet, pods, ready, now)
    return { actions, replaced, problems, waits: [...later, BUDGET_AGAIN_MS] }
  }
  const replaced = ready.slice(0, AT_ONCE)
  const actions = replaced.map(({ pod, sighting: { reason = '' } }) => mark(pod, reason, at))
  return { actions, replaced, problems, waits: ready.length > AT_ONCE ? [...later, 1] : later }
}

function repeatMs({ pod, sighting: { expected } }: JudgedPod, { marks }: RolloutMemory, now: number): number {
  return repeatWaitMs(marks.get(pod.node ?? ''), pod, expected, now)
}

const BESIDE_MS = 10_000
const WAKE_EACH_MS = 60_000

/** PATCH-ROLL-12: its replacement is available, and still the owner leaves it there. */
function ownersToWake(
  stale: readonly JudgedPod[],
  { daemonSet, pods, at }: Deciding,
): Pick<Decided, 'actions' | 'waits'> {
  const ready = new Map(
    pods.flatMap((pod) =>
      pod.mark === undefined && isAvailable(pod, 0, at.getTime()) ? [[pod.node, pod] as const] : [],
    ),
  )
  const due = stale.flatMap(({ pod }) => {
    const { readySince } = ready.get(pod.node) ?? {}
    if (pod.mark === undefined || readySince === undefined) return []
    const dueAt = Math.max(readySince + minReadyMs(daemonSet) + BESIDE_MS, pod.mark.at + WAKE_EACH_MS)
    return [{ pod, wait: dueAt - at.getTime() }]
  })
  return {
    actions: due.flatMap(({ pod, wait }) => (wait <= 0 ? [wakeOwner(pod, at)] : [])),
    waits: due.map(({ wait }) => (wait > 0 ? wait : WAKE_EACH_MS)),
  }
}
