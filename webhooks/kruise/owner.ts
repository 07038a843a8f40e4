import type { KubeObject, Tree } from '../kit/schema.ts'
import { specOf, treeIn, treesIn } from './list/touched.ts'
import { ANNOTATIONS, LABELS } from './names.ts'

/** The DaemonSet that a pod names as its controller. */
export interface PodOwner {
  readonly apiVersion: string
  readonly name: string
  readonly uid: string
}

/** The test of the match condition, for an API server that has none (PATCH-POD-2). */
export function ownerOf(pod: Tree): PodOwner | undefined {
  const found = treesIn(treeIn(pod, 'metadata'), 'ownerReferences').find(({ controller }) => controller === true)
  const { apiVersion, kind, name, uid } = found ?? {}
  if (kind !== 'DaemonSet' || typeof apiVersion !== 'string' || typeof name !== 'string') return undefined
  if (!/^apps(\.kruise\.io)?\//.test(apiVersion)) return undefined
  return { apiVersion, name, uid: String(uid) }
}

/** The Node that a pod is bound to, or that its controller made it for; the first requirement by name counts (1.3). */
export function targetNode(pod: Tree): string | undefined {
  const { nodeName } = specOf(pod)
  if (typeof nodeName === 'string' && nodeName !== '') return nodeName
  const fields = treesIn(requiredAffinity(pod), 'nodeSelectorTerms').flatMap((term) => treesIn(term, 'matchFields'))
  const named = fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')
  const values: unknown = named?.values
  const [value, ...others]: readonly unknown[] = Array.isArray(values) ? values : []
  return typeof value === 'string' && others.length === 0 ? value : undefined
}

export const REQUIRED_AFFINITY = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution']
function requiredAffinity(pod: Tree): Tree {
  return REQUIRED_AFFINITY.reduce(treeIn, specOf(pod))
}

/** A live read may know of a newer template than the cache (PATCH-POD-10). OpenKruise writes no such label. */
export function isNewerThan(daemonSet: KubeObject, pod: Tree): boolean {
  const made = treeIn(treeIn(pod, 'metadata'), 'labels')[LABELS.generation]
  const known = daemonSet.metadata.annotations?.[ANNOTATIONS.generation]
  return made !== undefined && Number(made) > Number(known ?? 0)
}
