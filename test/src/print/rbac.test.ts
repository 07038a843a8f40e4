import { describe, expect, it } from 'vitest'
import type { Need, Right } from '../../../src/cluster/needs.ts'
import { rbac, rightsTo } from '../../../src/print/rbac.ts'
import type { Controller } from '../../../src/reconcile/controller.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aKind } from '../../support/builders/gadgets.ts'
import { at, treesOf } from '../../support/builders/trees.ts'
import { controllers } from '../../support/controllers.ts'
import { kinds } from '../../support/kinds.ts'

const BOLT = { ...GADGET, kind: 'Bolt', plural: 'bolts' }

/** The rights of one role, as they are printed for kinds that read this. */
function rightsOf(role: 'Role' | 'ClusterRole', reads: readonly (readonly Need[])[] = []): readonly Tree[] {
  const printed = rbac({ kinds: reads.map((each) => aKind({ reads: each })), controllers: [], namespace: 'ns' })
  return treesOf(printed.find(({ kind }) => kind === role)?.rules)
}
const toRead = (...reads: readonly (readonly Need[])[]) =>
  rightsOf('ClusterRole', reads).filter(({ resourceNames }) => resourceNames === undefined)

describe('the rights are what the kinds look up', () => {
  const gadgets = (...verbs: readonly string[]) => ({ apiGroups: ['test.tars.io'], resources: ['gadgets'], verbs })
  it.each([
    { name: 'nothing looked up, no right', reads: [[]], rights: [] },
    {
      name: 'what is kept is read, listed and watched',
      reads: [[{ resource: GADGET, keeps: {} }]],
      rights: [gadgets('get', 'list', 'watch')],
    },
    {
      name: 'what is asked live is no more than asked',
      reads: [[{ resource: GADGET, asks: ['list'] }]],
      rights: [gadgets('list')],
    },
    {
      name: 'what is dry-run takes the right to write it',
      reads: [[{ resource: GADGET, asks: ['dry-run create'] }]],
      rights: [gadgets('create')],
    },
    {
      name: 'a dry-run apply takes another one',
      reads: [[{ resource: GADGET, asks: ['dry-run apply', 'get'] }]],
      rights: [gadgets('get', 'create', 'patch')],
    },
    {
      name: 'two kinds that ask different things of one resource have one right to both',
      reads: [[{ resource: GADGET, asks: ['list'] }], [{ resource: GADGET, asks: ['get'] }]],
      rights: [gadgets('get', 'list')],
    },
    {
      name: 'kept by one kind and asked by another is one right',
      reads: [[{ resource: GADGET, asks: ['get'] }], [{ resource: GADGET, keeps: {} }]],
      rights: [gadgets('get', 'list', 'watch')],
    },
  ] satisfies { name: string; reads: Need[][]; rights: unknown[] }[])('$name', ({ reads, rights }) => {
    expect(toRead(...reads)).toEqual(rights)
  })
  it.each([
    { name: 'what is marked is patched', reads: [], rights: [gadgets('patch')] },
    {
      name: 'what is kept and marked is one right',
      reads: [{ resource: GADGET, keeps: {} }],
      rights: [gadgets('get', 'list', 'watch', 'patch')],
    },
  ] satisfies { name: string; reads: Need[]; rights: unknown[] }[])('$name', ({ reads, rights }) => {
    const marking = aKind({ reads, writes: [{ resource: GADGET, verbs: ['merge'] }] })
    const role = rbac({ kinds: [marking], controllers: [], namespace: 'ns' }).find(({ kind }) => kind === 'ClusterRole')
    expect(treesOf(role?.rules).filter(({ resourceNames }) => resourceNames === undefined)).toEqual(rights)
  })
  it.each([
    { verbs: ['apply'], right: ['get', 'create', 'patch'] },
    { verbs: ['create', 'remove'], right: ['create', 'delete'] },
    { verbs: ['merge', 'patch'], right: ['patch'] },
    { verbs: ['replace'], right: ['update'] },
  ] as const)('what is written by $verbs takes $right', ({ verbs, right }) => {
    expect(rightsTo({ reads: [], writes: [{ resource: GADGET, verbs }] })).toEqual([gadgets(...right)])
  })
  it('a subresource has a right of its own, and so has an owner', () => {
    const writes: readonly Right[] = [
      { resource: GADGET, verbs: ['own'] },
      { resource: GADGET, subresource: 'status', verbs: ['merge'] },
    ]
    const rights = rightsTo({ reads: [], writes }).map(({ resources, verbs }) => ({ resources, verbs }))
    expect(rights).toEqual([
      { resources: ['gadgets/finalizers'], verbs: ['update'] },
      { resources: ['gadgets/status'], verbs: ['patch'] },
    ])
  })
  it('the order of the kinds makes no difference', () => {
    const [one, other]: [Need[], Need[]] = [[{ resource: GADGET, asks: ['list'] }], [{ resource: BOLT, asks: ['get'] }]]
    expect(toRead(one, other)).toEqual(toRead(other, one))
  })
})

describe('the certificates add the few objects that are theirs, by name', () => {
  it('the Secret in our namespace: neither list nor create', () => {
    const verbs = ['get', 'watch', 'update']
    const right = { apiGroups: [''], resources: ['secrets'], resourceNames: ['tars-webhook-certs'], verbs }
    expect(rightsOf('Role')).toEqual([right])
  })
  it.each([
    { resource: 'mutatingwebhookconfigurations', name: 'tars-admission-mutating' },
    { resource: 'validatingwebhookconfigurations', name: 'tars-admission-validating' },
  ])('the $resource that is ours', ({ resource, name }) => {
    expect(rightsOf('ClusterRole', [[]])).toContainEqual({
      apiGroups: ['admissionregistration.k8s.io'],
      resources: [resource],
      resourceNames: [name],
      verbs: ['get', 'watch', 'patch'],
    })
  })
})

describe('the worker has a service account of its own (SC-2)', () => {
  const gadgets = { resource: GADGET, keeps: {}, wakes: () => [] }
  const controller: Controller = {
    name: 'gadget',
    of: GADGET,
    watches: [gadgets],
    reads: [],
    writes: [{ resource: GADGET, verbs: ['apply'] }],
    refersTo: () => [],
    turn: async () => undefined,
  }
  const printed = rbac({ kinds: [], controllers: [controller], namespace: 'tars-system' })
  const rulesOf = (kind: string, name: string) =>
    treesOf(printed.find((each) => each.kind === kind && at(each, 'metadata.name') === name)?.rules)

  it('which may do what its controllers state, and write events', () => {
    expect(rulesOf('ClusterRole', 'tars-controller')).toEqual([
      { apiGroups: ['test.tars.io'], resources: ['gadgets'], verbs: ['get', 'list', 'watch', 'create', 'patch'] },
      { apiGroups: [''], resources: ['events'], verbs: ['create'] },
    ])
    expect(rulesOf('ClusterRole', 'tars-webhook')).toEqual([])
  })
  it('and keep its Lease in our namespace, and nowhere else', () => {
    const verbs = ['get', 'create', 'update']
    expect(rulesOf('Role', 'tars-controller')).toEqual([
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs },
    ])
    expect(JSON.stringify(rulesOf('ClusterRole', 'tars-controller'))).not.toContain('leases')
  })
  it('and from another namespace read the Leases of a deployed TarsK8S (WK-1)', () => {
    const elsewhere = rbac({ kinds: [], controllers: [], namespace: 'ns' })
    expect(elsewhere.flatMap(({ rules }) => treesOf(rules))).toContainEqual({
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      resourceNames: ['tars-controller-manger', 'tarscontroller'],
      verbs: ['get'],
    })
  })
})

describe('WR-7 a worker of some namespaces', () => {
  const gadget = { resource: GADGET, keeps: {}, wakes: () => [] }
  const node = { ...gadget, resource: { ...GADGET, plural: 'nodes', scope: 'Cluster' as const } }
  const controller: Controller = {
    ...{ name: 'gadget', of: GADGET, watches: [gadget, node], reads: [] },
    writes: [{ resource: GADGET, verbs: ['patch'] }],
    refersTo: () => [],
    turn: async () => undefined,
  }
  /** `gadgets events` in the role of each place, which is bound to the account of the worker. */
  function grantedIn(namespaces: readonly string[]): Readonly<Record<string, string>> {
    const printed = rbac({ kinds: [], controllers: [controller], namespace: 'tars-system', namespaces })
    const ours = printed.filter((each) => at(each, 'metadata.name') === 'tars-controller' && 'rules' in each)
    for (const { kind, metadata } of ours)
      expect(printed).toContainEqual(
        expect.objectContaining({
          kind: `${kind}Binding`,
          metadata,
          subjects: [{ kind: 'ServiceAccount', name: 'tars-controller', namespace: 'tars-system' }],
        }),
      )
    const resources = (rules: unknown) =>
      treesOf(rules)
        .map((rule) => rule.resources)
        .join(' ')
    return Object.fromEntries(ours.map((each) => [at(each, 'metadata.namespace') ?? '', resources(each.rules)]))
  }

  it.each([
    { name: 'everywhere', namespaces: [], granted: { '': 'gadgets nodes events', 'tars-system': 'leases' } },
    {
      name: 'in two, without a ClusterRole',
      namespaces: ['a', 'b', 'a'],
      granted: { 'tars-system': 'leases', a: 'gadgets events', b: 'gadgets events' },
    },
    {
      name: 'in our own, and so on what has no namespace too',
      namespaces: ['a', 'tars-system'],
      granted: { '': 'nodes events', 'tars-system': 'leases gadgets events', a: 'gadgets events' },
    },
  ])('has its rights $name', ({ namespaces, granted }) => {
    expect(grantedIn(namespaces)).toEqual(granted)
  })
})

describe('least privilege, for all the kinds that there are', () => {
  const printed = rbac({ kinds, controllers, namespace: 'ns' })
  const rights = printed.flatMap(({ rules }) => treesOf(rules))
  it('has no wildcard', () => {
    expect(rights.flatMap(({ apiGroups, resources, verbs }) => [apiGroups, resources, verbs].flat())).not.toContain('*')
  })
  it('lets the webhook write nothing but what is named, the marks on TConfigs, Events and dry runs', () => {
    const READING = ['get', 'list', 'watch']
    const ofWebhook = printed.filter((each) => at(each, 'metadata.name') === 'tars-webhook')
    const writing = ofWebhook
      .flatMap(({ rules }) => treesOf(rules))
      .filter(({ verbs }) => [verbs].flat().some((verb) => !READING.includes(String(verb))))
    expect(writing.filter(({ resourceNames }) => resourceNames === undefined)).toEqual([
      { apiGroups: [''], resources: ['events'], verbs: ['create'] },
      { apiGroups: [''], resources: ['podtemplates'], verbs: ['create'] },
      { apiGroups: ['k8s.tars.io'], resources: ['tconfigs'], verbs: ['get', 'list', 'watch', 'patch'] },
    ])
  })
  it.each(['tars-webhook', 'tars-controller'])('belongs to service account %s, in its namespace', (name) => {
    const own = printed.filter((each) => at(each, 'metadata.name') === name)
    const subjects = own.flatMap((each) => treesOf(each.subjects))
    expect(subjects.length).toBeGreaterThan(1)
    expect(new Set(subjects.map(({ kind, name: of, namespace }) => `${kind} ${namespace}/${of}`))).toEqual(
      new Set([`ServiceAccount ns/${name}`]),
    )
    expect(own).toContainEqual(
      expect.objectContaining({ kind: 'ServiceAccount', metadata: expect.objectContaining({ namespace: 'ns' }) }),
    )
  })
  it('binds each role to it', () => {
    const refs = printed.flatMap(({ roleRef }) => (isTree(roleRef) ? [`${roleRef.kind} ${roleRef.name}`] : []))
    const roles = printed.filter(({ rules }) => rules !== undefined)
    expect(refs).toEqual(roles.map(({ kind, metadata }) => `${kind} ${isTree(metadata) && metadata.name}`))
  })
})

describe('what both processes find out', () => {
  const facts: readonly Need[] = [
    { resource: GADGET, asks: ['dry-run create'], within: 'home' },
    { resource: BOLT, names: ['b'], asks: ['get', 'watch'] },
    { resource: BOLT, names: ['c'], asks: ['get'] },
  ]
  const printed = rbac({ kinds: [], controllers: [], namespace: 'tars-system', facts })
  it.each(['tars-webhook', 'tars-controller'])('%s has rights to it by name, and at home', (account) => {
    const rulesOf = (role: string) =>
      treesOf(printed.find((each) => each.kind === role && at(each, 'metadata.name') === account)?.rules)
    const bolts = (resourceNames: readonly string[], verbs: readonly string[]) => ({
      apiGroups: ['test.tars.io'],
      resources: ['bolts'],
      resourceNames,
      verbs,
    })
    expect(rulesOf('ClusterRole')).toEqual(
      expect.arrayContaining([bolts(['b'], ['get', 'watch']), bolts(['c'], ['get'])]),
    )
    expect(rulesOf('ClusterRole')).not.toContainEqual(expect.objectContaining({ resources: ['gadgets'] }))
    expect(rulesOf('Role')).toContainEqual({ apiGroups: ['test.tars.io'], resources: ['gadgets'], verbs: ['create'] })
  })
})
