import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { boundTo, tolerationsIn } from '../../../../webhooks/kruise/controller/daemon-pod.ts'
import { daemonSetController } from '../../../../webhooks/kruise/controller/reconcile.ts'
import { LEASE, POD } from '../../../../webhooks/kruise/controller/resources.ts'
import { wakenByNode } from '../../../../webhooks/kruise/controller/wakes.ts'
import { KRUISE_DAEMONSET } from '../../../../webhooks/kruise/daemonsets.ts'
import { ENABLE_DAEMONSET_CONTROLLER } from '../../../../webhooks/kruise/settings.ts'
import { withSetting } from '../../../support/answerer-parts.ts'
import { NOW } from '../../../support/clusters.ts'
import { aKruiseDaemonSet, aNode, DaemonWorld, KEY } from '../../../support/daemon-world.ts'
import { controllersWith, turnsOf } from '../../../support/turns.ts'

const LABELS = { app: 'agent', 'controller-revision-hash': 'kruises' }
const TEMPLATE = { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image: 'agent:1' }] } }
const OWNER = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet', name: 'agent', uid: 'd1', controller: true }

const aPod = (name: string, metadata: Tree = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'demo', labels: LABELS, ...metadata },
  spec: { nodeName: 'n1' },
  status: { phase: 'Running', conditions: [] },
})
const aRevision = (metadata: Tree = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name: 'agent-kruises', namespace: 'demo', labels: LABELS, ...metadata },
  data: {
    spec: { template: { ...TEMPLATE, metadata: { ...TEMPLATE.metadata, creationTimestamp: null }, $patch: 'replace' } },
  },
  revision: 1,
})
const worldOf = (...objects: readonly ReturnType<typeof aNode>[]) =>
  new DaemonWorld([aNode('n1'), ...objects], aKruiseDaemonSet())
const ownersOf = async ({ cluster }: DaemonWorld) =>
  (await cluster.list(POD, { namespace: 'demo' })).map(({ metadata }) =>
    metadata.ownerReferences?.map(({ uid }) => uid),
  )

describe('PATCH-CTL-1 the controller', () => {
  it('runs by its setting alone, and PATCH-CTL-3 writes no DaemonSet of Kubernetes', () => {
    expect(controllersWith(withSetting(ENABLE_DAEMONSET_CONTROLLER, true))).toContain(daemonSetController)
    expect(controllersWith(withSetting(ENABLE_DAEMONSET_CONTROLLER, false))).not.toContain(daemonSetController)
    const groups = daemonSetController.writes.filter(({ resource }) => resource.kind === 'DaemonSet')
    expect(groups.map(({ resource }) => resource.group)).toEqual(['apps.kruise.io', 'apps.kruise.io'])
  })
})

describe('PATCH-CTL-2 beside OpenKruise', () => {
  const lease = (spec: Tree) => ({
    ...{
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'kruise-manager', namespace: 'kruise' },
    },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-11-18T11:59:50Z', ...spec },
  })
  const clientConfig = { service: { name: 'kruise-webhook-service', namespace: 'kruise' } }
  const configuration = {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration' },
    metadata: { name: 'kruise-mutating-webhook-configuration' },
    webhooks: [{ clientConfig }],
  }
  const slice = (ready: boolean | null) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 's', namespace: 'kruise', labels: { 'kubernetes.io/service-name': 'kruise-webhook-service' } },
    endpoints: [{ conditions: { ready } }],
  })
  const crd = (conversion: Tree) => ({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'daemonsets.apps.kruise.io' },
    spec: { conversion },
  })

  it.each<[string, readonly object[], boolean]>([
    ['a Lease that is held', [lease({})], true],
    ['a Lease whose time cannot be read', [lease({ renewTime: 'x' })], true],
    ['a Lease that nobody renews', [lease({ renewTime: '2026-11-18T11:59:34Z' })], false],
    ['a Lease without a holder', [lease({ holderIdentity: '' })], false],
    ['its configuration, and a Service that answers', [configuration, slice(true)], true],
    ['its configuration, and a Service of unknown state', [configuration, slice(null)], true],
    ['its configuration alone', [configuration, slice(false)], false],
    ['a configuration by URL', [{ ...configuration, webhooks: [{ clientConfig: {} }] }], false],
    ['its conversion', [crd({ strategy: 'Webhook', webhook: { clientConfig } })], true],
    [
      'a conversion of others',
      [crd({ strategy: 'Webhook', webhook: { clientConfig: { service: { name: 'x' } } } })],
      false,
    ],
    ['no conversion', [crd({ strategy: 'None' })], false],
  ])('stands back or not: %s', async (_, traces, isActive) => {
    const world = worldOf()
    world.cluster.seed(traces.flatMap((trace) => (isObject(trace) ? [trace] : [])))
    const { reasons } = await world.settle()
    expect(await world.pods()).toEqual(isActive ? [] : ['n1 agent:1'])
    expect(reasons).toEqual(isActive ? ['KruiseManagerActive'] : [])
    expect((await world.daemonSet())?.status?.conditions).toEqual(isActive ? [CONDITION] : undefined)
    expect((await world.settle()).writes).toEqual([])
  })
  const CONDITION = expect.objectContaining({
    ...{ type: 'BuiltInControllerActive', status: 'False', reason: 'KruiseManagerActive' },
    ...{ message: expect.stringContaining('is left to it'), lastTransitionTime: '2026-11-18T12:00:00Z' },
  })

  it('says so no more when OpenKruise is gone, and leaves the conditions of others', async () => {
    const world = worldOf()
    const other = { type: 'Other', status: 'True' }
    await world.cluster.merge(KRUISE_DAEMONSET, KEY, { status: { conditions: [other] } })
    world.cluster.seed([lease({})])
    await world.settle()
    expect((await world.daemonSet())?.status?.conditions).toEqual([other, CONDITION])
    await world.cluster.merge(LEASE, { namespace: 'kruise', name: 'kruise-manager' }, { spec: { holderIdentity: '' } })
    await world.settle()
    expect((await world.daemonSet())?.status?.conditions).toEqual([other])
    expect(await world.pods()).toEqual(['n1 agent:1'])
  })

  it('is seen between one part of many pods and the next', async () => {
    const nodes = Array.from({ length: 60 }, (_, i) => aNode(`m${i}`))
    const world = new DaemonWorld(nodes, aKruiseDaemonSet())
    const turn = turnsOf('daemonset', world.cluster, [], withSetting(ENABLE_DAEMONSET_CONTROLLER, true))
    expect((await turn(KEY, new Date(NOW)))?.againInMs).toBe(1)
    world.cluster.seed([lease({})])
    await turn(KEY, new Date(NOW))
    expect(await world.pods()).toHaveLength(25)
    await world.cluster.merge(LEASE, { namespace: 'kruise', name: 'kruise-manager' }, { spec: { holderIdentity: '' } })
    const turns = [await turn(KEY, new Date(NOW)), await turn(KEY, new Date(NOW))]
    expect(turns.map((each) => each?.againInMs)).toEqual([1, undefined])
    expect(await world.pods()).toHaveLength(60)
  })
  const isObject = (trace: object): trace is ReturnType<typeof aNode> => 'metadata' in trace
})

describe('PATCH-CTL-12 pods and revisions', () => {
  it('PATCH-T-29 of OpenKruise are adopted, and nothing restarts', async () => {
    const world = worldOf()
    world.cluster.seed([aPod('p1', { ownerReferences: [OWNER] }), aRevision({ ownerReferences: [OWNER] })])
    expect((await world.settle()).writes).toEqual(['merge DaemonSet'])
    expect(await world.hashes()).toEqual(['kruises'])
  })
  it('without a controller are adopted where the selector names them, and let go where it does not', async () => {
    const world = worldOf()
    const other = { ...LABELS, app: 'other' }
    world.cluster.seed([aPod('p1'), aRevision(), aPod('p2', { labels: other, ownerReferences: [OWNER] })])
    await world.settle()
    expect(await ownersOf(world)).toEqual([['d1'], undefined])
    expect((await world.revisions()).map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)).toEqual(['d1'])
  })
})

describe('PATCH-CTL-11 a revision', () => {
  it('whose name another version has taken gets another hash', async () => {
    const world = worldOf()
    await world.settle()
    const [first] = await world.revisions()
    const taken = { ...aRevision({ ...first?.metadata, uid: 'r9' }), data: { spec: { template: {} } } }
    const next = worldOf()
    next.cluster.seed([taken])
    const { writes } = await next.settle()
    expect(writes).not.toContain('remove Pod')
    const names = (await next.revisions()).map(({ metadata }) => metadata.name)
    expect(names).toHaveLength(2)
    expect((await next.daemonSet())?.status).toMatchObject({ collisionCount: 1, observedGeneration: 1 })
    expect(await next.pods()).toEqual(['n1 agent:1'])
  })
})

describe('PATCH-CTL-11 two lists under one template', () => {
  /** FNV-1a of both is the same after the hash of this template. */
  const [ONE, OTHER] = ['439599', '622382'].map((a) => ({
    spec: { patches: [{ selector: { matchLabels: { disk: 'large' } }, patch: { metadata: { annotations: { a } } } }] },
  }))
  it('whose hashes are the same get two revisions', async () => {
    const world = new DaemonWorld([aNode('n1', { disk: 'large' })], aKruiseDaemonSet())
    for (const list of [{}, ONE ?? {}, OTHER ?? {}]) {
      await world.change(list)
      await world.settle()
    }
    expect((await world.daemonSet())?.status).toMatchObject({ collisionCount: 1 })
    expect(await world.revisions()).toHaveLength(3)
    const pods = await world.cluster.list(POD, { namespace: 'demo' })
    expect(pods.map(({ metadata }) => metadata.annotations?.a)).toEqual(['622382'])
    expect((await world.settle()).writes).toEqual([])
  })
})

describe('PATCH-CTL-21 a change of a Node', () => {
  const daemonSet = aKruiseDaemonSet({
    patches: [{ selector: { matchLabels: { disk: 'large' } }, patch: {} }],
    updateStrategy: { rollingUpdate: { selector: { matchLabels: { wave: '1' } } } },
  })
  const taint = { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } }
  it.each<[string, ReturnType<typeof aNode> | undefined, ReturnType<typeof aNode> | undefined, boolean]>([
    ['that comes', undefined, aNode('n1'), true],
    ['that goes', aNode('n1'), undefined, true],
    ['in a label that no selector names', aNode('n1'), aNode('n1', { other: 'x' }), false],
    ['in a label of a patch', aNode('n1'), aNode('n1', { disk: 'large' }), true],
    ['in a label of the update', aNode('n1'), aNode('n1', { wave: '1' }), true],
    ['in a taint', aNode('n1'), aNode('n1', {}, taint.spec), true],
  ])('wakes a DaemonSet or not: %s', (_, before, now, wakes) => {
    expect(wakenByNode({ before, now }, () => [daemonSet])).toEqual(wakes ? [KEY] : [])
  })
})

describe('PATCH-CTL-15 a pod', () => {
  it('that waits for a Node which is gone is removed', async () => {
    const world = worldOf()
    world.cluster.seed([
      { ...aPod('p2', { ownerReferences: [OWNER] }), spec: boundTo('n9', {}), status: { phase: 'Pending' } },
    ])
    await world.settle()
    expect(await world.pods()).toEqual(['n1 agent:1'])
  })
})

describe('PATCH-CTL-10 a DaemonSet', () => {
  it.each([
    ['an empty selector', { selector: {} }],
    ['a selector that cannot be read', { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }],
  ])('with %s is left alone, with an event', async (_, spec) => {
    const world = new DaemonWorld([aNode('n1')], aKruiseDaemonSet(spec))
    expect(await world.settle()).toEqual({ writes: [], reasons: ['SelectingAll'] })
  })
  it('that is terminating is left alone', async () => {
    const metadata = { deletionTimestamp: '2026-11-18T12:00:00Z', finalizers: ['test.io/x'] }
    const world = new DaemonWorld([aNode('n1')], aKruiseDaemonSet({}, metadata))
    expect(await world.settle()).toEqual({ writes: [], reasons: [] })
  })
})

describe('PATCH-CTL-16 a daemon', () => {
  const key = 'node.kubernetes.io/not-ready'
  it.each<[string, Tree, number]>([
    ['tolerates six taints', {}, 6],
    ['and a seventh on the network of its host', { hostNetwork: true }, 7],
    ['its own first', { tolerations: [{ key: 'x', operator: 'Exists' }] }, 7],
    ['none twice', { tolerations: [{ key, operator: 'Exists', effect: 'NoExecute' }] }, 6],
  ])('%s', (_, spec, count) => {
    expect(tolerationsIn(spec)).toHaveLength(count)
  })
})
