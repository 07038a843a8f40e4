import { driftIn } from '../../../src/kube/drift.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import type { Entry } from '../list/entry.ts'
import { baseOf } from './marks.ts'
import type { RolloutPod } from './pod.ts'

/** An in-place update gives the pod the hash of the newer template, and its stamp keeps the older one. */
export function isInPlaceUpdated(pod: RolloutPod): boolean {
  return pod.stamp !== undefined && baseOf(pod) !== pod.revision
}

/**
 * PATCH-INPLACE-2: whether what the patches set is still there, of all that such an update writes: images and resources of
 * containers, labels, annotations.
 */
export function isOverwritten(pod: Tree, merged: Tree, entries: readonly Entry[]): boolean {
  const wanted = part(merged, 'spec')
  const containers = entries.flatMap(({ patch }) => itemsOf(part(patch, 'spec').containers))
  const isLost = (at: 'labels' | 'annotations') => entries.some(({ patch }) => isWordLost(at, patch, merged, pod))
  const desired = { spec: { containers: containers.flatMap((each) => touched(each, itemsOf(wanted.containers))) } }
  return (
    isLost('labels') ||
    isLost('annotations') ||
    driftIn({ apiVersion: 'v1', kind: 'Pod', ...desired }, pod) !== undefined
  )
}

function isWordLost(at: 'labels' | 'annotations', patch: Tree, merged: Tree, pod: Tree): boolean {
  const [words, wanted, there] = [patch, merged, pod].map((each) => part(part(each, 'metadata'), at))
  return Object.keys(words ?? {}).some((key) => !key.startsWith('$') && (wanted?.[key] ?? undefined) !== there?.[key])
}

/** The fields of a container that a patch sets, as they should be. */
function touched(patch: Tree, wanted: readonly Tree[]): readonly Tree[] {
  const { name, image, resources } = wanted.find((each) => each.name === patch.name) ?? {}
  const fields = {
    ...('image' in patch && image !== undefined && { image }),
    ...('resources' in patch && isTree(resources) && { resources }),
  }
  return Object.keys(fields).length === 0 ? [] : [{ name, ...fields }]
}

const part = (tree: Tree, key: string): Tree => {
  const value = Object.hasOwn(tree, key) ? tree[key] : undefined
  return isTree(value) ? value : {}
}
const itemsOf = (value: unknown): readonly Tree[] => (Array.isArray(value) ? value.filter(isTree) : [])
