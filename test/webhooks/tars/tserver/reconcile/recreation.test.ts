import { describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../../../../src/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../../../../../webhooks/tars/workloads.ts'
import { aMount, SOURCES } from '../../../../support/builders/servers.ts'
import { inShort, planned, seen, standing, TERMINATING, writesOf } from '../../../../support/servers-seen.ts'

const LOCAL = aMount({ of: 'tLocalVolume' })
const CACHE = aMount({ of: 'persistentVolumeClaimTemplate', name: 'cache', mountPath: '/cache' })
const { spec: REQUEST } = SOURCES.persistentVolumeClaimTemplate
const cacheWith = (spec: Tree, metadata: Tree = {}) => {
  const template = { metadata, spec: { ...REQUEST, ...spec } }
  return aMount({ name: 'cache', mountPath: '/cache', source: { persistentVolumeClaimTemplate: template } })
}

interface Case {
  readonly was?: readonly Tree[]
  readonly is?: readonly Tree[]
  /** What differs in the live StatefulSet. */
  readonly spec?: Tree
  readonly metadata?: Tree
}
/** What is planned for a StatefulSet that was made of some mounts, when the server has others. */
function plannedFor({ was = [], is = was, spec = {}, metadata = {} }: Case) {
  const live = standing(STATEFULSET, { wishes: { k8s: { mounts: was } }, spec, metadata })
  const plan = planned(seen({ k8s: { mounts: is } }, { there: [standing(SERVICE), live] }))
  const rehearsals = plan.actions.flatMap((action) => (action.do === 'dry-run create' ? [action.wanted] : []))
  return { ...plan, rehearsals, actions: writesOf(plan).filter(({ of }) => of === STATEFULSET) }
}
const templatesOf = (mounts: readonly Tree[]): readonly Tree[] => {
  const { object } = standing(STATEFULSET, { wishes: { k8s: { mounts } } })
  const spec = 'spec' in object && isTree(object.spec) ? object.spec : {}
  return Array.isArray(spec.volumeClaimTemplates) ? spec.volumeClaimTemplates : []
}
/** As the API server stores them. */
const storedAs = (mounts: readonly Tree[], more: (template: Tree) => Tree = (template) => template) =>
  templatesOf(mounts).map(({ metadata, spec, ...rest }) =>
    more({
      ...rest,
      metadata,
      spec: { volumeMode: 'Filesystem', ...(isTree(spec) && spec) },
      status: { phase: 'Pending' },
    }),
  )

describe('MP-31 claim templates that differ', () => {
  it.each([
    {
      name: 'the first one added',
      is: [LOCAL],
      says: 'claim templates added: data (pods that lack the claim are deleted one at a time)',
    },
    { name: 'another one added', was: [LOCAL], is: [LOCAL, CACHE], says: 'claim templates added: cache' },
    {
      name: 'one removed',
      was: [LOCAL, CACHE],
      is: [LOCAL],
      says: 'claim templates removed: cache (the pods are replaced as their template changes)',
    },
    { name: 'the last one removed', was: [CACHE], is: [], says: 'claim templates removed: cache' },
    {
      name: 'another size',
      was: [CACHE],
      is: [cacheWith({ resources: { requests: { storage: '3G' } } })],
      says: 'claim templates changed: cache (pods stay, and so do claims that exist: only later claims follow)',
    },
    {
      name: 'a field that left',
      was: [cacheWith({ storageClassName: 'fast' })],
      is: [CACHE],
      says: 'claim templates changed: cache',
    },
    {
      name: 'another mode',
      was: [CACHE],
      is: [cacheWith({ volumeMode: 'Block' })],
      says: 'claim templates changed: cache',
    },
    {
      name: 'a label',
      was: [CACHE],
      is: [cacheWith({}, { labels: { a: 'b' } })],
      says: 'claim templates changed: cache',
    },
    {
      name: 'an annotation that left',
      was: [cacheWith({}, { annotations: { a: 'b' } })],
      is: [CACHE],
      says: 'claim templates changed: cache',
    },
    {
      name: 'another kind of claim',
      was: [aMount({ of: 'persistentVolumeClaimTemplate' })],
      is: [LOCAL],
      says: 'claim templates changed: data',
    },
  ])(
    '$name: the StatefulSet is removed if the new one is accepted, and its pods stay',
    ({ name: _, says, ...case_ }) => {
      const { actions, rehearsals } = plannedFor(case_)
      expect(rehearsals).toMatchObject([{ of: STATEFULSET, object: { metadata: { name: 'demo-echo' } } }])
      expect(actions).toEqual([
        {
          do: 'remove',
          of: STATEFULSET,
          ref: { namespace: 'demo', name: 'demo-echo' },
          expects: { uid: 'uid of StatefulSet' },
          orphan: true,
          follows: true,
          because: expect.stringContaining(`MP-31, MP-32: ${says}`),
        },
      ])
    },
  )
  it('MP-35 not a second time while it is terminating', () => {
    expect(plannedFor({ is: [LOCAL], metadata: TERMINATING })).toMatchObject({ actions: [], againInMs: 3_000 })
  })
})

const WITH_OWNER = (template: Tree): Tree => {
  const metadata = isTree(template.metadata) ? template.metadata : {}
  return {
    ...template,
    metadata: { ...metadata, namespace: 'demo', ownerReferences: [{ uid: 'x' }], creationTimestamp: null },
  }
}

describe('MP-31 claim templates that do not differ', () => {
  const both = [LOCAL, cacheWith({ resources: { requests: { storage: '1024Mi' } } })]
  const appliedWith = (case_: Case) =>
    plannedFor(case_).actions.map((action) => (action.do === 'apply' ? action.object.spec : action.do))
  it('with what the API server fills in, and with an equal amount, it is applied as it is', () => {
    const equal = [LOCAL, cacheWith({ resources: { requests: { storage: '1Gi' } } })]
    expect(appliedWith({ is: both, spec: { volumeClaimTemplates: storedAs(equal) } })).toMatchObject([
      { volumeClaimTemplates: templatesOf(both) },
    ])
    expect(appliedWith({})).not.toMatchObject([{ volumeClaimTemplates: expect.anything() }])
  })
  it('in another order, it is applied in that of the StatefulSet, since the API server takes no other', () => {
    const spec = { volumeClaimTemplates: storedAs(both.toReversed()) }
    expect(appliedWith({ is: both, spec })).toMatchObject([{ volumeClaimTemplates: templatesOf(both).toReversed() }])
  })
  it('with the owner that upstream gives them, they are applied as they stand', () => {
    const volumeClaimTemplates = storedAs([LOCAL], WITH_OWNER)
    expect(appliedWith({ is: [LOCAL], spec: { volumeClaimTemplates } })).toMatchObject([{ volumeClaimTemplates }])
  })
  it('MP-24 the placeholder of upstream is left', () => {
    const volumeClaimTemplates = storedAs([LOCAL, aMount({ of: 'tLocalVolume', name: 'delay-bind', mountPath: '/x' })])
    const applied = appliedWith({ is: [LOCAL], spec: { volumeClaimTemplates } })
    expect(applied).toMatchObject([{ volumeClaimTemplates: [...templatesOf([LOCAL]), volumeClaimTemplates[1]] }])
  })
})

describe('MP-32 what else cannot be changed in place', () => {
  const selector = { matchLabels: { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' } }
  it.each([
    { field: 'podManagementPolicy', spec: { podManagementPolicy: 'OrderedReady' } },
    { field: 'serviceName', spec: { serviceName: 'other' } },
    { field: 'selector', spec: { selector: { matchLabels: { ...selector.matchLabels, more: 'x' } } } },
    { field: 'selector', spec: { selector: { ...selector, matchExpressions: [{ key: 'a', operator: 'Exists' }] } } },
  ])('$field: as MP-31', ({ field, spec }) => {
    const because = `MP-31, MP-32: changed: spec.${field} (pods stay)`
    expect(plannedFor({ spec }).actions).toMatchObject([{ do: 'remove', orphan: true, because }])
  })
  it('replicas, strategy and template are changed in place (MP-30)', () => {
    const spec = { replicas: 9, updateStrategy: { type: 'OnDelete' }, template: {}, revisionHistoryLimit: 3 }
    expect(plannedFor({ spec }).actions).toMatchObject([{ do: 'apply' }])
  })
})

it('MP-34, TS-V17 a workload stays where a rule holds back the one that follows it', () => {
  const hostPorts = ['EchoObj', 'http'].map((nameRef) => ({ nameRef, port: 80 }))
  const there = [standing(DAEMONSET, { wishes: { k8s: { daemonSet: true } } })]
  const turn = planned(seen({ k8s: { hostPorts } }, { there }))
  expect(inShort(turn)).toEqual(['apply TEndpoint', 'create TExitedRecord', 'apply Service'])
})
