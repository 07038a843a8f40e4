import { describe, expect, it } from 'vitest'
import { Fault } from '../../../../../src/faults.ts'
import type { Tree } from '../../../../../src/schema.ts'
import { CONFIG_MAP, NACOS_SERVICE, NACOS_STATEFULSET } from '../../../../../webhooks/nacos/kubernetes.ts'
import { nacosController } from '../../../../../webhooks/nacos/nacos/reconcile/reconcile.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import { KEY, nacosOf, nacosWorld, runningWorld, SOURCES } from '../../../../support/nacos-world.ts'

/** The API server takes no two containers of one name. */
const REFUSED = { k8sWrapper: { PodSpec: { initContainers: [{ name: 'x' }, { name: 'x' }] } } }
const digestIn = (set: Tree) => JSON.stringify(set).match(/"nacos\.io\/config-digest":"(\w*)"/)?.[1]

describe('children of others', () => {
  const foreign = { ...KEY, labels: { app: 'n', middleware: 'nacos', component: 'nacos' } }

  it.each([
    { of: NACOS_SERVICE, name: 'n-headless', left: ['Service', 'ConfigMap', 'StatefulSet'] },
    { of: NACOS_SERVICE, name: 'n-client', left: ['Service', 'ConfigMap', 'StatefulSet'] },
    { of: NACOS_SERVICE, name: 'n-client', labels: {}, left: ['Service', 'ConfigMap', 'StatefulSet'] },
    { of: NACOS_STATEFULSET, name: 'n', left: ['Service', 'ConfigMap', 'Service'] },
    { of: NACOS_STATEFULSET, name: 'n', labels: {}, left: ['Service', 'ConfigMap', 'Service'] },
  ])('NC-REC-42 stay as they are, and the others are made: $of.kind $name $labels', async (each) => {
    const { of, name, left, labels = foreign.labels } = each
    const apiVersion = [of.group, of.version].filter(Boolean).join('/')
    const metadata = { ...foreign, labels, name }
    const world = nacosWorld(...SOURCES, nacosOf(), { apiVersion, kind: of.kind, metadata })
    const before = await world.cluster.get(of, { namespace: 'demo', name })
    const { writes, notices, messages } = await world.turn()
    expect(writes.filter((write) => write.startsWith('apply')).sort()).toEqual(
      left.map((kind) => `apply ${kind}`).sort(),
    )
    expect(notices).toContain(`ChildConflict: ${of.kind} ${name}: left as it is, since this Nacos does not control it`)
    expect(messages.ChildrenReady).toBe(`${of.kind} ${name}: not made for this Nacos, and left as it is`)
    expect((await world.turn()).notices).toEqual([])
    expect(await world.cluster.get(of, { namespace: 'demo', name })).toEqual(before)
  })

  it('NC-STS-65, NC-BC-06 a StatefulSet of another operator is not written, nor the configuration', async () => {
    const ownerReferences = [
      { apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: 'n', uid: 'n-1', controller: true },
    ]
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { ...foreign, ownerReferences }, spec: {} }
    const world = nacosWorld(...SOURCES, nacosOf(), set)
    const { writes, notices, reasons } = await world.turn()
    expect(writes).toEqual(['merge Nacos', 'apply Service', 'apply Service', 'merge Nacos'])
    expect(reasons).toMatchObject({ ChildrenReady: 'ForeignTemplate' })
    expect(notices).toEqual([expect.stringContaining('kubectl delete statefulset n --namespace=demo --cascade=orphan')])
    expect((await world.turn()).notices).toEqual([])
  })

  it('NC-STS-63 a StatefulSet of a later release is not built by the revision of this one', async () => {
    const world = await runningWorld()
    const before = await world.set()
    await world.patch(NACOS_STATEFULSET, 'n', { metadata: { annotations: { 'nacos.io/template-revision': '2' } } })
    await world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': 'b=3' } })
    const { writes, reasons, messages } = await world.turn()
    expect(writes).toEqual(['merge Nacos'])
    expect(reasons).toMatchObject({ ChildrenReady: 'ForeignTemplate' })
    expect(messages.ChildrenReady).toMatch(/^StatefulSet n was made by another release, with revision 2; take it over/)
    expect((await world.set()).spec).toEqual(before.spec)
  })

  it('NC-STS-45, NC-REC-03 what the API server refuses is a condition in its words, and the others are made', async () => {
    const { writes, reasons, messages } = await nacosWorld(...SOURCES, nacosOf(REFUSED)).turn()
    expect(reasons).toMatchObject({ ChildrenReady: 'ApplyFailed' })
    expect(messages.ChildrenReady).toMatch(/^StatefulSet: /)
    expect(writes).toEqual(['merge Nacos', 'apply Service', 'apply ConfigMap', 'apply Service', 'merge Nacos'])
  })

  it.each([
    { of: NACOS_SERVICE, left: ['apply ConfigMap', 'apply StatefulSet', 'apply Service'] },
    { of: CONFIG_MAP, left: ['apply Service', 'apply Service'] },
    { of: NACOS_STATEFULSET, left: ['apply Service', 'apply ConfigMap', 'apply Service'] },
  ])('NC-REC-03 an API server that fails for a $of.kind keeps no other step back', async ({ of, left }) => {
    const world = nacosWorld(...SOURCES, nacosOf())
    let times = 0
    world.onApply(of, (applying) => {
      times += 1
      return times === 1 ? Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'it answers 503')) : applying()
    })
    const { writes, reasons, messages } = await world.turn()
    expect(writes).toEqual(['merge Nacos', ...left, 'merge Nacos'])
    expect([reasons.ChildrenReady, messages.ChildrenReady]).toEqual(['ApplyFailed', `${of.kind}: it answers 503`])
    await world.turn()
    expect((await world.turn()).reasons).toMatchObject({ ChildrenReady: 'Applied' })
  })

  it('NC-REC-04, NC-STS-45 what was refused is asked again by the backoff of its key, or when the phase is due', async () => {
    const world = nacosWorld(...SOURCES, nacosOf(REFUSED))
    expect((await world.turn()).againInMs).toBe(180_000)
    expect((await world.turn(170)).againInMs).toBe(10_000)
    const late = await world.turn(180)
    expect([late.status.phase, late.againInMs]).toEqual(['Failed', undefined])
  })

  it('NC-REC-71 a digest that its StatefulSet did not take is not in the status', async () => {
    const world = await runningWorld()
    await world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': 'b=3' } })
    await world.patch(NACOS, 'n', { spec: REFUSED, metadata: { generation: 2 } })
    const { status, reasons } = await world.turn()
    expect(reasons).toMatchObject({ ChildrenReady: 'ApplyFailed' })
    expect(status.configDigest).toBe(digestIn(await world.set()))
    expect((await world.final())?.metadata.annotations?.['nacos.io/config-digest']).not.toBe(status.configDigest)
  })
})

describe('children that somebody changes', () => {
  it('NC-REC-50, NC-STS-42, NC-STS-46 a StatefulSet has its number of members back, without a rollout', async () => {
    const world = await runningWorld()
    await world.patch(NACOS_STATEFULSET, 'n', { spec: { replicas: 5 } })
    const { writes, notices } = await world.turn()
    expect(writes).toContain('apply StatefulSet')
    expect(notices).toEqual([])
    expect(await world.set()).toMatchObject({ spec: { replicas: 3 } })
  })

  it('NC-STS-42 a rollout is told where the template changes', async () => {
    const world = await runningWorld()
    await world.patch(NACOS, 'n', { spec: { image: 'nacos/nacos-server:v2.4.4' }, metadata: { generation: 2 } })
    expect((await world.turn()).notices).toEqual([
      'RolloutStarted: the pod template changes, but not the configuration',
    ])
  })

  it.each([
    { of: NACOS_STATEFULSET, name: 'n' },
    { of: NACOS_SERVICE, name: 'n-headless' },
    { of: NACOS_SERVICE, name: 'n-client' },
  ])('NC-REC-57, NC-REC-50 $of.kind $name is made again', async ({ of, name }) => {
    const world = await runningWorld()
    await world.cluster.remove(of, { namespace: 'demo', name })
    expect((await world.turn()).writes).toContain(`apply ${of.kind}`)
    expect(await world.cluster.get(of, { namespace: 'demo', name })).toBeDefined()
  })

  it('NC-REC-57 nothing is removed but ConfigMaps', () => {
    const removing = nacosController.writes.filter(({ verbs }) => verbs.includes('remove'))
    expect(removing.map(({ resource }) => resource)).toEqual([CONFIG_MAP])
  })
})

describe('what is mounted no more', () => {
  it('NC-DIG-43 goes when the rollout with the new name is complete', async () => {
    const world = await runningWorld()
    await world.patch(NACOS, 'n', { spec: { finalConfigName: 'other' }, metadata: { generation: 2 } })
    expect((await world.turn()).writes).toEqual(['apply ConfigMap', 'apply StatefulSet', 'merge Nacos'])
    expect((await world.turn()).writes).toEqual([])
    await world.rolledOut()
    expect((await world.turn()).writes).toEqual(['remove ConfigMap', 'merge Nacos'])
    expect(await world.final()).toBeUndefined()
    expect(await world.final('other')).toBeDefined()
  })

  it('NC-DIG-44, NC-DIG-11 goes with all references, after the rollout without it', async () => {
    const world = await runningWorld()
    await world.patch(NACOS, 'n', {
      spec: { userConfigRef: null, internalConfigRef: null },
      metadata: { generation: 2 },
    })
    await world.turn()
    expect(digestIn(await world.set())).toBeUndefined()
    await world.rolledOut()
    expect((await world.turn()).writes).toContain('remove ConfigMap')
  })
})

it('NC-SVC-08 a Service that a user changed keeps its type', async () => {
  const world = await runningWorld()
  await world.patch(NACOS_SERVICE, 'n-client', { spec: { type: 'NodePort' } })
  await world.turn()
  expect(await world.service('n-client')).toMatchObject({ spec: { type: 'NodePort' } })
})
