import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import './tconfig-writes.ts'
import type { Printed } from './client.ts'
import { expectDone, IDENTITY, install, type Product } from './product.ts'
import {
  audited,
  cluster,
  config,
  deactivatedBy,
  kubectl,
  marksOf,
  metaOf,
  namespace,
  on,
  patch,
  stored,
  treeOf,
  UNMARKED,
} from './tconfig-cluster.ts'
import { until } from './until.ts'

let product: Product

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)
const deletedBy = (by: string) => ({ 'tars.io/Deleting': '', by })

describe('TC-S2 a delete of what is in force', () => {
  it('marks its history, which can be used no more (TC-V9), and what is created then is not of it', async () => {
    expectDone(await kubectl('create', [config('gone', 'gone-1', { activated: false }), config('gone', 'gone-2')]))
    const { code, stderr } = await on('delete', 'tc', 'gone-2')
    expect(code).toBe(0)
    expect(stderr).toContain('Warning: removes 2 versions, ')
    expect(await marksOf('gone-1')).toEqual(deletedBy('gone-2'))
    expect((await patch('gone-1', { activated: true })).stderr).toContain(
      'metadata.labels[tars.io/Deleting]: this TConfig is being deleted; create a new one (TC-V9)',
    )
    expectDone(await kubectl('create', config('gone', 'gone-3')))
    expect(await marksOf('gone-3')).toEqual(UNMARKED)
    expect(await on('delete', 'tc', 'gone-1')).toMatchObject({ code: 0, stderr: '' })
  })
  it('that waits for a finalizer does so once: what is created meanwhile is not of it', async () => {
    const held = { metadata: { name: 'held-1', finalizers: ['example.com/hold'] } }
    expectDone(await kubectl('create', config('held', 'held-1', held)))
    expectDone(await on('delete', 'tc', 'held-1', '--wait=false'))
    expectDone(await kubectl('create', config('held', 'held-2')))
    expectDone(await on('delete', 'tc', 'held-1', '--wait=false'))
    expect(await marksOf('held-2')).toEqual(UNMARKED)
    expectDone(await patch('held-1', { metadata: { finalizers: null } }))
    expect((await on('get', 'tc', 'held-1')).stderr).toContain('not found')
  })
})

describe('labels that lie', () => {
  const lying = {
    app: 'Shop',
    metadata: {
      name: 'shop-1',
      labels: {
        'tars.io/ServerApp': 'Demo',
        'tars.io/ServerName': 'Echo',
        'tars.io/ConfigName': 'lies',
        'tars.io/PodSeq': 'm',
      },
    },
  }
  const bad = config('lies', 'bad', { server: '', podSeq: '3' })
  const isRefused = async () => (await kubectl('create', bad, '--dry-run=server')).stderr.includes('(TC-V11)')
  const isCompleted = async () =>
    (await kubectl('create', config('lies', 'good'), '--dry-run=server', '-o', 'yaml')).stdout.includes(
      'tars.io/Version',
    )

  /** As an author finds a cluster whose webhook was taken away for a while. */
  async function unreviewed(write: () => Promise<Printed>): Promise<void> {
    const stdin = await product.manifests('webhooks')
    expectDone(await cluster.kubectl(['delete', '-f', '-'], { stdin }))
    const isPassed = async () => !(await isRefused()) && !(await isCompleted())
    await until('nothing is reviewed', isPassed)
    expectDone(await write())
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
    await until('everything is reviewed again', async () => (await isRefused()) && (await isCompleted()))
  }

  it('TC-S2: the version of another app is neither marked nor counted, and stays open to its author', async () => {
    await unreviewed(() => kubectl('create', config('lies', 'shop-1', lying)))
    expect((await metaOf('shop-1')).labels).toMatchObject(lying.metadata.labels)
    expectDone(await kubectl('create', [config('lies', 'lies-1', { activated: false }), config('lies', 'lies-2')]))
    const { code, stderr } = await on('delete', 'tc', 'lies-2')
    expect(code).toBe(0)
    expect(stderr).toContain('Warning: removes 2 versions, ')
    expect(await marksOf('lies-1')).toEqual(deletedBy('lies-2'))
    expect(await marksOf('shop-1')).toEqual(UNMARKED)
    expectDone(await on('annotate', 'tc', 'shop-1', 'a.example.com/b=c'))
    expect((await metaOf('shop-1')).labels).toMatchObject({ 'tars.io/ServerApp': 'Shop' })
  })
})

describe('W-7 a version that waits for a finalizer of its author', () => {
  beforeAll(async () => {
    const held = { metadata: { name: 'ending-1', finalizers: ['example.com/hold'] } }
    expectDone(await kubectl('create', config('ending', 'ending-1', held)))
    expectDone(await on('delete', 'tc', 'ending-1', '--wait=false'))
  })

  it.each([
    { change: { configContent: 'b=2' }, rule: 'TC-V6' },
    { change: { app: 'Shop' }, rule: 'TC-V1' },
    { change: { app: 'Shop', metadata: { finalizers: null } }, rule: 'TC-V1' },
  ])('is given no $change ($rule)', async ({ change, rule }) => {
    const before = await stored('ending-1')
    expect((await patch('ending-1', change)).stderr).toContain(`(${rule})`)
    expect(await stored('ending-1')).toEqual(before)
  })
  it('keeps the labels of its fields, and who activated it', async () => {
    const before = await metaOf('ending-1')
    expectDone(await on('label', 'tc', 'ending-1', '--overwrite', 'tars.io/ServerApp=Shop', 'tars.io/PodSeq=3'))
    expectDone(await on('annotate', 'tc', 'ending-1', '--overwrite', 'tars.io/ActivatedBy=eve'))
    expect(await metaOf('ending-1')).toEqual(before)
  })
  it('loses its finalizer, and ends', async () => {
    expectDone(await patch('ending-1', { metadata: { finalizers: null } }))
    expect((await on('get', 'tc', 'ending-1')).stderr).toContain('not found')
  })
})

describe('what people do with it', () => {
  it('get shows what it is, by the short name and by the category', async () => {
    const { stdout } = await on('get', 'tc', 'made-1')
    expect(stdout).toMatch(
      /NAME +APP +SERVER +PODSEQ +CONFIGNAME +VERSION +ACTIVATED +AGE\nmade-1 +Demo +Echo +m +made /,
    )
    expect((await on('get', 'tars')).stdout).toMatch(/^(tconfig\.k8s\.tars\.io\/)?made-1 +Demo +Echo /m)
  })
  const family = () => [config('all', 'all-1'), config('all', 'all-2'), config('all', 'all-0', { podSeq: '0' })]
  const bringTo = async (home: string) => {
    expectDone(await cluster.kubectl(['create', 'namespace', home]))
    for (const each of family())
      expectDone(await cluster.kubectl(['create', `--namespace=${home}`, '-f', '-'], { stdin: JSON.stringify(each) }))
  }
  it('delete --all comes through when it is repeated', async () => {
    await bringTo('all-configs')
    const clear = () => cluster.kubectl(['delete', 'tc', '--all', '--namespace=all-configs'])
    for (let left = 3; left > 0 && (await clear()).code !== 0; left -= 1);
    expect((await cluster.kubectl(['get', 'tc', '--namespace=all-configs', '-o', 'name'])).stdout).toBe('')
    expectDone(await cluster.kubectl(['delete', 'namespace', 'all-configs', '--timeout=50s']))
  })
  it('with its namespace it goes, whatever it holds, and does not hold it up', async () => {
    await bringTo('doomed-configs')
    expectDone(await cluster.kubectl(['delete', 'namespace', 'doomed-configs', '--timeout=50s']))
  })
})

describe('a webhook that runs outside of the cluster, under a user of its own', () => {
  const OUTSIDE = { namespace: IDENTITY.namespace, name: 'outside' } as const
  const user = `${OUTSIDE.namespace}:${OUTSIDE.name}`
  const inHome = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${OUTSIDE.namespace}`])

  /** With the printed rights and no others. */
  beforeAll(async () => {
    const bound = [`--serviceaccount=${user}`]
    expectDone(await inHome('create', 'serviceaccount', OUTSIDE.name))
    expectDone(await inHome('create', 'rolebinding', OUTSIDE.name, `--role=${IDENTITY.name}`, ...bound))
    expectDone(await inHome('create', 'clusterrolebinding', OUTSIDE.name, `--clusterrole=${IDENTITY.name}`, ...bound))
    await product.webhook.stop()
    await product.webhook.startAs(OUTSIDE)
  })
  afterAll(async () => {
    expectDone(await inHome('delete', 'clusterrolebinding', OUTSIDE.name))
    expectDone(await inHome('delete', `rolebinding/${OUTSIDE.name}`, `serviceaccount/${OUTSIDE.name}`))
  })

  it('knows its own marks when they come back for review: when they were set and by whom stays (TC-S6)', async () => {
    expectDone(await kubectl('create', [config('out', 'out-1'), config('out', 'out-2')]))
    expect(await marksOf('out-1')).toEqual(deactivatedBy('out-2'))
    expect((await metaOf('out-1')).annotations).toMatchObject({ 'tars.io/MarkedAt': expect.stringMatching(/^20.*Z$/) })
    const writes = audited('"verb":"patch"').filter(({ objectRef }) => treeOf(objectRef).name === 'out-1')
    expect(writes.map((write) => treeOf(write.user).username)).toEqual([`system:serviceaccount:${user}`])
  })
  it('takes the marks of everybody else for set by hand', async () => {
    expectDone(await kubectl('create', config('hand', 'hand-1')))
    expectDone(await on('label', 'tc', 'hand-1', 'tars.io/Deactivating='))
    expectDone(await on('annotate', 'tc', 'hand-1', 'tars.io/MarkedBy=eve', 'tars.io/MarkedAt=2026-01-01T00:00:00Z'))
    expect(await marksOf('hand-1')).toEqual({ 'tars.io/Deactivating': '', by: undefined })
    expect((await metaOf('hand-1')).annotations).not.toHaveProperty(['tars.io/MarkedAt'])
  })
})
