import type { Given } from '../../kit/controller.ts'
import type { Tree } from '../../kit/schema.ts'
import { patchedTemplate } from '../list/patched.ts'
import type { Choice } from '../list/reading.ts'
import { ANNOTATIONS } from '../names.ts'
import { isInPlaceUpdated, isOverwritten } from './inplace.ts'
import type { RolloutPod } from './pod.ts'
import type { RolloutMemory, RolloutSeen, SeenPod } from './seen.ts'
import { type Sighting, sightingOf } from './staleness.ts'
import { type TemplateResult, templates } from './templates.ts'

/** A pod with what was found of it. */
export interface JudgedPod {
  readonly pod: RolloutPod
  readonly node: NonNullable<SeenPod['node']>
  readonly sighting: Sighting
  /** What its Node expects; computed where it matters. */
  readonly patched: () => TemplateResult
  /** An in-place update has left what the patches set, so that only the stamp is behind. */
  readonly isBehind: boolean
}

/** PATCH-ROLL-2: pods that end, and those of unknown Nodes, are left out. */
export function judged(
  { daemonSet, patches, list, pods }: RolloutSeen,
  { at, remembered }: Pick<Given<RolloutMemory>, 'at' | 'remembered'>,
): readonly JudgedPod[] {
  const patched = templates({ template: patches.template, selector: daemonSet.spec?.selector ?? {} })
  const known = remembered?.list ?? daemonSet.metadata.annotations?.[ANNOTATIONS.observed]
  const judging = { entries: patches.entries, isNews: known !== list, at: at.getTime() }
  return pods.flatMap(({ pod, node, whole }) => {
    if (pod.isEnding || node === undefined) return []
    const found = sightingOf(pod, node.expects.component, remembered?.sightings.get(pod.uid), judging)
    const isUnclear = found.reason === undefined && whole !== undefined && isInPlaceUpdated(pod)
    const isLost = isUnclear && hasLost(whole, patches.template, node.expects)
    const sighting: Sighting = isLost ? { ...found, reason: 'InPlaceOverwritten' } : found
    return [{ pod, node, sighting, isBehind: isUnclear && !isLost, patched: () => patched(node.expects) }]
  })
}

/** Patches that cannot be merged any more have set nothing that could be compared. */
function hasLost(whole: Tree, template: Tree, { entries }: Choice): boolean {
  try {
    return isOverwritten(whole, patchedTemplate(template, entries), entries)
  } catch {
    return true
  }
}

export const isStale = ({ sighting }: Pick<JudgedPod, 'sighting'>) => sighting.reason !== undefined

export const indexesOf = ({ entries }: Choice) => entries.map(({ index }) => index)
