import { withoutDirectives } from '../../../src/kube/strategic-merge/directives.ts'
import type { Tree } from '../../kit/schema.ts'
import { combinedHash } from '../list/hash.ts'
import { merged } from '../list/patched.ts'
import type { Choice, PatchReading } from '../list/reading.ts'
import { treeIn, without } from '../list/touched.ts'
import { ANNOTATIONS, LABELS, STAMPS } from '../names.ts'
import { repaired } from './invariants.ts'
import { rebased } from './rebase.ts'

export const annotationsOf = (pod: Tree) => treeIn(treeIn(pod, 'metadata'), 'annotations')

/** PATCH-HASH-4 */
export function expectedHash(pod: Tree, { component }: Pick<Choice, 'component'>): string {
  const base = treeIn(treeIn(pod, 'metadata'), 'labels')[LABELS.revision]
  return combinedHash(typeof base === 'string' ? base : '', component)
}

/** PATCH-POD-15: the pod as the controller would have made it of the patched template. Throws MergeError. */
export function patchedPod(pod: Tree, { template }: Pick<PatchReading, 'template'>, choice: Choice): Tree {
  const { entries } = choice
  const { metadata, spec } = pod
  const before = rebased({ metadata, spec }, template, entries)
  const after = withoutDirectives(merged(before, entries))
  return stamped(
    { ...pod, ...repaired(pod, after, entries) },
    {
      [ANNOTATIONS.combinedHash]: expectedHash(pod, choice),
      [ANNOTATIONS.applied]: entries.map(({ index }) => index).join(','),
      [ANNOTATIONS.templateHash]: choice.templateHash(),
    },
  )
}

function stamped(pod: Tree, stamps: Tree): Tree {
  return { ...pod, metadata: { ...treeIn(pod, 'metadata'), annotations: { ...annotationsOf(pod), ...stamps } } }
}

/** A stamp that came from elsewhere, as with copied YAML, would be taken for ours (PATCH-POD-17). */
export function withoutStamps(pod: Tree): Tree {
  const annotations = annotationsOf(pod)
  if (STAMPS.every((key) => !Object.hasOwn(annotations, key))) return pod
  return { ...pod, metadata: { ...treeIn(pod, 'metadata'), annotations: without(annotations, STAMPS) } }
}
