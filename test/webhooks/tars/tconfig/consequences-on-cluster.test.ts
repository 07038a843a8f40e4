import { describe, expect, it } from 'vitest'
import type { MemoryCluster } from '../../../../src/cluster/memory/memory-cluster.ts'
import { isTree } from '../../../../src/schema.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { CTRL } from '../../../support/answerer-parts.ts'
import { aDraftOfTConfig, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { admittingCluster } from '../../../support/clusters.ts'
import type { Sent } from '../../../support/reviews.ts'
import { NOW } from './judged.ts'

describe('on a cluster with its webhooks in place', () => {
  const at = (name: string) => ({ namespace: 'demo', name })
  const bring = async (cluster: MemoryCluster, name: string, more: Readonly<Record<string, string>> = {}) =>
    cluster.create(TCONFIG, aDraftOfTConfig({ name, ...more }), { user: 'ann' })
  const marksOf = async (cluster: MemoryCluster, name: string) => {
    const { labels, annotations } = (await cluster.get(TCONFIG, at(name)))?.metadata ?? {}
    const marks = Object.entries(labels ?? {}).filter(([key]) => /Deactivat(e|ing)$|Deleting$/.test(key))
    return { ...Object.fromEntries(marks), by: annotations?.['tars.io/MarkedBy'] }
  }
  const back = (cluster: MemoryCluster, name: string, options: object = {}) =>
    cluster.merge(TCONFIG, at(name), { activated: true }, { user: 'ann', ...options })
  const deactivated = (cluster: MemoryCluster, name: string) => {
    const metadata = {
      labels: { 'tars.io/Deactivate': null, 'tars.io/Deactivating': null },
      annotations: { 'tars.io/MarkedAt': null, 'tars.io/MarkedBy': null },
    }
    return cluster.merge(TCONFIG, at(name), { activated: false, metadata }, { user: CTRL })
  }
  const refusal = (write: Promise<unknown>) =>
    write.then(
      () => 'taken',
      (cause: unknown) => (cause instanceof Error ? cause.message : cause),
    )

  it('TC-S1 the second version marks the first, which keeps what it has (TC-S6)', async () => {
    const cluster = admittingCluster()
    const before = await bring(cluster, 'v1')
    await bring(cluster, 'v2', { configContent: 'a=2' })
    expect(await marksOf(cluster, 'v1')).toEqual({ ...DEACTIVATING, by: 'v2' })
    expect(await marksOf(cluster, 'v2')).toEqual({ by: undefined })
    const after = await cluster.get(TCONFIG, at('v1'))
    const { metadata: _, ...rest } = before
    expect(after).toMatchObject({ ...rest, activated: true, configContent: 'a=1' })
    expect(after?.metadata.labels).toMatchObject({ 'tars.io/Activated': 'true' })
    expect(after?.metadata.annotations).toMatchObject({ 'tars.io/MarkedAt': NOW, 'tars.io/ActivatedBy': 'ann' })
  })

  it('TC-S1 a request that is refused later has lost nothing (TC-S6)', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    expect(await refusal(bring(cluster, 'v2'))).toMatch('already exists')
    expect(await cluster.get(TCONFIG, at('v1'))).toMatchObject({ activated: true, configContent: 'a=1' })
  })

  it('TC-S1 a rollback: the old version comes back, and the newer one is marked', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    await deactivated(cluster, 'v1')
    expect(await marksOf(cluster, 'v1')).toEqual({ by: undefined })
    const warnings: string[] = []
    await back(cluster, 'v1', { warn: (warning: string) => warnings.push(warning), user: 'bob' })
    expect(warnings).toEqual(['deactivates TConfig v2'])
    expect(await marksOf(cluster, 'v2')).toEqual({ ...DEACTIVATING, by: 'v1' })
    const { metadata } = (await cluster.get(TCONFIG, at('v1'))) ?? {}
    expect(metadata?.labels).toMatchObject({ 'tars.io/Activated': 'true' })
    expect(metadata?.annotations).toMatchObject({ 'tars.io/ActivatedBy': 'bob' })
  })

  it('TC-S2 the deletion of the version in force marks the others, and they keep what they have (TC-S6)', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    await deactivated(cluster, 'v1')
    const warnings: string[] = []
    await cluster.remove(TCONFIG, at('v2'), { user: 'ann', warn: (warning) => warnings.push(warning) })
    expect(warnings).toEqual([expect.stringMatching(/^removes 2 versions/)])
    expect(await marksOf(cluster, 'v1')).toEqual({ ...DELETING, by: 'v2' })
    expect(await cluster.get(TCONFIG, at('v1'))).toMatchObject({ activated: false, configContent: 'a=1' })
    expect(await refusal(back(cluster, 'v1'))).toMatch('this TConfig is being deleted; create a new one (TC-V9)')
  })

  it('TC-S1 a version that comes after such a deletion is not of that history', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await cluster.remove(TCONFIG, at('v1'), { user: 'ann' })
    await bring(cluster, 'v2')
    expect(await marksOf(cluster, 'v2')).toEqual({ by: undefined })
  })

  it('TC-V13 a master with variants stays, and nothing is marked', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    await bring(cluster, 'pod', { podSeq: '0' })
    const before = await marksOf(cluster, 'v1')
    expect(await refusal(cluster.remove(TCONFIG, at('v2'), { user: 'ann' }))).toMatch(
      'metadata.name: TConfig demo/v2: in use by node-level configuration pod; delete what is for single pods first, then repeat (TC-V13)',
    )
    expect(await marksOf(cluster, 'v1')).toEqual(before)
    await cluster.remove(TCONFIG, at('pod'), { user: 'ann' })
    await cluster.remove(TCONFIG, at('v2'), { user: 'ann' })
    expect(await marksOf(cluster, 'v1')).toMatchObject({ ...DELETING, by: 'v2' })
  })

  it('W-9 dry runs say what would follow, and write nothing', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    await deactivated(cluster, 'v1')
    const stored = async () => JSON.stringify(await cluster.list(TCONFIG, { namespace: 'demo' }))
    const before = await stored()
    const warnings: string[] = []
    const dry = { user: 'ann', dryRun: true, warn: (warning: string) => warnings.push(warning) }
    await cluster.create(TCONFIG, aDraftOfTConfig({ name: 'v3' }), dry)
    await back(cluster, 'v1', dry)
    await cluster.remove(TCONFIG, at('v2'), dry)
    expect(warnings).toEqual([
      'deactivates TConfig v2',
      'deactivates TConfig v2',
      expect.stringMatching(/^removes 2 versions/),
    ])
    expect(await stored()).toBe(before)
  })

  it.each([{ user: 'ann' } satisfies Sent, { user: CTRL } satisfies Sent])(
    'TC-M10 what is marked cannot be unmarked by $user unless it is ours',
    async ({ user }) => {
      const cluster = admittingCluster()
      await bring(cluster, 'v1')
      await bring(cluster, 'v2')
      const labels = { 'tars.io/Deactivate': null, 'tars.io/Deactivating': null }
      await cluster.merge(TCONFIG, at('v1'), { metadata: { labels } }, { user })
      const marks = await marksOf(cluster, 'v1')
      expect(isTree(marks) && 'tars.io/Deactivating' in marks).toBe(user === 'ann')
    },
  )

  it('versions that are generated one after the other differ in name and in version', async () => {
    const cluster = admittingCluster()
    const { metadata: _, ...draft } = aDraftOfTConfig()
    const generated = { ...draft, metadata: { generateName: 'v-', namespace: 'demo' } }
    const one = await cluster.create(TCONFIG, generated, { user: 'ann' })
    const two = await cluster.create(TCONFIG, generated, { user: 'ann' })
    expect(one.version).not.toBe(two.version)
    expect(await marksOf(cluster, one.metadata.name)).toEqual({ ...DEACTIVATING, by: two.metadata.name })
  })
})
