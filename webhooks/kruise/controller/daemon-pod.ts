import type { Tree } from '../../kit/schema.ts'
import { treeIn, treesIn } from '../list/touched.ts'
import { tolerant } from '../tolerations.ts'

/** Those of the spec, then those that every daemon has (1.3). */
export const tolerationsIn = (spec: Tree): readonly Tree[] => treesIn(tolerant(spec), 'tolerations')

/** Replaces the required node affinity of the template, by which the node was chosen. */
export function boundTo(node: string, spec: Tree): Tree {
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } }
  const affinity = treeIn(spec, 'affinity')
  const nodeAffinity = { ...treeIn(affinity, 'nodeAffinity'), ...required }
  return { ...tolerant(spec), affinity: { ...affinity, nodeAffinity } }
}
