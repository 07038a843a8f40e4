import type { Kind, Writers } from '../kind.ts'
import { type Manifest, PRODUCT } from './objects.ts'

export interface ForPeople {
  readonly aggregateRoles: boolean
}

interface Role {
  readonly name: string
  readonly reads: readonly Writers[]
  readonly writes: readonly Writers[]
  /** The default roles of Kubernetes that aggregate this one. */
  readonly into: readonly string[]
}

/** Each role is complete, so that it can also be bound by itself. */
const ROLES: readonly Role[] = [
  { name: 'tars-view', reads: ['authors', 'controllers', 'operators'], writes: [], into: ['view', 'edit', 'admin'] },
  { name: 'tars-edit', reads: ['authors', 'controllers', 'operators'], writes: ['authors'], into: ['edit', 'admin'] },
  {
    name: 'tars-admin',
    reads: ['authors', 'controllers', 'operators', 'admins'],
    writes: ['authors', 'operators', 'admins'],
    into: ['admin'],
  },
]

/** The rights of people on the kinds, as each kind declares them. */
export function people(kinds: readonly Kind[], wanted: ForPeople): readonly Manifest[] {
  return ROLES.map((role) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: role.name, labels: { 'app.kubernetes.io/name': PRODUCT, ...aggregation(role, wanted) } },
    rules: [
      ...rightsTo(resourcesOf(kinds, role.reads, ['status', 'scale']), READING),
      ...rightsTo(resourcesOf(kinds, role.writes, ['scale']), WRITING), // only the controller writes a status
    ],
  }))
}
const READING = ['get', 'list', 'watch']
const WRITING = ['create', 'update', 'patch', 'delete', 'deletecollection']

function aggregation({ into }: Role, { aggregateRoles }: ForPeople): Manifest {
  if (!aggregateRoles) return {}
  return Object.fromEntries(into.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']))
}

interface GroupPath {
  readonly group: string
  readonly path: string
}

function resourcesOf(
  kinds: readonly Kind[],
  by: readonly Writers[],
  subresources: readonly ('status' | 'scale')[],
): readonly GroupPath[] {
  return kinds.flatMap(({ resource: { group, plural }, definition }) => {
    if (definition === undefined || !by.includes(definition.writers)) return []
    const below = subresources.filter((each) => definition.subresources?.[each] !== undefined)
    return [plural, ...below.map((each) => `${plural}/${each}`)].map((path) => ({ group, path }))
  })
}

/** One rule for each API group, sorted independently of the order of the kinds. */
function rightsTo(resources: readonly GroupPath[], verbs: readonly string[]): readonly Manifest[] {
  const byGroup = Object.entries(Object.groupBy(resources, ({ group }) => group)).sort()
  return byGroup.map(([group, found = []]) => ({
    apiGroups: [group],
    resources: found.map(({ path }) => path).sort(),
    verbs,
  }))
}
