import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { PODS_WEBHOOK } from '../../webhooks/kruise/doors.ts'
import { patchedTemplate } from '../../webhooks/kruise/list/patched.ts'
import { ANNOTATIONS } from '../../webhooks/kruise/names.ts'
import { inEnv, named, ofContainer } from '../support/daemonset-pods.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product, tarsAdmission } from './product.ts'
import { until } from './until.ts'

// Pods of the native controller. No kubelet is needed: what counts is how they are stored.

const cluster = theCluster()
const namespace = 'patched-pods'
const [LARGE, SMALL] = ['patched-large', 'patched-small']
let product: Product

const bring = async (verb: string, object: unknown) =>
  expectDone(await cluster.kubectl([verb, `--namespace=${namespace}`, '-f', '-'], { stdin: JSON.stringify(object) }))
const on = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
const trying = (object: object, within = namespace) => {
  const stdin = JSON.stringify(object)
  return cluster.kubectl(['create', '--dry-run=server', `--namespace=${within}`, '-f', '-'], { stdin })
}

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  for (const [name, disk] of [
    [LARGE, 'large'],
    [SMALL, 'small'],
  ])
    await bring('create', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'disk-type': disk } } })
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'nodes', LARGE, SMALL])
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

const CONTAINERS = ['agent', 'monitor'].map((name) => ({ name, image: `registry.example/${name}:1` }))
/** A minute after its creation, a Node without a kubelet has the taint `unreachable`. */
const TEMPLATE: Tree = { spec: { containers: CONTAINERS, tolerations: [{ operator: 'Exists' }] } }

async function create(name: string, patches: readonly object[], template = TEMPLATE): Promise<void> {
  const list = patches.map((patch) => ({ selector: { matchLabels: { 'disk-type': 'large' } }, patch }))
  const annotations = patches.length > 0 ? { [ANNOTATIONS.patches]: JSON.stringify(list) } : {}
  const labels = { app: name }
  const spec = { selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } }
  await bring('create', { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name, annotations }, spec })
}

async function podsOf(name: string): Promise<ReadonlyMap<string, Tree>> {
  const { items } = JSON.parse((await on('get', 'pods', '-l', `app=${name}`, '-o', 'json')).stdout)
  const pods: readonly Tree[] = Array.isArray(items) ? items.filter(isTree) : []
  return new Map(pods.map((pod) => [String(JSON.stringify(pod).match(/patched-(large|small)/)?.[0]), pod]))
}

/** One of each Node. */
async function bothOf(name: string) {
  await until(`${name} has both pods`, async () => (await podsOf(name)).size === 2)
  const pods = await podsOf(name)
  return { large: specOf(pods.get(LARGE)), small: specOf(pods.get(SMALL)), pods }
}
const specOf = (pod: Tree | undefined): Tree => (isTree(pod?.spec) ? pod.spec : {})
const stampOf = (pod: Tree | undefined) => {
  const metadata = isTree(pod?.metadata) ? pod.metadata : {}
  return isTree(metadata.annotations) ? metadata.annotations[ANNOTATIONS.combinedHash] : undefined
}
const diskIn = (spec: Tree) => named(named(spec.containers, 'agent').env, 'DISK').value

describe('pods of a DaemonSet on a real API server', () => {
  it('PATCH-T-20 with a patch for disk-type=large the pods of two Nodes differ', async () => {
    await create('disk', [inEnv('large')])
    const { large, small, pods } = await bothOf('disk')
    expect([diskIn(large), diskIn(small)]).toEqual(['large', undefined])
    expect([stampOf(pods.get(LARGE)), stampOf(pods.get(SMALL))]).toEqual([
      expect.stringMatching(/-[0-9a-f]{16}$/),
      undefined,
    ])
  })

  it('PATCH-POD-INV-9 a request of a GPU gets its limit, without which the API server refuses the pod', async () => {
    await create('gpu', [ofContainer('monitor', { resources: { requests: { 'nvidia.com/gpu': '1' } } })])
    const { large } = await bothOf('gpu')
    const gpu = { 'nvidia.com/gpu': '1' }
    expect(named(large.containers, 'monitor').resources).toEqual({ limits: gpu, requests: gpu })
  })

  it('a patched pod is as if its template had been patched, after all defaults', async () => {
    const patch = {
      spec: {
        ...{ hostNetwork: true, tolerations: [{ key: 'gpu', operator: 'Exists' }], terminationGracePeriodSeconds: 5 },
        priorityClassName: 'system-node-critical',
        volumes: [{ name: 'data', hostPath: { path: '/data' } }],
        containers: [
          {
            name: 'agent',
            image: 'registry.example/agent:2',
            resources: { limits: { cpu: '2' } },
            ports: [{ containerPort: 9100 }],
          },
          { name: 'added', image: 'registry.example/added', volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        ],
      },
    }
    const limited = CONTAINERS.map((each) => ({ ...each, resources: { limits: { cpu: '1' } } }))
    const template = { spec: { containers: limited } }
    await create('merged', [patch], template)
    await create('template', [], patchedTemplate(template, [{ index: 0, patch }]))
    const [byUs, byHand] = [await bothOf('merged'), await bothOf('template')]
    expect(byUs.large).toEqual(byHand.large)
    expect(byUs.small).not.toEqual(byHand.small)
  })

  it('PATCH-POD-30 one whose patches cannot be merged is not created, and the owner says why', async () => {
    expectDone(await cluster.kubectl(['delete', 'validatingwebhookconfiguration', 'daemonset-patches-validator']))
    const broken = () => create('broken', [inEnv('a'), ofContainer('agent', { env: [{ value: 'x' }] })])
    await until('the API server knows that the configuration is gone', () => broken().then(() => true))
    const events = async (reason: string) =>
      (await on('get', 'events', `--field-selector=reason=${reason}`, '-o', 'jsonpath={.items[*].message}')).stdout
    const says = `daemonset ${namespace}/broken: node ${LARGE}: patch 1: spec.containers[0].env`
    await until('the owner says why', async () => (await events('FailedCreate')).includes(says))
    expect(await events('FailedCreate')).toMatch(/denied the request: .* \(PATCH-POD-30\)/)
    await until('we do too', async () => (await events('NodePatchFailed')).includes(`node ${LARGE}: patch 1: `))
    // The owner begins with a Node at random and stops at the first refusal. An edit has it try again at once.
    const nodesAfter = async (edit: number) => {
      expectDone(await on('annotate', 'ds/broken', `edit=${edit}`, '--overwrite'))
      return [...(await podsOf('broken')).keys()].join()
    }
    let edits = 0
    await until('the other Node alone has a pod', async () => (await nodesAfter(edits++)) === SMALL)
  })

  it('PATCH-POD-32 and is created without patches where its DaemonSet prefers that', async () => {
    expectDone(await on('annotate', 'ds/broken', `${ANNOTATIONS.failurePolicy}=Open`))
    const { large, pods } = await bothOf('broken')
    expect([diskIn(large), stampOf(pods.get(LARGE))]).toEqual([undefined, undefined])
  }, 60_000)

  it('PATCH-POD-31 while the webhook is away pods come unpatched, at once', async () => {
    await product.webhook.stop()
    const before = performance.now()
    await create('alone', [inEnv('large')])
    const { large, pods } = await bothOf('alone')
    expect(performance.now() - before).toBeLessThan(10_000)
    expect([diskIn(large), stampOf(pods.get(LARGE))]).toEqual([undefined, undefined])
  })

  it('PATCH-POD-31 under policy Fail they wait until it is back, and come with their patches', async () => {
    const fail = ['--pods-webhook-failure-policy', 'Fail']
    await product.webhook.start(...fail)
    const stdin = await tarsAdmission('manifests', '--set', 'webhooks', '--webhook-url', product.webhook.url, ...fail)
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
    await create('waiting', [inEnv('large')])
    await bothOf('waiting')
    await product.webhook.stop()
    const owned = aPod({
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'any', uid: 'd1', controller: true }],
    })
    await until('a pod of a DaemonSet is refused', async () => (await trying(owned)).stderr.includes(PODS_WEBHOOK))
    expectDone(await trying(aPod()))
    expectDone(await trying(owned, 'kube-system'))

    expectDone(await on('delete', 'pods', '-l', 'app=waiting', '--force'))
    const events = async () => (await on('get', 'events', '-o', 'jsonpath={.items[*].message}')).stdout
    await until('the owner says why', async () => (await events()).includes(`failed calling webhook "${PODS_WEBHOOK}"`))
    expect((await podsOf('waiting')).size).toBe(0)
    await product.webhook.start(...fail)
    await until('its controller has tried again', async () => (await podsOf('waiting')).size === 2, { seconds: 40 })
    const { large, small } = await bothOf('waiting')
    expect([diskIn(large), diskIn(small)]).toEqual(['large', undefined])
  }, 120_000)
})

const aPod = (metadata: Tree = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'probe', ...metadata },
  spec: { containers: CONTAINERS },
})
