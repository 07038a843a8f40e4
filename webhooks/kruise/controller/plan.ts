import { MergeError } from '../../../src/kube/strategic-merge/merge-error.ts'
import { isSame } from '../../kit/admission.ts'
import type { Action, Built, Given, Notice, Plan, Result } from '../../kit/controller.ts'
import { KRUISE_DAEMONSET } from '../daemonsets.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import { adoptions, releases } from './adopt.ts'
import { podFor } from './create.ts'
import { afterFailures, type NodeFailures } from './failures.ts'
import { managed } from './manage.ts'
import type { DaemonPod } from './pods-of-nodes.ts'
import { removalOf } from './removal.ts'
import { POD, type StoredDaemonPod } from './resources.ts'
import { cleaned, meant } from './revise.ts'
import { rivalIn } from './rival.ts'
import { type DaemonSetSeen, isUsable } from './seen.ts'
import { countersOf } from './status.ts'
import { budgetOf, creatable, nextUpdate } from './strategy.ts'
import { nextAvailableMs } from './view.ts'
import { type Work, workOf } from './work.ts'

const LOOK_AGAIN_MS = 30_000

export function plan(
  seen: DaemonSetSeen,
  { at, attempt, remembered = {} }: Given<NodeFailures>,
): Plan<never, NodeFailures> {
  const rival = rivalIn(seen.traces, at)
  if (rival !== undefined) return { actions: [], notices: [rivalNotice(rival)], againInMs: LOOK_AGAIN_MS }
  if (!isUsable(seen.daemonSet.spec?.selector ?? {})) return { actions: [], notices: [SELECTING_ALL] }
  const work = workOf(seen, at)
  if (work.revised.isTaken) return { actions: [], remember: remembered }
  const allowsSurge = budgetOf(seen.daemonSet.spec?.updateStrategy, work.desired).maxSurge > 0
  const steady = managed(work.nodes, allowsSurge)
  const update = nextUpdate(work)
  const failures = afterFailures(withNodes(steady.failed, work), remembered, at.getTime())
  const created = creations(work, [...steady.create, ...update.create], attempt)
  const removed = removals(work, [...failures.remove, ...steady.remove, ...update.remove])
  const waits = [failures.againInMs, nextAvailableMs(seen.pods, { minReadySeconds: work.minReadySeconds, at })]
  const soonest = Math.min(...waits.filter((wait) => wait !== undefined))
  return {
    actions: [
      ...releases(seen),
      ...adoptions(seen),
      ...work.revised.actions,
      ...removed,
      ...created.actions,
      ...tidied(work),
    ],
    notices: [...failures.remove.map(failedNotice), ...created.notices, ...inPlaceNotice(seen)],
    ...(Number.isFinite(soonest) && { againInMs: soonest }),
    remember: failures.waiting,
  }
}

const withNodes = (failed: readonly DaemonPod[], { nodes }: Work) =>
  nodes.flatMap(({ name, pods }) => pods.filter((pod) => failed.includes(pod)).map((pod) => ({ node: name, pod })))

/**
 * The first refusal ends a turn: what refuses one pod usually refuses all. The next turns begin elsewhere, so that a pod
 * that is refused for its node holds up no other.
 */
function creations(work: Work, names: readonly string[], attempt: number) {
  const { seen, reading, revised } = work
  const labels = new Map(seen.nodes.map(({ metadata }) => [metadata.name, metadata.labels]))
  const making = { daemonSet: seen.daemonSet, reading, templateHash: revised.templateHash, revision: revised.hash }
  const chosen = rotated([...new Set(names)].sort(), attempt).slice(0, creatable(work))
  const made = chosen.map((node) => tried(node, () => podFor(making, node, reading.choiceFor(labels.get(node)))))
  return {
    actions: made
      .flatMap(({ pod }) => pod ?? [])
      .map(
        (object, at): Action => ({ do: 'create', of: POD, object, because: 'PATCH-CTL-16', ...(at > 0 && FOLLOWS) }),
      ),
    notices: made.flatMap(({ notice }) => notice ?? []).slice(0, 1),
  }
}
const FOLLOWS = { follows: true } as const
const rotated = (names: readonly string[], by: number) => {
  const at = names.length === 0 ? 0 : by % names.length
  return [...names.slice(at), ...names.slice(0, at)]
}

function tried(node: string, make: () => Built): { readonly pod?: Built; readonly notice?: Notice } {
  try {
    return { pod: make() }
  } catch (cause) {
    if (!(cause instanceof MergeError)) throw cause
    return { notice: { type: 'Warning', reason: 'NodePatchFailed', message: `node ${node}: ${cause.message}` } }
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
export function conclude(seen: DaemonSetSeen, results: readonly Result[], { at }: Given<NodeFailures>): Plan {
  const { daemonSet } = seen
  if (rivalIn(seen.traces, at) !== undefined || !isUsable(daemonSet.spec?.selector ?? {})) return { actions: [] }
  const { nodes, revised } = workOf(seen, at)
  const isWhole = results.every(({ outcome }) => outcome === 'done' || outcome === 'needless' || outcome === 'gone')
  const wanted = {
    ...countersOf(nodes),
    updateRevision: revised.hash,
    daemonSetHash: revised.hash,
    ...(isWhole && { observedGeneration: daemonSet.metadata.generation ?? 0 }),
    ...(revised.isTaken && { collisionCount: (daemonSet.status?.collisionCount ?? 0) + 1 }),
  }
  const stored: Readonly<Record<string, unknown>> = { ...daemonSet.status }
  if (Object.entries(wanted).every(([field, value]) => isSame(stored[field], value))) return { actions: [] }
  const patch = { status: wanted }
  const of = KRUISE_DAEMONSET
  const where = meant(daemonSet.metadata)
  return { actions: [{ do: 'merge', of, ...where, patch, subresource: 'status', because: 'PATCH-CTL-19' }] }
}

const SELECTING_ALL: Notice = {
  type: 'Warning',
  reason: 'SelectingAll',
  message:
    'spec.selector selects all pods, or cannot be read; write one that selects those of this DaemonSet (PATCH-CTL-10)',
}
const rivalNotice = (why: string): Notice => ({
  type: 'Warning',
  reason: 'KruiseManagerActive',
  message: `OpenKruise runs: ${why}; this DaemonSet is left to it (PATCH-CTL-2)`,
})
const failedNotice = ({ name }: DaemonPod): Notice => ({
  type: 'Warning',
  reason: 'FailedDaemonPod',
  message: `the pod ${name} failed and is replaced`,
})
function inPlaceNotice({ daemonSet }: DaemonSetSeen): readonly Notice[] {
  if (daemonSet.spec?.updateStrategy?.rollingUpdate?.rollingUpdateType !== 'InPlaceIfPossible') return []
  const message = 'InPlaceIfPossible acts as Standard here: pods are recreated (PATCH-CTL-18)'
  return [{ type: 'Warning', reason: 'InPlaceNotSupported', message }]
}
