import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tree } from '../../src/schema.ts'
import { APPROVED, aTDeploy } from '../support/builders/deploys.ts'
import { aTFrameworkConfig } from '../support/builders/framework-configs.ts'
import { aRelease } from '../support/builders/servers.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { at } from '../support/builders/trees.ts'
import { MADE, type Plural, rested, workplaceIn } from './at-work.ts'
import { inWords } from './audited.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'
import { type SimulatedNodes, simulatedNodes } from './simulated-nodes.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'demo'
const { audit, byHand, create, exists, list, merge, on, path, read, remove } = workplaceIn(cluster, namespace)
let product: Product
let worker: OurProcess<WorkerReady>
let nodes: SimulatedNodes | undefined

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  for (const object of [aTTemplate({ name: 'base', namespace }), aTFrameworkConfig()])
    expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(object) }))
  worker = product.worker()
  await worker.start()
  nodes = await simulatedNodes(cluster, ['red', 'blue'])
  expectDone(await cluster.kubectl(['label', 'nodes', 'red', 'blue', `tars.io/node.${namespace}=`]))
}, 300_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s'])
  await product.uninstall() // before the nodes, where pods of the printed Deployments are, too
  await nodes?.stop()
}, 180_000)

const soon = (what: string, holds: () => Promise<boolean>) => until(what, holds, { seconds: 40 })
async function secondsUntil(what: string, holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  await soon(what, holds)
  return (performance.now() - began) / 1_000
}
const podsOf = (server: string) => list('pods', `labelSelector=tars.io/ServerName=${server}`)
/** What the registry of TARS does, which no test has (TE-R5). */
async function activate(server: string): Promise<void> {
  const condition = { type: 'tars.io/active', status: 'True', reason: 'Active/Active/7' }
  for (const pod of await podsOf(server)) {
    const status = `${path('pods', String(at(pod, 'metadata.name')))}/status`
    const contentType = 'application/strategic-merge-patch+json'
    await cluster.request('PATCH', status, { status: { conditions: [condition] } }, { contentType })
  }
}
const areReady = (name: string, many: number) =>
  soon(`${many} pods of ${name} are ready`, async () => {
    const server = await read('tservers', name)
    if (at(server, 'spec.k8s.readinessGate') !== undefined) await activate(String(at(server, 'spec.server')))
    return at(server, 'status.readyReplicas') === many && at(server, 'status.currentReplicas') === many
  })
const imagesOf = (pods: readonly Tree[]) => new Set(pods.map((pod) => at(pod, 'spec.containers.0.image')))

describe('the flow of the seed', () => {
  it('TD-R1…R3, TS-R1…R4, TR-R1, WR-10: an approved request becomes a server and all its objects, with eight writes', async () => {
    const writes = audit()
    await create('tdeploys', aTDeploy())
    await merge('tdeploys', 'demo-echo-1', { approve: APPROVED })
    await soon('it is deployed', async () => (await read('tdeploys', 'demo-echo-1')).deployed === true)
    for (const of of MADE) await soon(`there are ${of}`, () => exists(of, 'demo-echo'))
    await rested(worker)
    expect(writes().map(inWords).toSorted()).toEqual([
      'create texitedrecords 201',
      'create tservers 201',
      'create ttrees 201',
      'patch services 201',
      'patch statefulsets 201',
      'patch tdeploys 200',
      'patch tendpoints 201',
      'patch tservers/status 200',
    ])
    expect(at(await read('ttrees', 'tars-tree'), 'apps')).toMatchObject([{ name: 'Demo' }])
  })

  it('a release brings pods, which become ready (TS-R8, TE-R3, TE-R4)', async () => {
    await merge('tservers', 'demo-echo', { spec: { release: aRelease(), k8s: { replicas: 2 } } })
    await areReady('demo-echo', 2)
    const shown = async () => at(await read('tendpoints', 'demo-echo'), 'status.pods')
    const active = { settingState: 'Active', presentState: 'Active', pid: '7' }
    await soon('they are shown as active', async () => JSON.stringify(await shown()).split('"pid":"7"').length === 3)
    expect(await shown()).toMatchObject([
      { name: 'demo-echo-0', ...active },
      { name: 'demo-echo-1', ...active },
    ])
    await rested(worker)
  })

  it('WR-3, WR-4, WK-4: a restart, which is a full pass, writes nothing', async () => {
    const writes = audit()
    await worker.stop()
    await worker.start()
    await rested(worker)
    expect(writes().map(inWords)).toEqual([])
  })

  it('another release rolls the template, and the pods that end are recorded (TS-R3, TX-R2)', async () => {
    const image = 'registry.example/demo/echo:r2'
    await merge('tservers', 'demo-echo', { spec: { release: aRelease({ id: 'r2', image }) } })
    await soon('all pods have the new image', async () => {
      await activate('Echo')
      const pods = await podsOf('Echo')
      return pods.length === 2 && [...imagesOf(pods)].join() === image
    })
    await areReady('demo-echo', 2)
    // The simulated kubelet may delete a new pod under the name of an old one, which is recorded too.
    const recorded = async () => JSON.stringify(at(await read('texitedrecords', 'demo-echo'), 'pods'))
    await soon('both are recorded', async () => (await recorded()).split('"id":"r1"').length === 3)
  }, 90_000)

  it('is scaled within its bounds, by kubectl scale too, and a StatefulSet scaled by hand is scaled back (WK-5)', async () => {
    const replicas = async () => at(await read('statefulsets', 'demo-echo'), 'spec.replicas')
    await merge('tservers', 'demo-echo', { metadata: { annotations: { 'tars.io/MaxReplicas': '3' } } })
    expectDone(await on('scale', 'tserver/demo-echo', '--replicas=9'))
    await soon('it has three', async () => (await replicas()) === 3)
    await areReady('demo-echo', 3)
    expectDone(await on('scale', 'statefulset/demo-echo', '--replicas=5'))
    await soon('it has three again', async () => (await replicas()) === 3)
    await areReady('demo-echo', 3)
  }, 90_000)
})

describe('WK-5, GW-4 what is edited or deleted by hand', () => {
  const patch = (named: string, change: object) => byHand('patch', named, '--type=merge', '-p', JSON.stringify(change))
  const label = { metadata: { labels: { 'tars.io/ServerName': null } } }
  const selector = { spec: { selector: { 'tars.io/ServerName': 'Other' } } }
  const strategy = { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } }
  const managed = async (of: Plural) => {
    const { metadata, spec } = await read(of, 'demo-echo')
    const [uid, version] = [at(metadata, 'uid'), at(metadata, 'resourceVersion')]
    return { uid, version, fields: JSON.stringify([at(metadata, 'labels'), spec]) }
  }
  async function repaired(what: string, of: Plural, edit: () => Promise<unknown>): Promise<void> {
    const before = await managed(of)
    await edit()
    const seconds = await secondsUntil('it is repaired', async () => (await managed(of)).fields === before.fields)
    console.info(`WK-5: ${what} repaired after ${seconds.toFixed(2)} s`)
    expect(seconds).toBeLessThanOrEqual(1)
    expect((await managed(of)).version, 'it was edited').not.toBe(before.version)
  }

  it.each([
    ['the selector of its Service', 'services', selector],
    ['the strategy of its StatefulSet', 'statefulsets', strategy],
    ['the spec of its TEndpoint', 'tendpoints', { spec: { important: 1 } }],
    ...MADE.map((of) => [`a label of its ${of}`, of, label] as const),
  ] as const)('%s is repaired within 1 s', async (what, of, change) => {
    const before = await managed(of)
    await repaired(what, of, async () => {
      expectDone(await patch(`${of}/demo-echo`, change))
    })
    expect((await managed(of)).uid).toBe(before.uid)
  })

  it.each(MADE)('the deletion of its %s is repaired within 1 s', async (of) => {
    const { uid } = await managed(of)
    await repaired(`deleted ${of}`, of, async () => {
      expect(await remove(of, 'demo-echo')).toMatchObject({ status: 200 })
    })
    expect((await managed(of)).uid).not.toBe(uid)
  })

  it('and then it rests', async () => {
    await areReady('demo-echo', 3)
    await rested(worker)
  })
})
describe('TS-R7 the deletion of a server', () => {
  it('takes along all that was made of it, its pods too', async () => {
    expect(await remove('tservers', 'demo-echo')).toMatchObject({ status: 200 })
    for (const of of [...MADE, 'pods'] as const)
      await soon(`no ${of} are left`, async () => (await list(of)).length === 0)
    await rested(worker)
    for (const of of MADE) expect(await list(of)).toEqual([])
  }, 90_000)
})
