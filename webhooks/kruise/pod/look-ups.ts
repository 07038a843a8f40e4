import { type ClusterReader, type Found, isUnanswered, type Resource, type Words } from '../../kit/schema.ts'
import { APPS_DAEMONSET, type DaemonSet, KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA } from '../daemonsets.ts'
import { NODE } from '../kubernetes.ts'
import type { PodOwner } from '../owner.ts'
import { Problem } from './refusal.ts'

/** The version that the owner reference names comes first: a manager may serve no other. */
export function resourcesOf({ apiVersion }: PodOwner): readonly [Resource<DaemonSet>, ...Resource<DaemonSet>[]] {
  if (apiVersion.startsWith('apps/')) return [APPS_DAEMONSET]
  const isOld = apiVersion.endsWith('/v1alpha1')
  return isOld ? [KRUISE_DAEMONSET_ALPHA, KRUISE_DAEMONSET] : [KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA]
}

/** PATCH-POD-10 */
export async function daemonSetOf(
  owner: PodOwner,
  namespace: string,
  cluster: ClusterReader,
): Promise<Found<DaemonSet> | undefined> {
  for (const of of resourcesOf(owner)) {
    const reading = cluster.get(of, { namespace, name: owner.name })
    const found = await reading.catch((cause) => hindered('owner_lookup', cause))
    if (found !== undefined) return found
  }
  return undefined
}

/** PATCH-POD-12 */
export async function labelsOf(node: string, cluster: ClusterReader): Promise<Words> {
  const reading = cluster.get(NODE, { namespace: '', name: node })
  const found = await reading.catch((cause) => hindered('node_lookup', cause, node))
  if (found === undefined) throw new Problem('node_not_found', 'does not exist', node)
  return found.metadata.labels ?? {}
}

function hindered(reason: Problem['reason'], cause: unknown, node?: string): never {
  throw isUnanswered(cause) ? new Problem(reason, cause.message, node) : cause
}
