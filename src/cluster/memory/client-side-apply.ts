import { LAST_APPLIED } from '../../kube/metadata.ts'
import { isTree, type Tree } from '../../schema.ts'
import { mergePatchFor } from './merge-patch.ts'

// The patch that `kubectl apply` computes from a file and the stored object (jsonmergepatch of apimachinery).

/** Adds the text of the file as the annotation. */
export function annotated(file: Tree): Tree {
  const { annotations, ...metadata } = treeOf(file.metadata)
  const { [LAST_APPLIED]: _, ...others } = treeOf(annotations)
  const text = JSON.stringify(sorted({ ...file, metadata: { ...metadata, annotations: others } }))
  return { ...file, metadata: { ...metadata, annotations: { ...others, [LAST_APPLIED]: `${text}\n` } } }
}

/** Empty for an object that was never applied, so that nothing counts as removed. */
export function lastApplied(object: Tree): Tree {
  const { [LAST_APPLIED]: text } = treeOf(treeOf(object.metadata).annotations)
  return treeOf(typeof text === 'string' ? JSON.parse(text) : undefined)
}

/** Contains what differs between file and stored object, and removes what the last applied file had in addition. */
export function threeWayPatch(last: Tree, file: Tree, stored: Tree): Tree {
  return over(removalsIn(mergePatchFor(last, file)), settingsIn(mergePatchFor(stored, file)))
}

function removalsIn(patch: Tree): Tree {
  return picked(patch, (value) => value === null)
}
/** An empty object is a value of its own. */
function settingsIn(patch: Tree): Tree {
  return picked(patch, (value) => value !== null && (!isTree(value) || isEmpty(value)))
}

function picked(patch: Tree, wanted: (value: unknown) => boolean): Tree {
  const entries = Object.entries(patch).flatMap(([key, value]) => {
    if (wanted(value)) return [[key, value] as const]
    const inner = isTree(value) ? picked(value, wanted) : {}
    return isEmpty(inner) ? [] : [[key, inner] as const]
  })
  return Object.fromEntries(entries)
}

function over(below: Tree, above: Tree): Tree {
  const both = Object.entries(above).map(([key, value]) => {
    const under = below[key]
    return [key, isTree(under) && isTree(value) ? over(under, value) : value] as const
  })
  return { ...below, ...Object.fromEntries(both) }
}

/** Sorts keys as Go prints them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isTree(value)) return value
  const entries = Object.entries(value).map(([key, child]) => [key, sorted(child)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
const isEmpty = (value: Tree) => Object.keys(value).length === 0
