import type { Result } from '../../kit/controller.ts'
import { LABELS } from '../names.ts'
import { targetNode } from '../owner.ts'
import { labelledKey } from './creations.ts'
import { paced, type Recurrences } from './pace.ts'
import { type DaemonPod, isOver } from './pods-of-nodes.ts'
import { POD } from './resources.ts'
import type { Work } from './work.ts'

/** What keeps the controller from making and removing pods without end; lost with the process. */
export interface Paces {
  /** Of pods that failed or ended. */
  readonly removed: Recurrences
  readonly made: Recurrences
}
export const NO_PACES: Paces = { removed: new Map(), made: new Map() }

/** As Kubernetes has it for pods that failed. A pod that lasts for minutes is made again at once. */
const [REMOVED_REST_MS, MADE_REST_MS] = [900_000, 120_000]

/** A kubelet may refuse each pod; another version of the template or of the patches waits for nothing (PATCH-CTL-15). */
export function removedKey({ nodes, revised }: Work): (pod: DaemonPod) => string {
  const nodeOf = new Map(nodes.flatMap(({ name, pods }) => pods.map((pod) => [pod, name] as const)))
  return (pod) => `${revised.hash} ${nodeOf.get(pod)}`
}

/** Counts what was done, and nothing that was only planned. */
export function pacesAfter(work: Work, results: readonly Result[], { removed, made }: Paces, nowMs: number): Paces {
  const done = results.flatMap(({ action, outcome }) => (outcome === 'done' && action.of === POD ? [action] : []))
  const names = new Set(done.flatMap((action) => ('ref' in action ? [action.ref.name] : [])))
  const ended = work.nodes.flatMap(({ pods }) => pods).filter((pod) => isOver(pod) && names.has(pod.name))
  const created = done.flatMap((action) => (action.do === 'create' ? [action.object] : []))
  const keys = created.map((pod) => labelledKey(pod.metadata.labels?.[LABELS.revision] ?? '', targetNode(pod) ?? ''))
  return {
    removed: paced(removed, ended.map(removedKey(work)), { nowMs, restMs: REMOVED_REST_MS }),
    made: paced(made, keys, { nowMs, restMs: MADE_REST_MS }),
  }
}
