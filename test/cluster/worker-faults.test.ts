import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tree } from '../../src/schema.ts'
import { workerFaults } from '../faults/worker.ts'
import { aDraftOfTConfig } from '../support/builders/configs.ts'
import { APPROVED, aTDeploy } from '../support/builders/deploys.ts'
import { aTFrameworkConfig } from '../support/builders/framework-configs.ts'
import { aRelease, aTServer } from '../support/builders/servers.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { at, treesOf } from '../support/builders/trees.ts'
import { MADE, rested, workplaceIn } from './at-work.ts'
import { inWords } from './audited.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady, workersThrough } from './product.ts'
import { until } from './until.ts'
import { killedAt, momentsOf, succeed, type WriteProxy, writeProxyTo } from './write-proxy.ts'

const cluster = theCluster()
const namespace = 'demo'
const { audit, create, exists, list, merge, read, remove } = workplaceIn(cluster, namespace)
let proxy: WriteProxy
let product: Product
let worker: OurProcess<WorkerReady>

beforeAll(async () => {
  proxy = await writeProxyTo(cluster)
  product = await install(workersThrough(proxy, cluster))
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  for (const object of [aTTemplate({ name: 'base', namespace }), aTFrameworkConfig()])
    expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(object) }))
  worker = product.worker()
  await worker.start()
  await create('tservers', aTServer({ server: 'First' })) // so that there is a TTree
  await rested(worker)
}, 120_000)
afterAll(async () => {
  await worker.stop()
  await proxy.stop()
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s'])
  await product.uninstall()
}, 180_000)

/** From an approved request on: TServer, `deployed`, TTree, and the five of a new TServer. */
const WRITES = 8
const MOMENTS = momentsOf(WRITES)

describe('RL-8, WR-5 kill -9 at every write of the flow of a new server', () => {
  it.each(MOMENTS)('$side write $write: it converges, with at most one extra write', async ({ write, side }) => {
    const app = `${side}${write}`
    const name = `${app}-echo`
    const writes = audit()
    const killed = killedAt({ write, side }, { proxy, worker })
    await create('tdeploys', aTDeploy({ name, apply: { app } }))
    await merge('tdeploys', name, { approve: APPROVED })
    await killed
    await succeed(worker, cluster)
    await until('all is there', async () => {
      const [deploy, server] = [await read('tdeploys', name), await read('tservers', name)]
      const made = await Promise.all(MADE.map((of) => exists(of, name)))
      return deploy.deployed === true && at(server, 'status') !== undefined && made.every(Boolean)
    })
    await rested(worker)
    const apps = treesOf(at(await read('ttrees', 'tars-tree'), 'apps'))
    expect(apps.filter((each) => each.name === app)).toHaveLength(1)
    const all = writes().map(inWords)
    expect(all.length, all.join()).toBeLessThanOrEqual(WRITES + 1)
    expect(all.filter((call) => !/ 20[01]$/.test(call))).toEqual([])
  })
})

/** Workload, records and status. A further status follows at times, as pods come and go. */
const CHANGES = [
  {
    what: 'Release',
    spec: { release: aRelease({ id: 'v2', image: 'registry.example/echo:v2' }) },
    isDone: (set: Tree) => at(set, 'spec.template.spec.containers.0.image') === 'registry.example/echo:v2',
  },
  { what: 'Scale', spec: { k8s: { replicas: 2 } }, isDone: (set: Tree) => at(set, 'spec.replicas') === 2 },
].flatMap((each) => momentsOf(4).map((moment) => ({ ...each, ...moment })))

describe('RL-8, WR-5 kill -9 at every write of a change', () => {
  it.each(CHANGES)('$side write $write of a $what: it is done, once', async ({ write, side, what, spec, isDone }) => {
    const server = `${what}${side}${write}`
    const name = `demo-${server.toLowerCase()}`
    await create('tservers', aTServer({ server, k8s: { replicas: 1 }, release: aRelease() }))
    await until('its pod is listed', async () => JSON.stringify(await read('tendpoints', name)).includes(`${name}-0`))
    await rested(worker)
    const before = Number(at(await read('statefulsets', name), 'metadata.generation'))
    const writes = audit()
    const killed = killedAt({ write, side }, { proxy, worker })
    await merge('tservers', name, { spec })
    await killed
    await succeed(worker, cluster)
    await until('it is done', async () => isDone(await read('statefulsets', name)))
    await rested(worker)
    expect(Number(at(await read('statefulsets', name), 'metadata.generation'))).toBe(before + 1)
    const all = writes().map(inWords)
    expect(all.filter((call) => call.startsWith('patch statefulsets')).length, all.join()).toBeLessThanOrEqual(2)
    expect(all.filter((call) => !/ 20[01]$/.test(call))).toEqual([])
  })
})

const versionOf = (file: string, name: string) => ({
  ...aDraftOfTConfig({ configName: file }),
  metadata: { name: `${file}-${name}` },
})
/** The names of its versions, with a star for the one in force. */
async function historyOf(file: string): Promise<string> {
  const versions = (await list('tconfigs')).filter(({ configName }) => configName === file)
  const words = versions.map((each) => `${at(each, 'metadata.name')}${each.activated === true ? '*' : ''}`)
  return words.toSorted().join(' ').replaceAll(`${file}-`, '')
}
const ACTS = [
  {
    what: 'an activation',
    act: (file: string) => create('tconfigs', versionOf(file, 'v4')),
    history: 'v1 v2 v3 v4*',
    writes: ['patch tconfigs 200'],
  },
  {
    what: 'a deletion of what is in force',
    act: (file: string) => remove('tconfigs', `${file}-v3`),
    history: '',
    writes: ['delete tconfigs 200', 'delete tconfigs 200'],
  },
].flatMap((each) => momentsOf(each.writes.length).map((moment) => ({ ...each, ...moment })))

describe('RL-8, WR-5 kill -9 at every write to a history (TC-R1, TC-R2)', () => {
  it.each(ACTS)('$side write $write of $what: it is done, once', async ({ write, side, act, history, writes }) => {
    const file = `${side}${write}${writes.length}`
    for (const name of ['v1', 'v2', 'v3']) await create('tconfigs', versionOf(file, name))
    await until('the last is in force', async () => (await historyOf(file)) === 'v1 v2 v3*')
    await rested(worker)
    const written = audit()
    const killed = killedAt({ write, side }, { proxy, worker })
    await act(file)
    await killed
    await succeed(worker, cluster)
    await until(`the history is ${history}`, async () => (await historyOf(file)) === history)
    await rested(worker)
    expect(written().map(inWords)).toEqual(writes)
  })
})

describe('TS-R7 a server that is deleted in the midst of its plan', () => {
  it.each([1, 2, 3, 4, 5])('behind write %i: nothing is left of it', async (write) => {
    const server = `Brief${write}`
    const name = `demo-${server.toLowerCase()}`
    const deleted = proxy.befall({ write, side: 'behind' }, async () => {
      expect(await remove('tservers', name)).toMatchObject({ status: 200 })
      return 'answered'
    })
    await create('tservers', aTServer({ server }))
    await deleted
    await rested(worker)
    const left = async () => {
      const objects = (await Promise.all(MADE.map((of) => list(of)))).flat()
      return objects.filter((object) => at(object, 'metadata.name') === name)
    }
    await until('all is collected', async () => (await left()).length === 0)
    await rested(worker)
    expect(await left()).toEqual([])
  })
})

describe('RL-6 a worker whose API server is in trouble', () => {
  it('goes on within 5 s, with at most one list a kind', async () => {
    const rows = await workerFaults({ quick: true })
    for (const { what, measured } of rows) process.stdout.write(`${what}: ${measured}\n`)
    expect(rows.filter(({ holds }) => !holds)).toEqual([])
  }, 180_000)
})
