import type { Exempt } from './change.ts'

/** Who is exempt from some rules, by exact name or by prefix, never by group (tars.md 1.5). */
export interface Identities {
  readonly controllers: readonly string[]
}

const KUBE_PREFIX = 'system:serviceaccount:kube-system:'
const KUBE = ['system:kube-controller-manager', 'system:apiserver']

export function amongOf(username: string, { controllers }: Identities): readonly Exempt[] {
  if (controllers.includes(username)) return ['CTRL']
  return username.startsWith(KUBE_PREFIX) || KUBE.includes(username) ? ['KUBE'] : []
}
