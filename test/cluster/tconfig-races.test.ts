import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import type { Answer } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'
import { until } from './until.ts'

/** Each case runs in a namespace of its own, on so many configurations. */
const TIMES = 100
const AT_ONCE = 10
const CASES = ['a', 'b', 'c', 'd', 'e', 'f'] as const
type Case = (typeof CASES)[number]

const cluster = theCluster()
const homeOf = (one: Case) => `races-${one}`
const pathOf = (one: Case, name = '') => `/apis/k8s.tars.io/v1beta2/namespaces/${homeOf(one)}/tconfigs/${name}`
let product: Product
let worker: OurProcess<WorkerReady>

beforeAll(async () => {
  product = await install(cluster)
  for (const one of CASES) expectDone(await cluster.kubectl(['create', 'namespace', homeOf(one)]))
  worker = product.worker()
  await worker.start()
}, 120_000)
afterAll(async () => {
  await worker.stop()
  expectDone(await cluster.kubectl(['delete', 'namespace', ...CASES.map(homeOf), '--timeout=100s']))
  await product.uninstall()
}, 180_000)

async function times(act: (i: number) => Promise<unknown>): Promise<void> {
  const left = Array.from({ length: TIMES }, (_, i) => i)
  const work = async () => {
    for (let i = left.shift(); i !== undefined; i = left.shift()) await act(i)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

const config = (i: number, version: string, activated: boolean) => ({
  apiVersion: 'k8s.tars.io/v1beta2',
  kind: 'TConfig',
  metadata: { name: `${version}-${i}` },
  ...{ app: 'Demo', server: 'Echo', configName: `file-${i}`, configContent: version, activated },
})
const send = (one: Case, i: number, version: string, { query = '', activated = true } = {}) =>
  cluster.request('POST', pathOf(one) + query, config(i, version, activated))
const remove = (one: Case, i: number, version: string, query = '') =>
  cluster.request('DELETE', pathOf(one, `${version}-${i}`) + query)
async function create(...args: Parameters<typeof send>): Promise<void> {
  expect(await send(...args)).toMatchObject({ status: 201 })
}

const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
async function stored(one: Case): Promise<readonly Tree[]> {
  const { items } = treeOf((await cluster.request('GET', pathOf(one))).body)
  return Array.isArray(items) ? items.map(treeOf) : []
}
/** Of each file the names of its versions, and its state: `v2 -v1` when v2 is active, with a star for a mark. */
async function histories(one: Case): Promise<readonly string[]> {
  const byFile = Map.groupBy(await stored(one), ({ configName }) => String(configName))
  return [...byFile.values()].map((versions) => versions.map(shortly).toSorted().join(' '))
}
function shortly({ metadata, activated }: Tree): string {
  const { name, labels } = treeOf(metadata)
  const isMarked = Object.keys(treeOf(labels)).some((label) => /Deactivat(e|ing)$|Deleting$/.test(label))
  return `${activated === true ? '' : '-'}${isMarked ? '*' : ''}${String(name).split('-')[0]}`
}
const settled = (one: Case, wanted: readonly string[]) =>
  until(`${wanted.join(' or ')} of all in ${homeOf(one)}`, async () => {
    const found = await histories(one)
    if (found.length === TIMES && found.every((each) => wanted.includes(each))) return true
    throw new Error(`${found.length}: ${[...new Set(found)].join('; ')}`)
  })
const versionsOf = async (one: Case) =>
  (await stored(one)).map(({ metadata }) => `${treeOf(metadata).name} ${treeOf(metadata).resourceVersion}`)

const bothActivated = (one: Case) =>
  times(async (i) => {
    const answers = await Promise.all([send(one, i, 'v1'), send(one, i, 'v2')])
    expect(answers.map(({ status }: Answer) => status)).toEqual([201, 201])
  })
const ONE_OF_BOTH = ['-v1 v2', '-v2 v1']

describe(`the race cases of a TConfig, ${TIMES} times each`, () => {
  it('(a) TC-R3 two activations at once: one is in force in the end, none is lost', async () => {
    await bothActivated('a')
    await settled('a', ONE_OF_BOTH)
  }, 90_000)

  it('(b) TC-R1 an activation that a quota refuses behind the webhook: the old one is in force and unmarked', async () => {
    await times((i) => create('b', i, 'v1'))
    const hard = { 'count/tconfigs.k8s.tars.io': '0' } // less than there are, whatever the quota controller counts
    const quotas = `/api/v1/namespaces/${homeOf('b')}/resourcequotas`
    expect(await cluster.request('POST', quotas, { metadata: { name: 'full' }, spec: { hard } })).toMatchObject({
      status: 201,
    })
    const status = { status: { hard, used: hard } }
    await cluster.request('PATCH', `${quotas}/full/status`, status, { contentType: 'application/merge-patch+json' })
    const tried = () => send('b', 0, 'v2', { query: '?dryRun=All' })
    await until('the quota is heeded', async () => (await tried()).status === 403)
    await times(async (i) => expect(await send('b', i, 'v2')).toMatchObject({ status: 403 }))
    expect(new Set(await histories('b'))).toEqual(new Set(['*v1']))
    await settled('b', ['v1'])
    const events = await cluster.kubectl([
      'get',
      'events',
      `--namespace=${homeOf('b')}`,
      '-o',
      'name',
      '--field-selector=reason=DeactivateCancelled',
    ])
    expect(events.stdout.trim().split('\n')).toHaveLength(TIMES)
  }, 120_000)

  it('(c) a deletion in a dry run, (d) an activation in a dry run, as kubectl diff sends it: nothing changes', async () => {
    for (const one of ['c', 'd'] as const) {
      await times((i) => create(one, i, 'v1'))
      const before = await versionsOf(one)
      const dry = (i: number) =>
        one === 'c' ? remove(one, i, 'v1', '?dryRun=All') : send(one, i, 'v2', { query: '?dryRun=All' })
      await times(async (i) => expect((await dry(i)).status).toBeLessThan(300))
      expect(await versionsOf(one)).toEqual(before)
      expect(new Set(await histories(one))).toEqual(new Set(['v1']))
    }
  }, 90_000)

  it('(e) TC-R2 a deletion, then an activation, of the same name in half the cases: the history is gone, the new one stays', async () => {
    await times((i) => create('e', i, 'v0', { activated: false }))
    await times((i) => create('e', i, 'v1'))
    await times(async (i) => {
      expect(await remove('e', i, 'v1')).toMatchObject({ status: 200 })
      await create('e', i, i % 2 === 0 ? 'v1' : 'v2')
    })
    await settled('e', ['v1', 'v2'])
  }, 90_000)

  it('(f) as (a) without a worker: its start leaves one in force', async () => {
    await worker.stop()
    await bothActivated('f')
    expect(await stored('f')).toHaveLength(2 * TIMES)
    await worker.start()
    await settled('f', ONE_OF_BOTH)
  }, 90_000)
})
