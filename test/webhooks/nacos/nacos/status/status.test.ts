import { describe, expect, it } from 'vitest'
import type { ClusterReader } from '../../../../../src/cluster/port.ts'
import { NOTHING_KNOWN } from '../../../../../src/fact.ts'
import { Fault } from '../../../../../src/faults.ts'
import { settingsOf } from '../../../../../src/setting.ts'
import { CONFIG_MAP, NACOS_STATEFULSET } from '../../../../../webhooks/nacos/kubernetes.ts'
import { conclude } from '../../../../../webhooks/nacos/nacos/reconcile/conclude.ts'
import type { NacosMemory } from '../../../../../webhooks/nacos/nacos/reconcile/memory.ts'
import { observe } from '../../../../../webhooks/nacos/nacos/reconcile/observe.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import { NOW } from '../../../../support/clusters.ts'
import { readerOf } from '../../../../support/fakes/readers.ts'
import {
  KEY,
  type NacosWorld,
  nacosOf,
  nacosWorld,
  runningWorld,
  SOURCES,
  sourceOf,
} from '../../../../support/nacos-world.ts'

const SETTINGS = settingsOf({ nacosStuckSeconds: 60 })

/** What a later turn comes to, with what the one before it remembers. */
async function concluded(
  { cluster }: NacosWorld,
  seconds: number,
  remembered?: NacosMemory,
  live: ClusterReader = cluster,
) {
  const seen = await observe(KEY, { cached: cluster, live, gone: () => [] })
  if (seen === undefined) throw new Error('it is there')
  const at = new Date(Date.parse(NOW) + seconds * 1_000)
  const given = {
    at,
    attempt: 0,
    profile: 'seed',
    settings: SETTINGS,
    facts: NOTHING_KNOWN,
    ...(remembered && { remembered }),
  } as const
  return conclude(seen, [], given)
}
const saying = (plan: Awaited<ReturnType<typeof concluded>>) =>
  JSON.stringify(plan.actions.map((action) => ('patch' in action ? action.patch : {})))

describe('NC-ROL-21 a rollout without progress', () => {
  it('is stuck after a time, and says which pod waits for what', async () => {
    const world = await runningWorld()
    await world.rolledOut(2, { updatedReplicas: 1, updateRevision: 's' }, 'CrashLoopBackOff')
    const first = await concluded(world, 0)
    expect(saying(first)).toContain('InProgress')
    const early = await concluded(world, 59, first.remember)
    expect(early.notices).toEqual([])
    const late = await concluded(world, 60, early.remember)
    expect(saying(late)).toContain('Stuck')
    expect(late.notices).toMatchObject([
      {
        reason: 'RolloutStuck',
        message: expect.stringMatching(/15952a176aa40df0.* pod n-2: container n: CrashLoopBackOff$/),
      },
    ])
    await world.rolledOut(2, { updatedReplicas: 2, updateRevision: 's' })
    expect(saying(await concluded(world, 61, late.remember))).toContain('InProgress')
  })

  it('names no pod where none is there, and the remedy for members in order (NC-ROL-22)', async () => {
    const world = await runningWorld()
    const status = { updatedReplicas: 1, updateRevision: 's' }
    await world.patch(NACOS_STATEFULSET, 'n', { spec: { podManagementPolicy: 'OrderedReady' } })
    await world.rolledOut(3, status)
    const { remember } = await concluded(world, 0)
    const late = await concluded(world, 60, remember)
    expect(late.notices).toMatchObject([
      { message: expect.stringMatching(/; pods are missing; when the source is mended, delete that pod$/) },
    ])
    await world.rolledOut(2, status)
    const waiting = await concluded(world, 0)
    const later = await concluded(world, 60, waiting.remember)
    expect(later.notices).toMatchObject([{ message: expect.stringContaining('pod n-2: not ready') }])
  })

  it('of a partition says so (NC-STS-03)', async () => {
    const world = await runningWorld()
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } }
    await world.patch(NACOS_STATEFULSET, 'n', { spec: { updateStrategy } })
    await world.rolledOut(3, { updatedReplicas: 1, updateRevision: 's' })
    const first = await concluded(world, 0)
    expect(saying(first)).toContain('1 of 3 members are updated, 3 are ready; partition=2')
    const late = saying(await concluded(world, 60, first.remember))
    expect([late.includes('partition=2'), late.includes('Stuck')]).toEqual([true, false])
  })
})

it('NC-PRO-02 a pattern that is none is told of a Nacos that runs, once', async () => {
  const world = await runningWorld()
  const listing = (list: string) =>
    world.patch(CONFIG_MAP, 'internal', { metadata: { annotations: { 'nacos.io/protected-keys': list } } })
  await listing('a*b')
  const first = await concluded(world, 0)
  expect(first.notices).toMatchObject([{ reason: 'InvalidPattern', message: expect.stringContaining('"a*b"') }])
  const later = await concluded(world, 1, first.remember)
  expect(later.notices).toEqual([])
  await listing('a*b, *c')
  const other = await concluded(world, 2, later.remember)
  expect(other.notices).toMatchObject([{ message: expect.stringContaining('"a*b", "*c"') }])
  await listing('a*')
  expect((await concluded(world, 3, other.remember)).notices).toEqual([])
})

describe('members that are not ready', () => {
  it('NC-REC-61 fail a Nacos that ran after 30 s without a majority', async () => {
    const world = await runningWorld()
    await world.rolledOut(1)
    const first = await concluded(world, 0)
    expect(saying(first)).not.toContain('Failed')
    expect(first.againInMs).toBe(5_000)
    const late = await concluded(world, 30, first.remember)
    expect(saying(late)).toMatch(/"phase":"Failed".*"reason":"QuorumLost"/)
  })

  it('fail a new one after its deadline', async () => {
    const world = nacosWorld(...SOURCES, nacosOf())
    await world.turn()
    expect(saying(await concluded(world, 179))).not.toContain('Failed')
    expect(saying(await concluded(world, 180))).toContain('Failed')
  })
})

describe('the status', () => {
  it('NC-MRG-50 is asked for again while a source cannot be read', async () => {
    const world = await runningWorld()
    const away = async () => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'no answer'))
    const live: ClusterReader = {
      ...readerOf(),
      get: (of, ref) => (ref.name === 'user' ? away() : world.cluster.get(of, ref)),
    }
    expect((await concluded(world, 0, {}, live)).againInMs).toBe(5_000)
    expect((await concluded(world, 0)).againInMs).toBeUndefined()
  })

  it('NC-REC-71 is written over the version that was read', async () => {
    const world = await runningWorld()
    const { uid, resourceVersion } = (await world.cluster.get(NACOS, KEY))?.metadata ?? {}
    await world.rolledOut(2)
    expect((await concluded(world, 0)).actions).toMatchObject([
      { do: 'merge', subresource: 'status', expects: { uid, resourceVersion } },
    ])
  })

  it('NC-REC-70 keeps the time of a condition whose status stays', async () => {
    const world = await runningWorld()
    await world.rolledOut(2)
    await world.turn(100)
    const { status } = await world.turn(200)
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'SpecValid', lastTransitionTime: '2026-11-18T12:00:00Z', observedGeneration: 1 }),
    )
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'RolloutComplete', status: 'False', lastTransitionTime: '2026-11-18T12:01:40Z' }),
    )
  })

  it('NC-MRG-30, NC-REC-07 never says what the sources say', async () => {
    const marked = [sourceOf('internal', 'a=MARKER'), sourceOf('user', 'MARKED=MARKER\\u12')]
    const world = nacosWorld(...marked, nacosOf())
    const { status, notices } = await world.turn()
    expect(JSON.stringify([status, notices])).not.toContain('MARKER')
    expect(JSON.stringify(status)).toContain('MalformedProperties')
  })

  it('is not written for a Nacos that is gone', async () => {
    const world = await runningWorld()
    await world.cluster.remove(NACOS, KEY)
    expect((await world.turn()).writes).toEqual([])
  })
})
