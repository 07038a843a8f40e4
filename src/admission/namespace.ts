import type { ClusterReader } from '../cluster/port.ts'
import { resource } from '../cluster/resource.ts'
import { isTerminating } from '../kube/metadata.ts'
import { object } from '../schema.ts'

const names = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' } as const
export const NAMESPACE = resource(names, object({}))

/** Whether the namespace of a review is terminating, looked up at most once a review and only if needed. */
export type IsTerminating = () => Promise<boolean>

export function isTerminatingIn(live: ClusterReader, name: string): IsTerminating {
  let answer: Promise<boolean> | undefined
  const ask = async () => {
    const namespace = await live.get(NAMESPACE, { namespace: '', name })
    return namespace !== undefined && isTerminating(namespace)
  }
  return () => {
    answer ??= ask()
    return answer
  }
}
