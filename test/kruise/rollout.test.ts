import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Words } from '../../src/cluster/port.ts'
import type { Tree } from '../../src/schema.ts'
import { rested } from '../cluster/at-work.ts'
import { theCluster } from '../cluster/cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from '../cluster/product.ts'
import { type SimulatedNodes, simulatedNodes } from '../cluster/simulated-nodes.ts'
import { until } from '../cluster/until.ts'
import { at, treesOf } from '../support/builders/trees.ts'
import { ran } from '../support/world.ts'
import { type Kruise, startKruise } from './kruise.ts'

const NODES = ['n1', 'n2', 'n3', 'n4', 'n5']
const PATH = '/apis/apps.kruise.io/v1alpha1/namespaces/default/daemonsets'
const PATCHES = 'daemonset.kruise.io/patches'
const cluster = theCluster()
let kruise: Kruise
let nodes: SimulatedNodes
let product: Product
let worker: OurProcess<WorkerReady>

beforeAll(async () => {
  nodes = await simulatedNodes(cluster, NODES)
  expectDone(await cluster.kubectl(['label', 'node', ...NODES, 'disk=large']))
  kruise = await startKruise(cluster)
  product = await install(cluster)
  worker = product.worker()
  await worker.start('--relabel-stabilization-seconds=1')
})
afterAll(async () => {
  await worker.stop()
  await product.uninstall()
  await kruise.stop()
  await nodes.stop()
})

const listOf = (value: string, more: object = {}) => [
  {
    selector: { matchLabels: { disk: 'large' } },
    patch: { spec: { containers: [{ name: 'agent', env: [{ name: 'SIZE', value }], ...more }] } },
  },
]
const listWith = (value: string, more: object = {}) => JSON.stringify(listOf(value, more))
function daemonSet(name: string, spec: Tree, annotations: Words = {}) {
  const labels = { app: name }
  const containers = [{ name: 'agent', image: 'agent:1' }]
  return {
    apiVersion: 'apps.kruise.io/v1alpha1',
    kind: 'DaemonSet',
    metadata: { name, annotations },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } }, ...spec },
  }
}
async function create(name: string, spec: Tree = {}, list = listWith('1')): Promise<void> {
  const object = daemonSet(name, spec, { [PATCHES]: list })
  expect(await cluster.request('POST', PATH, object)).toMatchObject({ status: 201 })
  await sizes(name, ['1', '1', '1', '1', '1'])
}
async function change(name: string, patch: object): Promise<void> {
  const answer = await cluster.request('PATCH', `${PATH}/${name}`, patch, {
    contentType: 'application/merge-patch+json',
  })
  expect(answer).toMatchObject({ status: 200 })
}
const repatch = (name: string, value: string) =>
  change(name, { metadata: { annotations: { [PATCHES]: listWith(value) } } })

async function pods(name: string): Promise<readonly Tree[]> {
  const { body } = await cluster.request('GET', `/api/v1/namespaces/default/pods?labelSelector=app=${name}`)
  return treesOf(at(body, 'items')).filter((pod) => at(pod, 'metadata.deletionTimestamp') === undefined)
}
const sizeOf = (pod: Tree) => {
  const [container] = treesOf(at(pod, 'spec.containers'))
  return treesOf(container?.env).find((each) => each.name === 'SIZE')?.value
}
/** Answers the fewest ready pods that were seen meanwhile. */
async function sizes(name: string, expected: readonly string[]): Promise<number> {
  let fewest = NODES.length
  await until(`sizes of ${name} are ${expected}`, async () => {
    const seen = await pods(name)
    fewest = Math.min(fewest, seen.filter(isReady).length)
    return seen.map(sizeOf).sort().join() === expected.join()
  })
  return fewest
}
const isReady = (pod: Tree) =>
  treesOf(at(pod, 'status.conditions')).some(({ type, status }) => type === 'Ready' && status === 'True')
async function haveImage(name: string, image: string): Promise<void> {
  await until(`all of ${name} have ${image}`, async () => {
    const told = (await pods(name)).map((pod) => at(pod, 'spec.containers.0.image'))
    return told.length === NODES.length && told.every((each) => each === image)
  })
}
/** As a kubelet that has pulled another image. */
async function tellImage(pod: Tree, image: string): Promise<void> {
  const containerStatus = {
    name: 'agent',
    image,
    imageID: image,
    ready: true,
    restartCount: 1,
    containerID: 'test://1',
  }
  const path = `/api/v1/namespaces/default/pods/${at(pod, 'metadata.name')}/status`
  const patch = { status: { containerStatuses: [containerStatus] } }
  await cluster.request('PATCH', path, patch, { contentType: 'application/merge-patch+json' })
}
const uidsOf = async (name: string) => new Set((await pods(name)).map((pod) => at(pod, 'metadata.uid')))
const isMarked = (pod: Tree) => String(at(pod, 'metadata.labels.controller-revision-hash')).endsWith('-stale')
async function reasonOf(name: string): Promise<unknown> {
  const conditions = treesOf(at((await cluster.request('GET', `${PATH}/${name}`)).body, 'status.conditions'))
  return conditions.find(({ type }) => type === 'NodeLabelPatchesSynced')?.reason
}
const marked = async (name: string) => (await pods(name)).filter(isMarked).length

describe('PATCH-T-26 beside OpenKruise', () => {
  it('a changed patch is rolled out by its manager, within maxUnavailable', async () => {
    await create('plain', { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } })
    await repatch('plain', '2')
    expect(await sizes('plain', ['2', '2', '2', '2', '2'])).toBeGreaterThanOrEqual(3)
    expect(await marked('plain')).toBe(0)
  })

  it('PATCH-ROLL-20 under a partition the pods of the current revision are replaced, and none is marked', async () => {
    await create('parted', { updateStrategy: { rollingUpdate: { maxUnavailable: 2, partition: 3 } } })
    await repatch('parted', '2')
    expect(await sizes('parted', ['2', '2', '2', '2', '2'])).toBeGreaterThanOrEqual(3)
    expect(await marked('parted')).toBe(0)
  })

  it('while it is paused the pods wait, marked, and go on after', async () => {
    await create('paused', { updateStrategy: { rollingUpdate: { maxUnavailable: 5, paused: true } } })
    await repatch('paused', '2')
    await until('all are marked', async () => (await marked('paused')) === 5)
    await sizes('paused', ['1', '1', '1', '1', '1'])
    await change('paused', { spec: { updateStrategy: { rollingUpdate: { paused: false } } } })
    await sizes('paused', ['2', '2', '2', '2', '2'])
  })

  it('PATCH-ROLL-6 under a selector only the pods of its Nodes are replaced, and the others wait, marked', async () => {
    expectDone(await cluster.kubectl(['label', 'node', 'n1', 'wave=1']))
    const first = { selector: { matchLabels: { wave: '1' } }, maxUnavailable: 5 }
    await create('chosen', { updateStrategy: { rollingUpdate: first } })
    await repatch('chosen', '2')
    await sizes('chosen', ['1', '1', '1', '1', '2'])
    await until('the others are marked', async () => (await marked('chosen')) === 4)
    await sizes('chosen', ['1', '1', '1', '1', '2'])
    await change('chosen', { spec: { updateStrategy: { rollingUpdate: { selector: null } } } })
    await sizes('chosen', ['2', '2', '2', '2', '2'])
  })

  it('PATCH-ROLL-23 while it creates its pods node by node they wait, until there is no partition', async () => {
    await create('progressive', { updateStrategy: { rollingUpdate: { maxUnavailable: 5 } } })
    const progressive = { annotations: { 'daemonset.kruise.io/progressive-create-pod': 'true' } }
    await change('progressive', {
      metadata: progressive,
      spec: { updateStrategy: { rollingUpdate: { partition: 2 } } },
    })
    await repatch('progressive', '2')
    await until('it says so', async () => (await reasonOf('progressive')) === 'Deferred')
    expect(await marked('progressive')).toBe(0)
    await sizes('progressive', ['1', '1', '1', '1', '1'])
    await change('progressive', { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } })
    await sizes('progressive', ['2', '2', '2', '2', '2'])
  })

  it('PATCH-INPLACE-1 InPlaceIfPossible recreates for a patch', async () => {
    await create('placed', {
      updateStrategy: { rollingUpdate: { rollingUpdateType: 'InPlaceIfPossible', maxUnavailable: 5 } },
    })
    const before = await uidsOf('placed')
    await repatch('placed', '2')
    await sizes('placed', ['2', '2', '2', '2', '2'])
    expect(before.isDisjointFrom(await uidsOf('placed'))).toBe(true)
  })

  it('PATCH-INPLACE-2 an update in place writes over a patched image, so the pods are replaced after it', async () => {
    const inPlace = { rollingUpdateType: 'InPlaceIfPossible', maxUnavailable: 5 }
    const large = listWith('1', { image: 'agent:large' })
    await create('written', { updateStrategy: { rollingUpdate: inPlace } }, large)
    await haveImage('written', 'agent:large')
    const before = await uidsOf('written')
    await change('written', { spec: { template: { spec: { containers: [{ name: 'agent', image: 'agent:2' }] } } } })
    await haveImage('written', 'agent:2')
    expect(await uidsOf('written')).toEqual(before)
    for (const pod of await pods('written')) await tellImage(pod, 'agent:2')
    await haveImage('written', 'agent:large')
    expect(before.isDisjointFrom(await uidsOf('written'))).toBe(true)
  })

  it('PATCH-ROLL-22 a preDelete hook holds the pods until it is released', async () => {
    const hold = { 'test.tars.io/hold': 'yes' }
    const labels = { app: 'hooked', ...hold }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'agent', image: 'agent:1' }] } }
    const lifecycle = { preDelete: { labelsHandler: hold } }
    await create('hooked', { template, lifecycle, updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } })
    await repatch('hooked', '2')
    const preparing = async () =>
      (await pods('hooked')).filter((pod) =>
        String(JSON.stringify(at(pod, 'metadata.labels'))).includes('PreparingDelete'),
      )
    await until('one is prepared', async () => (await preparing()).length === 1)
    const [first] = await preparing()
    const path = `/api/v1/namespaces/default/pods/${at(first, 'metadata.name')}`
    const free = { metadata: { labels: { 'test.tars.io/hold': null } } }
    await cluster.request('PATCH', path, free, { contentType: 'application/merge-patch+json' })
    await sizes('hooked', ['1', '1', '1', '1', '2'])
  })
  it('a new worker and its manager leave all of this as it is', async () => {
    const versionsIn = async (path: string) =>
      treesOf(at((await cluster.request('GET', path)).body, 'items')).map(
        (each) => `${at(each, 'metadata.name')} ${at(each, 'metadata.resourceVersion')}`,
      )
    const stored = () => Promise.all([PATH, '/api/v1/namespaces/default/pods'].map(versionsIn))
    const begunAgain = async () => {
      await worker.stop()
      await worker.start('--relabel-stabilization-seconds=1')
      await rested(worker)
      return stored()
    }
    const told = await begunAgain() // what the one before had not told yet, too
    expect(await begunAgain()).toEqual(told)
  })
})

describe('PATCH-API-8, PATCH-API-9 spec.patches beside OpenKruise', () => {
  async function checked() {
    const words = ['daemonset-patches', 'crd-check', '-o', 'json', '--namespace', 'default']
    const { versions, remedies } = JSON.parse((await ran([...words, '--kubeconfig', cluster.kubeconfig('admin')])).out)
    const results = versions.map(({ version, result }: Record<string, string>) => `${version} ${result}`)
    return { results: results.join(), patches: [...remedies.join('\n').matchAll(/--patch='(.*)'$/gm)] }
  }

  it('its definition prunes them, and where it keeps them its webhook strips them, so ours refuses them', async () => {
    const { results, patches } = await checked()
    expect(results).toBe('v1alpha1 pruned')
    for (const [, patch = ''] of patches)
      expectDone(await cluster.kubectl(['patch', 'crd', 'daemonsets.apps.kruise.io', '--type=json', '-p', patch]))
    await until('they are stripped', async () => (await checked()).results === 'v1alpha1 stripped')
    const denied = "spec.patches: this cluster's Kruise manager would drop this field; put the list in annotation"
    await until('they are refused', async () => {
      const object = daemonSet('guarded', { patches: listOf('1') })
      const { status, body } = await cluster.request('POST', `${PATH}?dryRun=All`, object)
      return status === 422 && JSON.stringify(body).includes(denied)
    })
    await create('annotated')
  })
})
