import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tree } from '../../src/schema.ts'
import { targetNode } from '../../webhooks/kruise/owner.ts'
import { at, treesOf } from '../support/builders/trees.ts'
import { rested } from './at-work.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import {
  expectDone,
  install,
  type OurProcess,
  type Product,
  tarsAdmission,
  type WorkerReady,
  workersThrough,
} from './product.ts'
import { type SimulatedNodes, simulatedNodes } from './simulated-nodes.ts'
import { until } from './until.ts'
import { killedAt, momentsOf, succeed, type WriteProxy, writeProxyTo } from './write-proxy.ts'

const NODES = ['n1', 'n2', 'n3']
const ON = '--enable-daemonset-controller'
const DAEMONSETS = '/apis/apps.kruise.io/v1beta1/namespaces/default/daemonsets'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'

/** Its own control plane: the definition, the rights and OpenKruise's Lease would reach other suites. */
let cluster: ControlPlane
let proxy: WriteProxy
let product: Product
let nodes: SimulatedNodes
let worker: OurProcess<WorkerReady>

beforeAll(async () => {
  cluster = await startControlPlane()
  nodes = await simulatedNodes(cluster, NODES)
  proxy = await writeProxyTo(cluster)
  product = await install(workersThrough(proxy, cluster), ON)
  for (const set of ['crds', 'rbac', 'webhooks']) {
    const stdin = await tarsAdmission('manifests', '--set', set, '--webhook-url', product.webhook.url, ON)
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
  }
  expectDone(await cluster.kubectl(['wait', '--for=condition=Established', 'crd/daemonsets.apps.kruise.io']))
  expectDone(await cluster.kubectl(['label', 'node', 'n1', 'disk=large']))
  worker = product.worker()
  await worker.start(ON)
}, 180_000)
afterAll(async () => {
  await worker?.stop()
  await product?.close()
  await nodes?.stop()
  await proxy?.stop()
  await cluster?.stop()
}, 60_000)

const template = (image: string) => ({
  metadata: { labels: { app: 'agent' } },
  spec: { containers: [{ name: 'agent', image }] },
})
const patchTo = (image: string) => ({
  selector: { matchLabels: { disk: 'large' } },
  patch: { spec: { containers: [{ name: 'agent', image }] } },
})
const aDaemonSet = (spec: object) => ({
  apiVersion: 'apps.kruise.io/v1beta1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent:1'), ...spec },
})
async function apply(spec: object): Promise<void> {
  const stdin = JSON.stringify(aDaemonSet(spec))
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
}
async function merge(path: string, patch: object): Promise<void> {
  const { status, body } = await cluster.request('PATCH', path, patch, { contentType: 'application/merge-patch+json' })
  if (status !== 200) throw new Error(`not done, but ${status}: ${JSON.stringify(body)}`)
}
const change = (spec: object) => merge(`${DAEMONSETS}/agent`, { spec })

interface Seen {
  readonly node: unknown
  readonly image: unknown
  readonly name: unknown
}
async function podsOf(app: string): Promise<readonly Tree[]> {
  const { body } = await cluster.request('GET', `/api/v1/namespaces/default/pods?labelSelector=app=${app}`)
  return treesOf(at(body, 'items')).filter((pod) => at(pod, 'metadata.deletionTimestamp') === undefined)
}
async function pods(): Promise<readonly Seen[]> {
  const seen = (await podsOf('agent')).map((pod) => {
    const [container] = treesOf(at(pod, 'spec.containers'))
    return { node: at(pod, 'spec.nodeName'), image: container?.image, name: at(pod, 'metadata.name') }
  })
  return seen.sort((one, other) => (String(one.node) < String(other.node) ? -1 : 1))
}
const told = async () => (await pods()).map(({ node, image }) => `${node} ${image}`)
async function become(...expected: readonly string[]): Promise<void> {
  await until(`the pods are ${expected}`, async () => (await told()).join() === expected.join(), { seconds: 40 })
}
const status = async () => at((await cluster.request('GET', `${DAEMONSETS}/agent`)).body, 'status')
async function rest(counts: object): Promise<void> {
  await until('the status says so', async () => {
    const now = await status()
    return Object.entries(counts).every(([field, value]) => at(now, field) === value)
  })
}
const ALL = { desiredNumberScheduled: 3, numberAvailable: 3, updatedNumberScheduled: 3 }

describe('PATCH-T-29 the built-in controller on a cluster without OpenKruise', () => {
  it('makes a pod for each Node, with its patches, and kubectl shows the counts', async () => {
    await apply({ patches: [patchTo('agent:large')] })
    await become('n1 agent:large', 'n2 agent:1', 'n3 agent:1')
    await rest(ALL)
    const { stdout } = await cluster.kubectl(['get', 'daemonsets.apps.kruise.io', 'agent'])
    expect(stdout).toMatch(/agent +3 +3 +3 +3 +3/)
  })

  it('replaces the pods of a patch that has changed, and no others', async () => {
    const before = await pods()
    await change({ patches: [patchTo('agent:huge')] })
    await become('n1 agent:huge', 'n2 agent:1', 'n3 agent:1')
    await rest(ALL)
    expect((await pods()).slice(1)).toEqual(before.slice(1))
  })

  it('follows the labels of a Node', async () => {
    expectDone(await cluster.kubectl(['label', 'node', 'n2', 'disk=large']))
    await become('n1 agent:huge', 'n2 agent:huge', 'n3 agent:1')
    expectDone(await cluster.kubectl(['label', 'node', 'n2', 'disk-']))
    await become('n1 agent:huge', 'n2 agent:1', 'n3 agent:1')
    await rest(ALL)
  })

  it('leaves the Nodes of a partition, waits while it is paused, and goes on after', async () => {
    await change({ template: template('agent:2'), patches: [], updateStrategy: { rollingUpdate: { partition: 2 } } })
    await become('n1 agent:huge', 'n2 agent:1', 'n3 agent:2')
    await rest({ updatedNumberScheduled: 1, numberAvailable: 3 })
    await change({ updateStrategy: { rollingUpdate: { partition: 0, paused: true } } })
    await rest({
      observedGeneration: at((await cluster.request('GET', `${DAEMONSETS}/agent`)).body, 'metadata.generation'),
    })
    expect(await told()).toEqual(['n1 agent:huge', 'n2 agent:1', 'n3 agent:2'])
    await change({ updateStrategy: { rollingUpdate: { paused: false } } })
    await become('n1 agent:2', 'n2 agent:2', 'n3 agent:2')
  })

  it('puts new pods beside old ones under maxSurge', async () => {
    await change({
      template: template('agent:3'),
      updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    })
    await become('n1 agent:3', 'n2 agent:3', 'n3 agent:3')
    await rest(ALL)
  })

  it('keeps revisions with template and patches, and an older version gets the highest number', async () => {
    await change({ template: template('agent:2') })
    await become('n1 agent:2', 'n2 agent:2', 'n3 agent:2')
    await rest(ALL)
    const { body } = await cluster.request('GET', '/apis/apps/v1/namespaces/default/controllerrevisions')
    const numbers = treesOf(at(body, 'items')).map(({ revision }) => Number(revision))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(Math.max(...numbers)).toBe(5)
  })

  it('clears a Node with a taint and comes back', async () => {
    expectDone(await cluster.kubectl(['taint', 'node', 'n3', 'test.tars.io/away=:NoExecute']))
    await become('n1 agent:2', 'n2 agent:2')
    expectDone(await cluster.kubectl(['taint', 'node', 'n3', 'test.tars.io/away-']))
    await become('n1 agent:2', 'n2 agent:2', 'n3 agent:2')
    await rest(ALL)
  })

  /** Its revision, then for each Node a removal, a pod, and a status or two: the third Node is like the second. */
  const KILLED_AT = momentsOf(10).map((moment, i) => ({ ...moment, image: `agent:4.${i}` }))
  it.each(KILLED_AT)(
    'RL-8 killed $side write $write of a rollout, the next one ends it, with one pod a Node',
    async ({ image, ...moment }) => {
      const killed = killedAt(moment, { proxy, worker })
      const oneByOne = { rollingUpdate: { maxSurge: null, maxUnavailable: 1 } }
      await change({ template: template(image), updateStrategy: oneByOne })
      await killed
      await succeed(worker, cluster, ON)
      await become(`n1 ${image}`, `n2 ${image}`, `n3 ${image}`)
      await rest(ALL)
    },
  )

  it('PATCH-CTL-2 stands back while the Lease of OpenKruise is held', async () => {
    const before = await told()
    const renewTime = new Date().toISOString().replace('Z', '000Z')
    const spec = { holderIdentity: 'kruise', leaseDurationSeconds: 60, renewTime }
    expect(await cluster.request('POST', LEASES, { metadata: { name: 'kruise-manager' }, spec })).toMatchObject({
      status: 201,
    })
    await change({ template: template('agent:5') })
    await until('it says so', async () => {
      const { stdout } = await cluster.kubectl(['get', 'events', '--field-selector=reason=KruiseManagerActive'])
      return stdout.includes('OpenKruise runs')
    })
    expect(await told()).toEqual(before)
    expect(await cluster.request('DELETE', `${LEASES}/kruise-manager`)).toMatchObject({ status: 200 })
    await become('n1 agent:5', 'n2 agent:5', 'n3 agent:5')
  }, 90_000)

  it('writes nothing in a second pass, and its pods go with their DaemonSet', async () => {
    await rest(ALL)
    const stored = async () => [(await cluster.request('GET', `${DAEMONSETS}/agent`)).body, await pods()]
    const before = await stored()
    await worker.stop()
    await worker.start(ON)
    await rested(worker)
    expect(await stored()).toEqual(before)
    expectDone(await cluster.kubectl(['delete', 'daemonsets.apps.kruise.io', 'agent', '--timeout=50s']))
    await become()
  })
})

describe('PATCH-T-20, PATCH-API-1 the two cases of the request, with spec.patches', () => {
  const FILES = ['nydus', 'gpu-monitor'].flatMap((name) => ['-f', `manifests/samples/daemonsets/${name}.yaml`])
  /** Those that patches differ in, by Node. */
  async function containers(app: string): Promise<Readonly<Record<string, unknown>>> {
    const all = (await podsOf(app)).map((pod) => [String(targetNode(pod)), at(pod, 'spec.containers.0')] as const)
    return Object.fromEntries(all)
  }

  it('are applied with kubectl, and the pods of their Nodes differ', async () => {
    const labels = ['node-role/nydus-storage=large', 'accelerator=nvidia-tesla-v100']
    expectDone(await cluster.kubectl(['label', 'node', 'n1', ...labels]))
    expectDone(await cluster.kubectl(['apply', ...FILES]))
    for (const app of ['nydus', 'gpu-monitor'])
      await until(`each Node has a pod of ${app}`, async () => (await podsOf(app)).length === NODES.length)
    const size = (value: string) => ({ name: 'LOCAL_CACHE_SIZE', value })
    const large = { name: 'FEATURE_GATE_LARGE_DISK', value: 'true' }
    const small = { env: [size('500Gi')] }
    expect(await containers('nydus')).toMatchObject({ n1: { env: [size('2Ti'), large] }, n2: small, n3: small })
    const gpu = { 'nvidia.com/gpu': '1' }
    const monitoring = { resources: { requests: { ...gpu, memory: '2Gi' }, limits: gpu } }
    const none = { resources: {} }
    expect(await containers('gpu-monitor')).toMatchObject({ n1: monitoring, n2: none, n3: none })
    expectDone(await cluster.kubectl(['delete', '--timeout=50s', ...FILES]))
  })
})

describe('PATCH-CTL-4 what OpenKruise refuses is refused without it', () => {
  const applied = (object: object) => cluster.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(object) })
  const others = aDaemonSet({ selector: { matchLabels: { app: 'other' } } })
  const says = 'spec.template.metadata.labels: do not match spec.selector;'

  it.each(['v1beta1', 'v1alpha1'])('in %s', async (version) => {
    const object = { ...others, apiVersion: `apps.kruise.io/${version}` }
    await until('its webhook answers', async () => (await applied(object)).stderr.includes(says))
  })

  it('and on an update', async () => {
    await apply({})
    const { stderr } = await applied(others)
    expect(stderr).toContain('spec.selector: cannot be changed; create another DaemonSet (PATCH-CTL-4)')
    expectDone(await cluster.kubectl(['delete', 'daemonsets.apps.kruise.io', 'agent', '--timeout=50s']))
    await become()
  })
})
