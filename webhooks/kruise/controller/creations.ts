import { MergeError } from '../../../src/kube/strategic-merge/merge-error.ts'
import type { Action, Built, Notice } from '../../kit/controller.ts'
import { targetNode } from '../owner.ts'
import { podFor } from './create.ts'
import { labelHashOf } from './label-hash.ts'
import { notMadeNotice, SHORT_LIVED } from './notices.ts'
import { due, type Recurrences } from './pace.ts'
import { POD } from './resources.ts'
import { type DaemonSetSeen, selectsOf } from './seen.ts'
import { creatable } from './strategy.ts'
import type { Work } from './work.ts'

interface CreationState {
  readonly attempt: number
  readonly made: Recurrences
  readonly nowMs: number
}
export interface Creations {
  readonly actions: readonly Action[]
  readonly notices: readonly Notice[]
  readonly waits: readonly number[]
}

/**
 * The first refusal ends a turn: what refuses one pod usually refuses all. The next turns begin elsewhere, so that a pod
 * that is refused for its node holds up no other. Where pods of one version do not last, the next ones wait.
 */
export function creations(work: Work, names: readonly string[], { attempt, made, nowMs }: CreationState): Creations {
  const wanted = [...new Set(names)].sort()
  const { now, waits } = due(wanted, (node) => madeKey(work, node), made, nowMs)
  const chosen = rotated(now, attempt).slice(0, creatable(work))
  const tries = chosen.map((node) => tried(work, node))
  return {
    actions: tries
      .flatMap(({ pod }) => pod ?? [])
      .map(
        (object, at): Action => ({ do: 'create', of: POD, object, because: 'PATCH-CTL-16', ...(at > 0 && FOLLOWS) }),
      ),
    notices: [...tries.flatMap(({ notice }) => notice ?? []).slice(0, 1), ...shortLived(waits)],
    waits,
  }
}
const FOLLOWS = { follows: true } as const
const rotated = (names: readonly string[], by: number) => {
  const at = names.length === 0 ? 0 : by % names.length
  return [...names.slice(at), ...names.slice(0, at)]
}
/** A pod or two may go for many reasons. */
const isLong = (wait: number) => wait > 10_000
export const shortLived = (waits: readonly number[]) => (waits.some(isLong) ? [SHORT_LIVED] : [])

interface PodTrial {
  readonly pod?: Built
  readonly notice?: Notice
}
/** A pod of its node, or why there can be none. */
export function tried(work: Work, node: string): PodTrial {
  const { seen, reading, revised } = work
  const making = { daemonSet: seen.daemonSet, reading, templateHash: revised.templateHash, revision: revised.hash }
  try {
    const pod = podFor(making, node, work.choiceOn(node))
    const flaw = flawOf(pod, node, seen.daemonSet)
    return flaw === undefined ? { pod } : failed(node, flaw)
  } catch (cause) {
    if (!(cause instanceof MergeError)) throw cause
    return failed(node, cause.message)
  }
}
const failed = (node: string, why: string): PodTrial => ({ notice: notMadeNotice(node, why) })

/** Why the controller would not know a pod again as that of its node, and would make another one (PATCH-CTL-16). */
function flawOf(pod: Built, node: string, daemonSet: DaemonSetSeen['daemonSet']): string | undefined {
  if (!selectsOf(daemonSet)(pod))
    return 'with its patches its labels do not match spec.selector; take these labels out of the patches'
  if (targetNode(pod) !== node) return 'its patches set spec.nodeName; take that out of the patches'
  return undefined
}

/** Of one version of the pod of a node: another version waits for nothing. */
export const labelledKey = (hash: string, node: string) => `${hash} ${node}`
export const madeKey = ({ choiceOn, revised }: Work, node: string) =>
  labelledKey(labelHashOf(revised.templateHash, choiceOn(node).component), node)
