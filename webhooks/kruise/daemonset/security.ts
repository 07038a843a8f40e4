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
  const having = (word: string, isSo: boolean) => (isSo ? [word] : [])
  const anywhere = (isSo: (context: Tree) => boolean) => contexts.some(isSo)
  return [
    ...host,
    ...account,
    ...paths,
    ...having(
      'hostPort',
      containers.some((each) => treesIn(each, 'ports').some(({ hostPort }) => isSet(hostPort))),
    ),
    ...having(
      'privileged',
      anywhere(({ privileged }) => privileged === true),
    ),
    ...having(
      'allowPrivilegeEscalation',
      anywhere(({ allowPrivilegeEscalation: may }) => may === true),
    ),
    ...having(
      'runAsUser: 0',
      [treeIn(spec, 'securityContext'), ...contexts].some(({ runAsUser }) => runAsUser === 0),
    ),
    ...having(
      'procMount: Unmasked',
      anywhere(({ procMount }) => procMount === 'Unmasked'),
    ),
    ...having(
      'capabilities',
      anywhere((each) => Array.isArray(treeIn(each, 'capabilities').add)),
    ),
  ]
}
const isSet = (port: unknown) => typeof port === 'number' && port > 0

/** A label of the selector that a kubelet may set. */
export function ownLabel({ selector: { matchLabels = {}, matchExpressions = [] } = {} }: Entry): string | undefined {
  const keys = [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]
  return keys.find((key) => !key.startsWith(RESTRICTED))
}
