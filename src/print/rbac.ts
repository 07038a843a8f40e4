import { configurationsOf } from '../admission/door.ts'
import { CONTROLLER } from '../admission/identities.ts'
import { type Asked, type InNamespace, type Need, type Needs, needsOf, type Right } from '../cluster/needs.ts'
import type { Gvr } from '../cluster/port.ts'
import { placesOf } from '../cluster/scope.ts'
import { HOME } from '../config.ts'
import { auditNeeds, type Kind } from '../kind.ts'
import type { Controller } from '../reconcile/controller.ts'
import { UPSTREAM_LEASES } from '../reconcile/upstream.ts'
import { CERT_SECRET, type ComponentLabels, IDENTITY, LABELS, type Manifest, WORKER_LABELS } from './objects.ts'

interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

export interface Accounts {
  readonly kinds: readonly Kind[]
  readonly controllers: readonly Controller[]
  readonly namespace: string
  /** Where the worker works; everywhere if none is named. */
  readonly namespaces?: readonly string[]
  /** What both processes find out. */
  readonly facts?: readonly Need[]
}

/** Grants each process what its own parts state, and the named objects of the machine itself; no wildcard (SC-2). */
export function rbac(accounts: Accounts): readonly Manifest[] {
  const { kinds, namespace, facts = [] } = accounts
  const webhook = { name: IDENTITY, labels: LABELS, namespace }
  const needs = needsOf({ kinds, facts }, 'webhook')
  const reviewed = [...rightsTo(anywhere(needs)), ...configurationRights(kinds)]
  const roles = rolesOf(needs, { home: namespace, ofHome: [SECRET_RIGHT] })
  return [...accountWith(webhook, reviewed, roles), ...workerAccount(accounts)]
}

interface Placed {
  readonly within?: InNamespace
}
const anywhere = ({ reads, writes }: Needs): Needs => ({
  reads: reads.filter(isAnywhere),
  writes: writes.filter(isAnywhere),
})
const isAnywhere = ({ within }: Placed) => within === undefined

interface RolesAround {
  readonly home: string
  readonly ofHome: Rules
  /** What the roles of each of these namespaces have beside what is needed there alone. */
  readonly namespaces?: ReadonlyMap<string, Rules>
}
/** What is needed in one namespace alone is a right of its Role. */
function rolesOf({ reads, writes }: Needs, { home, ofHome, namespaces = new Map() }: RolesAround) {
  const placeOf = ({ within }: Placed) => (within === 'home' ? home : within?.namespace)
  const placed = [...reads, ...writes].map(placeOf).filter((place) => place !== undefined)
  const rulesIn = (place: string): Rules => {
    const isThere = (each: Placed) => placeOf(each) === place
    const own = rightsTo({ reads: reads.filter(isThere), writes: writes.filter(isThere) })
    return [...(place === home ? ofHome : []), ...own, ...(namespaces.get(place) ?? [])]
  }
  return new Map([...namespaces.keys(), home, ...placed].map((place) => [place, rulesIn(place)]))
}

/** With --namespaces its rights are Roles there; what has no namespace belongs to the worker of our own (WR-7). */
function workerAccount({ kinds, controllers, namespace, namespaces = [], facts = [] }: Accounts): readonly Manifest[] {
  const worker = { name: CONTROLLER, labels: WORKER_LABELS, namespace }
  const all = needsOf({ controllers: [...controllers, auditNeeds(kinds)], facts }, 'worker')
  const needs = anywhere(all)
  const scope = { namespaces, home: namespace }
  const inPlace = (place: string) => {
    const reconciled = rightsTo(onlyIn(needs, (of) => placesOf(of, scope).includes(place)))
    return reconciled.length === 0 ? [] : [...reconciled, EVENT_RIGHT]
  }
  const reconciled = new Map(namespaces.map((each) => [each, inPlace(each)]))
  const roles = rolesOf(all, { home: namespace, ofHome: [LEASE_RIGHT], namespaces: reconciled })
  return accountWith(worker, [...inPlace(''), ...upstreamRights(namespace)], roles)
}

function onlyIn({ reads, writes }: Needs, isThere: (of: Gvr) => boolean): Needs {
  const are = ({ resource }: { readonly resource: Gvr }) => isThere(resource)
  return { reads: reads.filter(are), writes: writes.filter(are) }
}

interface Account {
  readonly name: string
  readonly labels: ComponentLabels
  readonly namespace: string
}
type Rules = readonly PolicyRule[]

/** The roles of an account bear its name: one for the cluster, unless it is empty, and one for each namespace. */
function accountWith(
  account: Account,
  everywhere: Rules,
  inNamespaces: ReadonlyMap<string, Rules>,
): readonly Manifest[] {
  const { name, labels, namespace } = account
  const roles = [...inNamespaces].flatMap(([there, rules]) => {
    const metadata = { name, namespace: there, labels }
    return [role('Role', metadata, rules), binding('Role', metadata, account)]
  })
  const ofCluster = [
    role('ClusterRole', { name, labels }, everywhere),
    binding('ClusterRole', { name, labels }, account),
  ]
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } },
    ...(everywhere.length === 0 ? [] : ofCluster),
    ...roles,
  ]
}

interface Use {
  readonly of: Gvr
  readonly resource: string
  readonly verbs: readonly string[]
  readonly names?: readonly string[] | undefined
}

/** One rule for each resource with all its verbs, sorted independently of the order of the needs. */
export function rightsTo({ reads, writes }: Needs): readonly PolicyRule[] {
  const uses = [...reads.map(readBy), ...writes.flatMap(writtenBy)]
  const byName = Object.groupBy(uses, ({ of, resource, names = [] }) => [of.group, resource, ...names].join('/'))
  const inOrder = Object.entries(byName).sort(([one], [other]) => (one < other ? -1 : 1))
  return inOrder.flatMap(([, uses = []]) => rightTo(uses))
}

function rightTo(uses: readonly Use[]): readonly PolicyRule[] {
  const granted = uses.flatMap(({ verbs }) => verbs)
  const verbs = VERBS.filter((verb) => granted.includes(verb))
  return uses.slice(0, 1).map(({ of, resource, names }) => {
    return { apiGroups: [of.group], resources: [resource], ...(names && { resourceNames: names }), verbs }
  })
}
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const

/** A cached resource is listed and watched, and read live before a refusal relies on it (SV-7). */
function readBy({ resource: of, keeps, asks = [], names }: Need): Use {
  const asked = asks.flatMap((each) => ASKS[each])
  return { of, names, resource: of.plural, verbs: [...(keeps === undefined ? [] : ['get', 'list', 'watch']), ...asked] }
}
/** A dry run takes the rights of the write that it stands for. */
const ASKS: Readonly<Record<Asked, readonly string[]>> = {
  get: ['get'],
  list: ['list'],
  watch: ['watch'],
  'dry-run create': ['create'],
  'dry-run apply': ['create', 'patch'],
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

/** The Lease of the leader; its name depends on --namespaces. */
const LEASE_RIGHT: PolicyRule = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['get', 'create', 'update'],
}
/** Those of a deployed TarsK8S are in the usual namespace: another one needs the right to read them there (WK-1). */
function upstreamRights(namespace: string): readonly PolicyRule[] {
  const { apiGroups, resources } = LEASE_RIGHT
  if (namespace === HOME) return []
  return [{ apiGroups, resources, resourceNames: UPSTREAM_LEASES.map(({ name }) => name), verbs: ['get'] }]
}
const EVENT_RIGHT: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['create'] }

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

function binding(of: 'Role' | 'ClusterRole', metadata: Manifest, { name, namespace }: Account): Manifest {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: `${of}Binding`,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: of, name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  }
}
