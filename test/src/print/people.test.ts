import { describe, expect, it } from 'vitest'
import type { Writers } from '../../../src/kind.ts'
import { people } from '../../../src/print/people.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aKind } from '../../support/builders/gadgets.ts'
import { at } from '../../support/builders/trees.ts'

const READING = ['get', 'list', 'watch']
const WRITING = ['create', 'update', 'patch', 'delete', 'deletecollection']
const definition = { description: 'A gadget.', shortNames: [], columns: [] }
const kindOf = (writers: Writers, plural = 'gadgets') =>
  aKind({ resource: { ...GADGET, plural }, definition: { ...definition, writers } })

/** The rights of each role, by its name. */
function rights(...kinds: Parameters<typeof people>[0]): Readonly<Record<string, unknown>> {
  const roles = people(kinds, { aggregateRoles: true })
  return Object.fromEntries(roles.map((role) => [String(at(role, 'metadata.name')), role.rules]))
}

describe('what people may do with a kind', () => {
  const to = (verbs: readonly string[], ...resources: readonly string[]) => ({
    apiGroups: ['test.tars.io'],
    resources,
    verbs,
  })
  const [read, write] = [to(READING, 'gadgets'), to(WRITING, 'gadgets')]
  it.each([
    { writers: 'authors', view: [read], edit: [read, write], admin: [read, write] },
    { writers: 'controllers', view: [read], edit: [read], admin: [read] },
    { writers: 'operators', view: [read], edit: [read], admin: [read, write] },
    { writers: 'admins', view: [], edit: [], admin: [read, write] },
  ] as const)('that $writers write', ({ writers, view, edit, admin }) => {
    expect(rights(kindOf(writers))).toEqual({ 'tars-view': view, 'tars-edit': edit, 'tars-admin': admin })
  })
  it('with a scale and a status is to scale it too, and to read its status', () => {
    const scale = { replicas: '.a', statusReplicas: '.b', selector: '.c' }
    const scaled = aKind({ definition: { ...definition, writers: 'authors', subresources: { status: true, scale } } })
    expect(rights(scaled)).toMatchObject({
      'tars-edit': [to(READING, 'gadgets', 'gadgets/scale', 'gadgets/status'), to(WRITING, 'gadgets', 'gadgets/scale')],
    })
  })
  it('that belongs to others is theirs to say', () => {
    expect(rights(aKind())).toEqual({ 'tars-view': [], 'tars-edit': [], 'tars-admin': [] })
  })
  it('does not depend on the order of the kinds', () => {
    const [one, other] = [kindOf('authors', 'a'), kindOf('authors', 'b')]
    expect(rights(one, other)).toEqual(rights(other, one))
  })
})

describe('the roles of the cluster', () => {
  const labelsOf = (aggregateRoles: boolean) =>
    people([], { aggregateRoles }).map((role) => Object.keys(Object(at({ ...role }, 'metadata.labels'))))
  const into = (...roles: readonly string[]) => roles.map((role) => `rbac.authorization.k8s.io/aggregate-to-${role}`)
  it('gain ours', () => {
    expect(labelsOf(true).map((labels) => labels.slice(1))).toEqual([
      into('view', 'edit', 'admin'),
      into('edit', 'admin'),
      into('admin'),
    ])
  })
  it('stay as they are where they are not to', () => {
    expect(new Set(labelsOf(false).flat())).toEqual(new Set(['app.kubernetes.io/name']))
  })
})
