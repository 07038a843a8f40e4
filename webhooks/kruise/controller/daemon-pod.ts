import type { Tree } from '../../kit/schema.ts'
import { treeIn, treesIn, valueIn } from '../list/touched.ts'

const EVERYWHERE = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
] as const
const ON_HOST_NETWORK = [['node.kubernetes.io/network-unavailable', 'NoSchedule']] as const

/** Those of the spec, then those that every daemon has (1.3). */
export function tolerationsIn(spec: Tree): readonly Tree[] {
  const own = treesIn(spec, 'tolerations')
  const taints = spec.hostNetwork === true ? [...EVERYWHERE, ...ON_HOST_NETWORK] : EVERYWHERE
  const added = taints.map(([key, effect]) => ({ key, operator: 'Exists', effect }))
  return [...own, ...added.filter((each) => !own.some((other) => isSameToleration(each, other)))]
}
const isSameToleration = (one: Tree, other: Tree) =>
  ['key', 'operator', 'effect', 'value'].every((field) => (one[field] ?? '') === (other[field] ?? ''))

/** Replaces the required node affinity of the template, by which the node was chosen. */
export function boundTo(node: string, spec: Tree): Tree {
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } }
  const affinity = treeIn(spec, 'affinity')
  const nodeAffinity = { ...treeIn(affinity, 'nodeAffinity'), ...required }
  return { ...spec, tolerations: tolerationsIn(spec), affinity: { ...affinity, nodeAffinity } }
}

/** The node that a pod runs on, or is made for; undefined where it names none or several. */
export function targetOf(spec: Tree): string | undefined {
  const { nodeName } = spec
  if (typeof nodeName === 'string' && nodeName !== '') return nodeName
  const required = treeIn(
    treeIn(treeIn(spec, 'affinity'), 'nodeAffinity'),
    'requiredDuringSchedulingIgnoredDuringExecution',
  )
  const fields = treesIn(required, 'nodeSelectorTerms').flatMap((term) => treesIn(term, 'matchFields'))
  const field = fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')
  const values = field && valueIn(field, 'values')
  const [value, ...more] = Array.isArray(values) ? values : []
  return typeof value === 'string' && more.length === 0 ? value : undefined
}
