import { isTree, type Tree } from '../../kit/schema.ts'
import type { Entry } from '../list/entry.ts'
import { CONTAINERS, specOf, treeIn, treesIn, valueIn } from '../list/touched.ts'

/** Kubelets may not set labels with this prefix on their Nodes. */
const RESTRICTED = 'node-restriction.kubernetes.io/'

/** What a patch gives its pods that a node should not choose for itself (PATCH-V-23h). */
export function grantsIn(patch: Tree): readonly string[] {
  const spec = specOf(patch)
  const host = ['hostNetwork', 'hostPID', 'hostIPC'].filter((key) => valueIn(spec, key) === true)
  const account = typeof spec.serviceAccountName === 'string' ? ['serviceAccountName'] : []
  const paths = treesIn(spec, 'volumes').some(({ hostPath }) => isTree(hostPath)) ? ['hostPath'] : []
  const containers = CONTAINERS.flatMap((list) => treesIn(spec, list))
  const contexts = containers.map((each) => treeIn(each, 'securityContext'))
  const privileged = contexts.some(({ privileged }) => privileged === true) ? ['privileged'] : []
  const capable = contexts.some((each) => Array.isArray(treeIn(each, 'capabilities').add)) ? ['capabilities'] : []
  return [...host, ...account, ...paths, ...privileged, ...capable]
}

/** A label of the selector that a kubelet may set. */
export function ownLabel({ selector: { matchLabels = {}, matchExpressions = [] } = {} }: Entry): string | undefined {
  const keys = [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]
  return keys.find((key) => !key.startsWith(RESTRICTED))
}
