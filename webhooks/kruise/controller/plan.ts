import { isSame } from '../../kit/admission.ts'
import type { Action, Given, Plan, Result } from '../../kit/controller.ts'
import type { Tree } from '../../kit/schema.ts'
import { KRUISE_DAEMONSET } from '../daemonsets.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import { adoptions, releases } from './adopt.ts'
import { conditionsWhile } from './condition.ts'
import { creations, madeKey, shortLived, tried } from './creations.ts'
import { managed } from './manage.ts'
import { endedNotice, inPlaceNotice, rivalNotice, SELECTING_ALL, SELECTING_OTHERS, wordsNotice } from './notices.ts'
import { due, type Recurrences } from './pace.ts'
import { NO_PACES, type Paces, pacesAfter, removedKey } from './paces.ts'
import type { DaemonPod } from './pods-of-nodes.ts'
import { removalOf } from './removal.ts'
import type { StoredDaemonPod } from './resources.ts'
import { cleaned, meant } from './revise.ts'
import { rivalIn } from './rival.ts'
import { type DaemonSetSeen, isTemplateSelected, isUsable } from './seen.ts'
import { countersOf } from './status.ts'
import { budgetOf, nextUpdate } from './strategy.ts'
import { nextAvailableMs } from './view.ts'
import { type Work, workOf } from './work.ts'

const LOOK_AGAIN_MS = 30_000
/** Whether OpenKruise has come is asked again after so many (PATCH-CTL-2). */
const AT_ONCE = 25

export function plan(seen: DaemonSetSeen, given: Given<Paces>): Plan<never, Paces> {
  const { at, attempt, remembered = NO_PACES } = given
  const stopped = stopOf(seen, at)
  if (stopped !== undefined) return { ...stopped, actions: [] }
  const work = workOf(seen, given)
  if (work.revised.isTaken) return { actions: [], remember: remembered }
  const nowMs = at.getTime()
  const allowsSurge = budgetOf(seen.daemonSet.spec?.updateStrategy, work.desired).maxSurge > 0
  const steady = managed(work.nodes, allowsSurge)
  const update = nextUpdate(work)
  const failed = due(steady.failed, removedKey(work), remembered.removed, nowMs)
  const created = creations(work, [...steady.create, ...update.create], { attempt, made: remembered.made, nowMs })
  const replaced = replaceable(work, update.remove, remembered.made, nowMs)
  const removed = removals(work, [...failed.now, ...steady.remove, ...replaced.pods])
  const available = nextAvailableMs(seen.pods, { minReadySeconds: work.minReadySeconds, at })
  const isCut = removed.length > AT_ONCE || created.actions.length > AT_ONCE
  const soonest = Math.min(
    ...(isCut ? [1] : []),
    ...failed.waits,
    ...created.waits,
    ...replaced.waits,
    ...(available === undefined ? [] : [available]),
  )
  return {
    actions: [
      ...releases(seen),
      ...adoptions(seen),
      ...work.revised.actions,
      ...removed.slice(0, AT_ONCE),
      ...created.actions.slice(0, AT_ONCE),
      ...tidied(work),
    ],
    notices: [
      ...failed.now.map(endedNotice),
      ...created.notices,
      ...replaced.notices,
      ...inPlaceNotice(seen),
      ...wordsNotice(work),
    ],
    ...(Number.isFinite(soonest) && { againInMs: soonest }),
    remember: remembered,
  }
}

/** Why nothing is done about a DaemonSet. */
function stopOf({ daemonSet, traces }: DaemonSetSeen, at: Date): Omit<Plan<never, Paces>, 'actions'> | undefined {
  const rival = rivalIn(traces, at)
  if (rival !== undefined) return { notices: [rivalNotice(rival)], againInMs: LOOK_AGAIN_MS }
  if (!isUsable(daemonSet.spec?.selector ?? {})) return { notices: [SELECTING_ALL] }
  return isTemplateSelected(daemonSet) ? undefined : { notices: [SELECTING_OTHERS] }
}

/** An old pod stays where no new one could take its place, or not at once. */
function replaceable(work: Work, pods: readonly DaemonPod[], made: Recurrences, nowMs: number) {
  const leaving = new Set(pods)
  const nodes = work.nodes.filter((node) => node.pods.some((pod) => leaving.has(pod)))
  const { now, waits } = due(nodes, ({ name }) => madeKey(work, name), made, nowMs)
  const trials = now.map((node) => ({ node, ...tried(work, node.name) }))
  const replaced = new Set(trials.flatMap(({ node, pod }) => (pod === undefined ? [] : node.pods)))
  return {
    pods: pods.filter((pod) => replaced.has(pod)),
    notices: [...trials.flatMap(({ notice }) => notice ?? []).slice(0, 1), ...shortLived(waits)],
    waits,
  }
}

function removals({ seen, stranded }: Work, pods: readonly DaemonPod[]): readonly Action[] {
  const names = new Set([...pods, ...stranded.map(({ metadata }) => metadata)].map(({ name }) => name))
  const lifecycle = seen.daemonSet.spec?.lifecycle ?? {}
  return seen.pods.filter(({ metadata }) => names.has(metadata.name)).flatMap((pod) => removalOf(pod, lifecycle))
}

function tidied({ seen, revised }: Work): readonly Action[] {
  const named = new Set(seen.pods.flatMap(hashesOf))
  return cleaned(seen.revisions, revised.hash, seen.daemonSet.spec?.revisionHistoryLimit ?? 10, named)
}
const hashesOf = ({ metadata: { labels, annotations } }: StoredDaemonPod) =>
  [labels?.[LABELS.revision], annotations?.[ANNOTATIONS.revision]].filter((hash) => hash !== undefined)

/** Counts as seen only after a turn of which nothing failed (PATCH-CTL-19). */
export function conclude(seen: DaemonSetSeen, results: readonly Result[], given: Given<Paces>): Plan<never, Paces> {
  const { at, remembered = NO_PACES } = given
  const { daemonSet } = seen
  const conditions = conditionsWhile(rivalIn(seen.traces, at), daemonSet, at)
  const told = conditions && { conditions }
  if (stopOf(seen, at) !== undefined) return { actions: told === undefined ? [] : [statusUpdate(daemonSet, told)] }
  const work = workOf(seen, given)
  const { nodes, revised } = work
  const remember = pacesAfter(work, results, remembered, at.getTime())
  const isWhole = results.every(({ outcome }) => outcome === 'done' || outcome === 'needless' || outcome === 'gone')
  const wanted = {
    ...told,
    ...countersOf(nodes),
    updateRevision: revised.hash,
    daemonSetHash: revised.hash,
    ...(isWhole && { observedGeneration: daemonSet.metadata.generation ?? 0 }),
    ...(revised.isTaken && { collisionCount: (daemonSet.status?.collisionCount ?? 0) + 1 }),
  }
  const stored: Readonly<Record<string, unknown>> = { ...daemonSet.status }
  if (Object.entries(wanted).every(([field, value]) => isSame(stored[field], value))) return { actions: [], remember }
  return { actions: [statusUpdate(daemonSet, wanted)], remember }
}

/** Of a list the whole is sent, and it counts for the version that it was read from. */
function statusUpdate({ metadata }: DaemonSetSeen['daemonSet'], status: Tree): Action {
  const patch = { status }
  return {
    do: 'merge',
    of: KRUISE_DAEMONSET,
    ...meant(metadata),
    patch,
    subresource: 'status',
    because: 'PATCH-CTL-19',
  }
}
