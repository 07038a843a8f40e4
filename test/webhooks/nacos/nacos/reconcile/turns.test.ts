import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../../src/schema.ts'
import { CONFIG_MAP, NACOS_STATEFULSET } from '../../../../../webhooks/nacos/kubernetes.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import {
  DIGEST,
  type NacosWorld,
  nacosOf,
  nacosWorld,
  runningWorld,
  SOURCES,
  sourceOf,
  treeOf,
} from '../../../../support/nacos-world.ts'

const digestIn = (set: Tree) => JSON.stringify(set).match(/"nacos\.io\/config-digest":"(\w*)"/)?.[1]

const edit = (world: NacosWorld, name: string, data: Tree) => world.patch(CONFIG_MAP, name, { data })

describe('a new Nacos', () => {
  it('NC-REC-01, NC-REC-10, NC-REC-40, NC-REC-41, NC-DIG-30 is Creating, and has its children in order', async () => {
    const world = nacosWorld(...SOURCES, nacosOf())
    const { writes, status, notices, reasons } = await world.turn()
    expect(writes).toEqual([
      'merge Nacos',
      'apply Service',
      'apply ConfigMap',
      'apply StatefulSet',
      'apply Service',
      'merge Nacos',
    ])
    expect(status).toMatchObject({ phase: 'Creating', healthy: false, configDigest: DIGEST })
    expect(notices).toEqual([`ConfigMerged: ConfigMap n-final-config has 79 bytes with digest ${DIGEST}`])
    expect(reasons).toEqual({
      Ready: 'Creating',
      SpecValid: 'Valid',
      ConfigReady: 'Merged',
      RolloutComplete: 'InProgress',
      ChildrenReady: 'Applied',
    })
    expect(await world.final()).toMatchObject({
      metadata: {
        labels: { 'nacos.io/config-role': 'final' },
        annotations: { 'nacos.io/config-digest': DIGEST },
        ownerReferences: [{ uid: 'n-1', controller: true, blockOwnerDeletion: true }],
      },
    })
  })

  it('NC-REC-04, NC-ROL-20, NC-REC-62, NC-REC-73 runs when all members are ready, and a further turn writes nothing', async () => {
    const world = nacosWorld(...SOURCES, nacosOf())
    expect((await world.turn()).againInMs).toBe(5_000)
    await world.rolledOut()
    const { writes, status, notices, measured, againInMs } = await world.turn(20)
    expect([writes, notices, againInMs]).toEqual([
      ['merge Nacos'],
      [`RolloutComplete: all 3 members have ${DIGEST}`],
      undefined,
    ])
    expect(status).toMatchObject({
      phase: 'Running',
      healthy: true,
      lastRolledOutConfigDigest: DIGEST,
      readyReplicas: 3,
    })
    expect(measured).toContainEqual(expect.objectContaining({ labels: {}, value: 20 }))
    const again = await world.turn(60)
    expect([again.writes, again.notices]).toEqual([[], []])
  })

  it('NC-REC-40, NC-REC-30 as one server without a configuration has two Services and no ConfigMap', async () => {
    const alone = { type: 'standalone', replicas: 1, internalConfigRef: {}, userConfigRef: { key: 'x' } }
    const world = nacosWorld(nacosOf(alone))
    const { writes, reasons } = await world.turn()
    expect(writes).toEqual(['merge Nacos', 'apply Service', 'apply StatefulSet', 'apply Service', 'merge Nacos'])
    expect(reasons).toMatchObject({ ConfigReady: 'NotConfigured' })
    expect(await world.service('n')).toBeDefined()
  })

  it('NC-REC-05 that is terminating is left to the garbage collector', async () => {
    const world = nacosWorld(
      ...SOURCES,
      nacosOf({}, { deletionTimestamp: '2026-11-18T12:00:00Z', finalizers: ['a/b'] }),
    )
    expect((await world.turn()).writes).toEqual([])
  })
})

describe('a source that changes', () => {
  it('NC-DIG-13, NC-ROL-02, NC-REC-72 is rolled out, and again before the first rollout is over', async () => {
    const world = await runningWorld()
    await edit(world, 'user', { 'user.properties': 'b=3' })
    const { writes, notices } = await world.turn()
    expect(writes).toEqual(['apply ConfigMap', 'apply StatefulSet', 'merge Nacos'])
    const digest = digestIn(await world.set())
    expect(notices).toEqual([
      `ConfigMerged: ConfigMap n-final-config has 79 bytes with digest ${digest}`,
      `RolloutStarted: the configuration changes from ${DIGEST} to ${digest} by ConfigMap user`,
    ])
    await world.rolledOut(2, { updatedReplicas: 1, updateRevision: 's' })
    expect((await world.turn()).status).toMatchObject({ phase: 'Updating', healthy: true, updatedReplicas: 1 })
    await edit(world, 'user', { 'user.properties': 'b=4' })
    expect((await world.turn()).writes).toContain('apply StatefulSet')
  })

  it('NC-DIG-14 back again has the same digest as before', async () => {
    const world = await runningWorld()
    for (const text of ['b=3', 'b=2']) {
      await edit(world, 'user', { 'user.properties': text })
      await world.turn()
    }
    expect(digestIn(await world.set())).toBe(DIGEST)
  })

  it.each<{ name: string; act: (world: NacosWorld) => Promise<unknown> }>([
    { name: 'a byte order mark', act: (world) => edit(world, 'user', { 'user.properties': '\ufeffb=2' }) },
    { name: 'another key', act: (world) => edit(world, 'user', { other: 'x' }) },
    { name: 'its data made immutable', act: (world) => world.patch(CONFIG_MAP, 'user', { immutable: true }) },
    {
      name: 'a deletion, and the same text again',
      act: async (world) => {
        await world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name: 'user' })
        await world.turn()
        await world.cluster.create(CONFIG_MAP, sourceOf('user', 'b=2'))
      },
    },
    {
      name: 'a label of the source',
      act: (world) => world.patch(CONFIG_MAP, 'user', { metadata: { labels: { a: 'b' } } }),
    },
    {
      name: 'a label and an annotation of the Nacos',
      act: (world) => world.patch(NACOS, 'n', { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }),
    },
    { name: 'a lost status', act: (world) => world.patch(NACOS, 'n', { status: null }) },
  ])('NC-DIG-12, NC-DIG-04, NC-DIG-05, NC-DIG-23 in $name alone restarts nothing', async ({ act }) => {
    const world = await runningWorld()
    const { generation } = treeOf((await world.set()).metadata)
    await act(world)
    await world.turn()
    expect(treeOf((await world.set()).metadata).generation).toBe(generation)
  })

  it('NC-DIG-12, NC-MRG-11 in its line ends alone restarts nothing', async () => {
    const world = await runningWorld()
    for (const text of ['b=2\n', 'b=2\r\n', 'b=2\r']) {
      await edit(world, 'user', { 'user.properties': text })
      await world.turn()
    }
    expect(treeOf((await world.set()).metadata).generation).toBe(2)
  })

  it('NC-DIG-10 leaves the annotations of others in the template', async () => {
    const world = await runningWorld()
    const restarted = { 'kubectl.kubernetes.io/restartedAt': 'now' }
    await world.patch(NACOS_STATEFULSET, 'n', { spec: { template: { metadata: { annotations: restarted } } } })
    await edit(world, 'user', { 'user.properties': 'b=3' })
    await world.turn()
    expect(JSON.stringify(await world.set())).toContain('restartedAt')
  })
})

it('NC-ROL-01, NC-DIG-33 a source that changes is not written before it settles', async () => {
  const annotations = { 'nacos.io/config-settle-seconds': '5' }
  const world = await runningWorld(nacosOf({}, { annotations }))
  await edit(world, 'user', { 'user.properties': 'b=3' })
  const { writes, reasons, againInMs } = await world.turn()
  expect([writes, againInMs]).toEqual([['merge Nacos'], 5_000])
  expect(reasons).toMatchObject({ RolloutComplete: 'Settling', ConfigReady: 'Merged' })
  expect((await world.turn()).writes).toEqual([])
})
