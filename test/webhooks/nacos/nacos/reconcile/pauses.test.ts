import { describe, expect, it } from 'vitest'
import { CONFIG_MAP } from '../../../../../webhooks/nacos/kubernetes.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import {
  DIGEST,
  type NacosWorld,
  nacosOf,
  nacosWorld,
  runningWorld,
  SOURCES,
  treeOf,
} from '../../../../support/nacos-world.ts'

/** Of the sources after the edit. */
const NEWER = /^\w{16}$/
const SETTLES = { 'nacos.io/config-settle-seconds': '5' }
const OF_ROLLOUTS = { 'nacos.io/config-rollout': 'paused' }
const OF_ALL = { 'nacos.io/reconcile-paused': 'true' }
const paused = (annotations: object) => runningWorld(nacosOf({}, { annotations: { ...SETTLES, ...annotations } }))
const edit = (world: NacosWorld, text = 'b=3') => world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': text } })
const resume = (world: NacosWorld) => {
  const annotations = { 'nacos.io/config-rollout': null, 'nacos.io/reconcile-paused': null }
  return world.patch(NACOS, 'n', { metadata: { annotations } })
}
const respec = (world: NacosWorld, image: string) =>
  world.patch(NACOS, 'n', { spec: { image }, metadata: { generation: 2 } })
const probeIn = async (world: NacosWorld) => JSON.stringify(await world.set()).match(/"readinessProbe":\{.*?\}/)?.[0]

describe('NC-ROL-10 a pause of rollouts', () => {
  it('holds the configuration alone', async () => {
    const world = await paused(OF_ROLLOUTS)
    await edit(world)
    await respec(world, 'nacos/nacos-server:v2.4.4')
    const { writes, status, reasons } = await world.turn()
    expect(writes).toEqual(['apply StatefulSet', 'merge Nacos'])
    expect(reasons).toMatchObject({ RolloutComplete: 'Paused', ConfigReady: 'Merged' })
    expect(status).toMatchObject({ configDigest: DIGEST, pendingConfigDigest: expect.stringMatching(NEWER) })
  })

  it('is over at once, without the time to settle, but for an edit that comes with its end', async () => {
    const world = await paused(OF_ROLLOUTS)
    await edit(world)
    await world.turn()
    await resume(world)
    expect((await world.turn()).writes).toEqual(['apply ConfigMap', 'apply StatefulSet', 'merge Nacos'])
    await world.patch(NACOS, 'n', { metadata: { annotations: OF_ROLLOUTS } })
    await edit(world, 'b=4')
    await world.turn()
    await edit(world, 'b=5')
    await resume(world)
    const late = await world.turn()
    expect([late.writes, late.reasons.RolloutComplete]).toEqual([['merge Nacos'], 'Settling'])
  })

  it('gives an image of another major version its probe (NC-STS-30)', async () => {
    const world = await paused(OF_ROLLOUTS)
    await edit(world)
    await respec(world, 'nacos/nacos-server:v3.0.1')
    await world.turn()
    expect(await probeIn(world)).toContain('"path":"/v3/console/health/readiness","port":8080')
    await respec(world, 'nacos/nacos-server:v2.4.3')
    await world.turn()
    expect(await probeIn(world)).toContain('"path":"/nacos/v1/console/health/readiness","port":8848')
  })
})

describe('NC-REC-13, NC-ROL-10 a pause of all work', () => {
  it('writes the status of a new Nacos alone, which says that nothing is done', async () => {
    const world = nacosWorld(...SOURCES, nacosOf({}, { annotations: OF_ALL }))
    const { writes, reasons, status } = await world.turn()
    expect(writes).toEqual(['merge Nacos', 'merge Nacos'])
    expect(reasons).toEqual({
      Ready: 'Creating',
      SpecValid: 'Valid',
      ConfigReady: 'Merged',
      RolloutComplete: 'Paused',
      Paused: 'Paused',
    })
    expect([status.pendingConfigDigest, status.observedGeneration]).toEqual([DIGEST, undefined])
  })

  it.each<{ name: string; act: (world: NacosWorld) => Promise<unknown>; message: string }>([
    { name: 'an edit of a source', act: edit, message: ' waits for the end of the pause' },
    {
      name: 'a change of the spec',
      act: (world) => respec(world, 'nacos/nacos-server:v2.4.4'),
      message: 'the spec waits for the end of the pause',
    },
  ])('says steadily what waits, and is over at once: $name', async ({ act, message }) => {
    const world = await runningWorld(nacosOf({}, { annotations: SETTLES }))
    await world.patch(NACOS, 'n', { metadata: { annotations: OF_ALL } })
    expect((await world.turn()).reasons).toMatchObject({ RolloutComplete: 'Complete', Paused: 'Paused' })
    await act(world)
    const { generation } = treeOf((await world.set()).metadata)
    const { writes, messages, reasons } = await world.turn(10)
    expect([writes, reasons.RolloutComplete]).toEqual([['merge Nacos'], 'Paused'])
    expect(messages.RolloutComplete).toContain(message)
    for (const seconds of [11, 16, 21, 26]) expect((await world.turn(seconds)).writes).toEqual([])
    expect(treeOf((await world.set()).metadata).generation).toBe(generation)
    await resume(world)
    expect((await world.turn(30)).writes).toContain('apply StatefulSet')
  })
})
