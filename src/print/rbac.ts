import { configurationsOf } from '../admission/door.ts'
import { type Need, type Needs, needsOf, type Right } from '../cluster/needs.ts'
import type { Gvr } from '../cluster/port.ts'
import type { Kind } from '../kind.ts'
import { CERT_SECRET, IDENTITY, LABELS, type Manifest } from './objects.ts'

interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** Grants what the kinds look up and mark, and the named objects of the certificates; no wildcard (SC-2). */
export function rbac(kinds: readonly Kind[], namespace: string): readonly Manifest[] {
  const clusterWide = [...rightsTo(needsOf({ kinds }, 'webhook')), ...configurationRights(kinds)]
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named(IDENTITY, namespace) },
    role('ClusterRole', { name: IDENTITY, labels: LABELS }, clusterWide),
    binding('ClusterRoleBinding', { name: IDENTITY, labels: LABELS }, 'ClusterRole', namespace),
    role('Role', named(IDENTITY, namespace), [SECRET_RIGHT]),
    binding('RoleBinding', named(IDENTITY, namespace), 'Role', namespace),
  ]
}

const named = (name: string, namespace: string) => ({ name, namespace, labels: LABELS })

interface Use {
  readonly of: Gvr
  readonly resource: string
  readonly verbs: readonly string[]
}

/** One rule for each resource with all its verbs, sorted independently of the order of the needs. */
export function rightsTo({ reads, writes }: Needs): readonly PolicyRule[] {
  const uses = [...reads.map(readBy), ...writes.flatMap(writtenBy)]
  const byName = Object.groupBy(uses, ({ of, resource }) => `${of.group}/${resource}`)
  const inOrder = Object.entries(byName).sort(([one], [other]) => (one < other ? -1 : 1))
  return inOrder.flatMap(([, uses = []]) => rightTo(uses))
}

function rightTo(uses: readonly Use[]): readonly PolicyRule[] {
  const granted = uses.flatMap(({ verbs }) => verbs)
  const verbs = VERBS.filter((verb) => granted.includes(verb))
  return uses.slice(0, 1).map(({ of, resource }) => ({ apiGroups: [of.group], resources: [resource], verbs }))
}
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const

/** A cached resource is listed and watched, and read live before a refusal relies on it (SV-7). */
function readBy({ resource: of, keeps, asks = [] }: Need): Use {
  return { of, resource: of.plural, verbs: [...(keeps === undefined ? [] : ['get', 'list', 'watch']), ...asks] }
}

function writtenBy({ resource: of, subresource, verbs }: Right): readonly Use[] {
  return verbs.map((verb) => {
    const part = verb === 'own' ? 'finalizers' : subresource
    return { of, resource: [of.plural, part].filter(Boolean).join('/'), verbs: TAKES[verb] }
  })
}
/** An apply creates a missing object, and reads the object that it compares with. */
const TAKES: Readonly<Record<Right['verbs'][number], readonly string[]>> = {
  apply: ['get', 'create', 'patch'],
  create: ['create'],
  merge: ['patch'],
  patch: ['patch'],
  remove: ['delete'],
  replace: ['update'],
  own: ['update'],
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
