import { configurationsOf } from '../admission/door.ts'
import type { Kind, Read, Write } from '../kind.ts'
import { CERT_SECRET, IDENTITY, LABELS, type Manifest } from './objects.ts'

interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** What the kinds look up and mark, and the certificates' few named objects; nothing else, no wildcard (SC-2). */
export function rbac(kinds: readonly Kind[], namespace: string): readonly Manifest[] {
  const clusterWide = [...kindRights(kinds), ...configurationRights(kinds)]
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named(IDENTITY, namespace) },
    role('ClusterRole', { name: IDENTITY, labels: LABELS }, clusterWide),
    binding('ClusterRoleBinding', { name: IDENTITY, labels: LABELS }, 'ClusterRole', namespace),
    role('Role', named(IDENTITY, namespace), [SECRET_RIGHT]),
    binding('RoleBinding', named(IDENTITY, namespace), 'Role', namespace),
  ]
}

const named = (name: string, namespace: string) => ({ name, namespace, labels: LABELS })

/** One right for each resource, with all that any kind asks of it, in an order that does not depend on the kinds'. */
function kindRights(kinds: readonly Kind[]): readonly PolicyRule[] {
  const uses = kinds.flatMap(({ reads, writes }): readonly (Read | Write)[] => [...reads, ...writes])
  const byName = Object.groupBy(uses, ({ resource: { group, plural } }) => `${group}/${plural}`)
  const inOrder = Object.entries(byName).sort(([one], [other]) => (one < other ? -1 : 1))
  return inOrder.flatMap(([, uses = []]) => rightTo(uses))
}

/** What is kept is listed and watched, and read live before a refusal rests on it (SV-7). */
function rightTo(uses: readonly (Read | Write)[]): readonly PolicyRule[] {
  const asked = uses.flatMap(verbsOf)
  const verbs = VERBS.filter((verb) => asked.includes(verb))
  return uses.slice(0, 1).map(({ resource }) => ({ apiGroups: [resource.group], resources: [resource.plural], verbs }))
}
const VERBS = ['get', 'list', 'watch', 'patch'] as const

function verbsOf(use: Read | Write): readonly string[] {
  if ('verbs' in use) return use.verbs
  return use.kept === undefined ? use.asks : ['get', 'list', 'watch']
}

const SECRET_RIGHT: PolicyRule = {
  apiGroups: [''],
  resources: ['secrets'],
  resourceNames: [CERT_SECRET],
  verbs: ['get', 'watch', 'update'],
}

function configurationRights(kinds: readonly Kind[]): readonly PolicyRule[] {
  const byPhase = Object.groupBy(configurationsOf(kinds), ({ phase }) => phase)
  return Object.entries(byPhase).map(([phase, of = []]) => ({
    apiGroups: ['admissionregistration.k8s.io'],
    resources: [phase === 'mutate' ? 'mutatingwebhookconfigurations' : 'validatingwebhookconfigurations'],
    resourceNames: of.map(({ name }) => name),
    verbs: ['get', 'watch', 'patch'],
  }))
}

function role(kind: 'Role' | 'ClusterRole', metadata: Manifest, rules: readonly PolicyRule[]): Manifest {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, rules }
}

function binding(kind: string, metadata: Manifest, roleKind: string, namespace: string): Manifest {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: IDENTITY },
    subjects: [{ kind: 'ServiceAccount', name: IDENTITY, namespace }],
  }
}
