import { canonical } from '../../../src/kube/canonical-json.ts'
import { sha256Of } from '../../../src/kube/digests.ts'
import type { Labels } from '../../../src/kube/labels.ts'
import type { Found, Gvr, KubeObject, Tree } from '../../kit/schema.ts'
import type { DaemonSet } from '../daemonsets.ts'
import { effectiveList } from '../list/read.ts'
import { type Choice, type PatchReading, readingOf } from '../list/reading.ts'
import { ANNOTATIONS } from '../names.ts'
import type { LastMark } from './breaker.ts'
import type { RolloutPod } from './pod.ts'
import type { Sighting } from './staleness.ts'

export interface SeenPod {
  readonly pod: RolloutPod
  /** Absent while its Node is unknown. */
  readonly node?: { readonly labels: Labels; readonly expects: Choice }
  /** The whole pod, where OpenKruise has written a newer template over it. */
  readonly whole?: Tree
}
/** One DaemonSet with its pods. */
export interface RolloutSeen {
  readonly of: Gvr
  readonly daemonSet: Found<DaemonSet>
  readonly patches: PatchReading
  /** Tells lists apart. */
  readonly list: string
  readonly pods: readonly SeenPod[]
  /** What keeps new pods from being patched (PATCH-ROLL-9 a). */
  readonly bypass?: string
}

/** Known to this process alone; a new one looks again before it acts. */
export interface RolloutMemory {
  readonly list: string
  /** When that list was seen first. */
  readonly since: number
  readonly sightings: ReadonlyMap<string, Sighting>
  /** What last applied to the pods of a Node. */
  readonly expected: ReadonlyMap<string, { readonly component: string; readonly at: number }>
  readonly marks: ReadonlyMap<string, LastMark>
  readonly bypassed: number
  readonly toldAt?: number
  readonly isRolling: boolean
}

/** The hash is the same for each way to write the same list; one that cannot be read has none (PATCH-HASH-1). */
export function listOf(daemonSet: KubeObject): Pick<RolloutSeen, 'patches' | 'list'> {
  const patches = readingOf(daemonSet)
  const list = patches.unreadable ?? sha256Of(canonical(effectiveList(daemonSet).items)).slice(0, 16)
  return { patches, list }
}

type SeenPods = Pick<RolloutSeen, 'daemonSet' | 'patches'> & { readonly pods: readonly RolloutPod[] }

/** The others are left as they are, without another look. */
export function isConcerned({ daemonSet: { metadata }, patches, pods }: SeenPods): boolean {
  if (patches.entries.length > 0 || patches.unreadable !== undefined) return true
  if (metadata.annotations?.[ANNOTATIONS.observed] !== undefined) return true
  return pods.some(({ stamp, mark }) => stamp !== undefined || mark !== undefined)
}

export function onNodes({ pods, patches }: SeenPods, labelsOf: ReadonlyMap<string, Labels>): readonly SeenPod[] {
  return pods.map((pod) => {
    if (pod.node === undefined || !labelsOf.has(pod.node)) return { pod }
    const labels = labelsOf.get(pod.node)
    return { pod, node: { labels, expects: patches.choiceFor(labels) } }
  })
}
