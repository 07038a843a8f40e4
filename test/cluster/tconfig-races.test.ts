import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { SEED } from '../support/seed.ts'
import type { Answer } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'
import { until } from './until.ts'

/** Each case runs in a namespace of its own, on so many configurations, some of them at the same time. */
const TIMES = 100
const AT_ONCE = 10
const CASES = ['a', 'b', 'c', 'd', 'e', 'f'] as const
type Case = (typeof CASES)[number]

/** A write takes 10 to 40 ms here, so a second one meets it at any of its steps, or comes after it. */
const pauseMs = fc.oneof(fc.constant(0), fc.nat({ max: 40 }))
const bothVersions = fc.record({ order: fc.shuffledSubarray(['v1', 'v2'], { minLength: 2 }), pauseMs })
const pausesMs = fc.array(pauseMs, { minLength: 1, maxLength: 3 })
const comingBack = fc.record({
  history: fc.subarray(['v01', 'v02']),
  pauseMs: fc.oneof(pauseMs, fc.nat({ max: 900 })),
  again: fc.constantFrom('v1', 'v2'),
})

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

/** What the seed draws is done for one configuration after the other, some at once; answers what was drawn for each. */
async function times<S>(story: fc.Arbitrary<S>, act: (i: number, story: S) => Promise<unknown>) {
  const stories = fc.sample(story, { numRuns: TIMES, seed: SEED })
  const left = [...stories.entries()]
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await act(...next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return stories
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
/** Answers its name and version. */
async function create(...args: Parameters<typeof send>): Promise<string> {
  const { status, body } = await send(...args)
  expect({ status, body }).toMatchObject({ status: 201 })
  return versionOf(treeOf(body))
}
/** Each with its pause before it. */
const meanwhile = (pauses: readonly number[], act: () => Promise<Answer>): Promise<readonly Answer[]> =>
  Promise.all(pauses.map((ms) => sleep(ms).then(act)))

const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
const nameOf = ({ metadata }: Tree) => String(treeOf(metadata).name)
const versionOf = (object: Tree) => `${nameOf(object)} ${treeOf(object.metadata).resourceVersion}`
async function stored(one: Case): Promise<readonly Tree[]> {
  const { items } = treeOf((await cluster.request('GET', pathOf(one))).body)
  return Array.isArray(items) ? items.map(treeOf) : []
}
/** The names of its versions, and their state: `v2 -v1` when v2 is active, with a star for a mark. */
async function histories(one: Case): Promise<ReadonlyMap<number, string>> {
  const byFile = Map.groupBy(await stored(one), (object) => Number(nameOf(object).split('-')[1]))
  return new Map([...byFile].map(([i, versions]) => [i, versions.map(shortly).toSorted().join(' ')]))
}
function shortly(object: Tree): string {
  const labels = treeOf(treeOf(object.metadata).labels)
  const isMarked = Object.keys(labels).some((label) => /Deactivat(e|ing)$|Deleting$/.test(label))
  return `${object.activated === true ? '' : '-'}${isMarked ? '*' : ''}${nameOf(object).split('-')[0]}`
}
const settled = (one: Case, wanted: (i: number) => readonly string[]) =>
  until(`all is settled in ${homeOf(one)}`, async () => {
    const found = await histories(one)
    const others = Array.from({ length: TIMES }, (_, i) => `${i}: ${found.get(i)}`).filter(
      (_, i) => !wanted(i).includes(found.get(i) ?? ''),
    )
    if (others.length === 0) return true
    throw new Error(others.join('; '))
  })

const bothActivated = (one: Case) =>
  times(bothVersions, (i, { order, pauseMs }) =>
    Promise.all(order.map((version, at) => sleep(at * pauseMs).then(() => create(one, i, version)))),
  )
const oneOfBoth = () => ['-v1 v2', '-v2 v1']

describe(`the race cases of a TConfig, ${TIMES} times each, in interleavings of seed ${SEED}`, () => {
  it('(a) TC-R3 two activations at once: one is in force in the end, none is lost', async () => {
    await bothActivated('a')
    await settled('a', oneOfBoth)
  }, 90_000)

  it('(b) TC-R1 activations that a quota refuses behind the webhook: the old one is in force and unmarked', async () => {
    await times(fc.constant('v1'), (i, version) => create('b', i, version))
    const hard = { 'count/tconfigs.k8s.tars.io': '0' } // less than there are, whatever the quota controller counts
    const quotas = `/api/v1/namespaces/${homeOf('b')}/resourcequotas`
    expect(await cluster.request('POST', quotas, { metadata: { name: 'full' }, spec: { hard } })).toMatchObject({
      status: 201,
    })
    const status = { status: { hard, used: hard } }
    await cluster.request('PATCH', `${quotas}/full/status`, status, { contentType: 'application/merge-patch+json' })
    const tried = () => send('b', 0, 'v2', { query: '?dryRun=All' })
    await until('the quota is heeded', async () => (await tried()).status === 403)
    await times(pausesMs, async (i, pauses) => {
      const answers = await meanwhile(pauses, () => send('b', i, 'v2'))
      expect(answers.map(({ status }) => status)).toEqual(pauses.map(() => 403))
      expect(shortly(treeOf((await cluster.request('GET', pathOf('b', `v1-${i}`))).body))).toBe('*v1')
    })
    await settled('b', () => ['v1'])
    const args = ['get', 'events', `--namespace=${homeOf('b')}`, '-o', 'name']
    const events = await cluster.kubectl([...args, '--field-selector=reason=DeactivateCancelled'])
    expect(events.stdout.trim().split('\n')).toHaveLength(TIMES)
  }, 120_000)

  it.each([
    { name: '(c) deletions in a dry run', one: 'c' },
    { name: '(d) activations in a dry run, as kubectl diff sends them', one: 'd' },
  ] as const)(
    '$name: nothing changes',
    async ({ one }) => {
      const query = '?dryRun=All'
      const dry = (i: number) => (one === 'c' ? remove(one, i, 'v1', query) : send(one, i, 'v2', { query }))
      const created: string[] = []
      await times(pausesMs, async (i, pauses) => {
        created.push(await create(one, i, 'v0', { activated: false }))
        const [version] = await Promise.all([create(one, i, 'v1'), meanwhile(pauses, () => dry(i))])
        created.push(version)
        expect((await dry(i)).status).toBeLessThan(300)
      })
      expect((await stored(one)).map(versionOf).toSorted()).toEqual(created.toSorted())
      await settled(one, () => ['-v0 v1'])
    },
    90_000,
  )

  it('(e) TC-R2 a deletion, then an activation, also of the same name: the history is gone, the new one stays', async () => {
    const stories = await times(comingBack, async (i, { history, pauseMs, again }) => {
      for (const version of history) await create('e', i, version, { activated: false })
      await create('e', i, 'v1')
      expect(await remove('e', i, 'v1')).toMatchObject({ status: 200 })
      await sleep(pauseMs)
      await create('e', i, again)
    })
    await settled('e', (i) => [stories[i]?.again ?? ''])
  }, 90_000)

  it('(f) as (a) without a worker: its start leaves one in force', async () => {
    await worker.stop()
    await bothActivated('f')
    expect(await stored('f')).toHaveLength(2 * TIMES)
    await worker.start()
    await settled('f', oneOfBoth)
  }, 90_000)
})
