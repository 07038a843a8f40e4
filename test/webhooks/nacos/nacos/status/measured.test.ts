import { describe, expect, it } from 'vitest'
import { CONFIG_MAP } from '../../../../../webhooks/nacos/kubernetes.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import { KEY, type NacosWorld, nacosOf, nacosWorld, runningWorld, sourceOf } from '../../../../support/nacos-world.ts'

const edit = (world: NacosWorld) => world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': 'b=3' } })
/** In seconds. */
const durations = ({ measured }: Awaited<ReturnType<NacosWorld['turn']>>) =>
  measured.filter(({ metric }) => metric.name === 'nacos_rollout_duration_seconds').map(({ value }) => value)

describe('NC-REC-73 the time of a rollout', () => {
  it.each([
    { name: 'the time to settle', annotations: { 'nacos.io/config-settle-seconds': '5' } },
    { name: 'a pause', annotations: { 'nacos.io/config-rollout': 'paused' } },
  ])('begins when the template changes, and has nothing of $name', async ({ annotations }) => {
    const world = await runningWorld(nacosOf({}, { annotations }))
    await edit(world)
    expect((await world.turn(100)).reasons).not.toMatchObject({ RolloutComplete: 'Complete' })
    await world.patch(NACOS, 'n', { metadata: { annotations: null } })
    expect((await world.turn(200)).writes).toContain('apply StatefulSet')
    await world.rolledOut(2, { updatedReplicas: 1, updateRevision: 's' })
    expect(durations(await world.turn(210))).toEqual([])
    await world.rolledOut()
    expect(durations(await world.turn(230))).toEqual([30])
    expect(durations(await world.turn(240))).toEqual([])
  })

  it('is none where a member is away and comes back', async () => {
    const world = await runningWorld()
    await world.rolledOut(2)
    await world.turn(100)
    await world.rolledOut(3)
    expect(durations(await world.turn(200))).toEqual([])
  })
})

it('NC-REC-73 one that is held counts until it is gone', async () => {
  const world = nacosWorld(sourceOf('internal', 'a=1'), nacosOf())
  const missing = async () => (await world.counted()).find(({ labels }) => labels.reason === 'SourceMissing')?.value
  expect(await missing()).toBe(0)
  await world.turn()
  expect(await missing()).toBe(1)
  await world.cluster.remove(NACOS, KEY)
  await world.turn()
  expect(await missing()).toBe(0)
})
