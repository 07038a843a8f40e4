import type { Membership, Operation } from './change.ts'

/** The users that some rules exempt, by exact name or by prefix, never by group (tars.md 1.5). */
export interface Identities {
  readonly controllers: readonly string[]
}

/** The service account of the controller, in the namespace of the installation. */
export const CONTROLLER = 'tars-controller'
const KUBE_PREFIX = 'system:serviceaccount:kube-system:'
const KUBE = ['system:kube-controller-manager', 'system:apiserver']
const NAMESPACE_CONTROLLER = `${KUBE_PREFIX}namespace-controller`

export function amongOf(username: string, operation: Operation, { controllers }: Identities): readonly Membership[] {
  if (controllers.includes(username)) return ['CTRL']
  if (!username.startsWith(KUBE_PREFIX) && !KUBE.includes(username)) return []
  return operation === 'DELETE' && username !== NAMESPACE_CONTROLLER ? ['DEPUTY'] : ['KUBE']
}
