import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, WORKER, type WorkerReady } from './product.ts'
import { type SimulatedNodes, simulatedNodes } from './simulated-nodes.ts'
import { until } from './until.ts'

// What only the API server and its controllers can show of the plan of a TServer.

const cluster = theCluster()
const namespace = 'working'
const NAME = 'work-gate'
const NODES = ['worker-1', 'worker-2', 'worker-3']
/** There a server that is none of TARS may have claims (TS-W2). Its pods need no registry to be ready. */
const UPSTREAM = '--profile=upstream'
const VOLUMES = ['working-1', 'working-2', 'working-3']
let product: Product
let worker: OurProcess<WorkerReady>
let nodes: SimulatedNodes | undefined

beforeAll(async () => {
  product = await install(cluster, UPSTREAM)
  worker = product.worker('tserver-worker')
  await worker.start(UPSTREAM)
  nodes = await simulatedNodes(cluster, NODES)
  expectDone(await cluster.kubectl(['label', 'nodes', ...NODES, `tars.io/node.${namespace}=`]))
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  for (const name of VOLUMES)
    expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(aVolume(name)) }))
}, 300_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await cluster.kubectl(['delete', 'persistentvolume', ...VOLUMES, '--wait=false'])
  await product.uninstall()
  await nodes?.stop()
}, 180_000)

const aVolume = (name: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: `/tmp/${name}` } },
})
const CACHE = {
  name: 'cache',
  mountPath: '/cache',
  source: {
    persistentVolumeClaimTemplate: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  },
}
const SERVER = {
  apiVersion: 'k8s.tars.io/v1beta2',
  kind: 'TServer',
  metadata: { name: NAME, namespace },
  spec: {
    app: 'Work',
    server: 'Gate',
    subType: 'normal',
    normal: { ports: [{ name: 'http', port: 8080 }] },
    k8s: { replicas: 2, abilityAffinity: 'None' },
  },
}

const RELEASE = { id: 'r1', image: 'registry.example/gate:r1' }

const path = (plural: string, name = NAME) => `${ROOTS[plural] ?? '/api/v1'}/namespaces/${namespace}/${plural}/${name}`
const ROOTS: Readonly<Record<string, string>> = {
  tservers: '/apis/k8s.tars.io/v1beta2',
  statefulsets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
}
const kubectl = (...args: readonly string[]) => cluster.kubectl([`--namespace=${namespace}`, ...args])
async function changed(spec: Tree) {
  expectDone(await kubectl('patch', 'tserver', NAME, '--type=merge', '-p', JSON.stringify({ spec })))
}
async function stored(plural: string): Promise<Tree | undefined> {
  const { status, body } = await cluster.request('GET', path(plural))
  return status === 200 && isTree(body) ? body : undefined
}
async function under(plural: string, ...steps: readonly string[]): Promise<unknown> {
  return steps.reduce<unknown>((value, step) => (isTree(value) ? value[step] : undefined), await stored(plural))
}
const uidOf = (plural: string) => under(plural, 'metadata', 'uid')
const isReady = async (count: number) => (await under('tservers', 'status', 'readyReplicas')) === count
/** By their names, with those of their volumes. */
async function pods(): Promise<string> {
  const template = String.raw`jsonpath={range .items[*]}{.metadata.name}: {.spec.volumes[*].name}{"\n"}{end}`
  return (await kubectl('get', 'pods', '-o', template)).stdout
}

interface Audited {
  readonly requestURI: string
  readonly verb: string
  readonly user: { readonly username: string }
  readonly objectRef?: {
    readonly resource: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly responseStatus: { readonly code: number }
}
/** What the worker did to objects of the server, as an API server saw it. */
function writes(of: (name: string) => boolean = (name) => name === NAME): readonly string[] {
  const events: readonly Audited[] = readFileSync(cluster.auditLog, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`${WORKER.namespace}:${WORKER.name}`) && line.includes(namespace))
    .map((line) => JSON.parse(line))
  return events.flatMap(
    ({
      verb,
      user,
      requestURI,
      objectRef: { resource = '', subresource, name = '', namespace: home } = { resource: '' },
    }) => {
      const isIts = user.username.endsWith(`:${WORKER.name}`) && home === namespace && of(name) && resource !== 'events'
      return isIts && !['get', 'list', 'watch'].includes(verb) && !requestURI.includes('dryRun=All')
        ? [`${verb} ${[resource, subresource].filter(Boolean).join('/')}`]
        : []
    },
  )
}

const TURN = /^tars_worker_reconcile_duration_seconds_count\{[^}]*controller="tserver"/m

describe('a server with a worker', () => {
  it('WR-10 costs five writes, and a further pass none', async () => {
    expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(SERVER) }))
    await until('there is a status', async () => (await under('tservers', 'status', 'replicas')) === 0)
    const made = [
      'patch tendpoints',
      'create texitedrecords',
      'patch services',
      'patch statefulsets',
      'patch tservers/status',
    ]
    expect(writes()).toEqual(made)
    await worker.stop()
    const { metrics } = await worker.start(UPSTREAM)
    const turns = async () => (await fetch(`${metrics}/metrics`)).text()
    await until('there was a turn', async () => TURN.test(await turns()))
    expect(writes()).toEqual(made)
  })

  it('TS-R8 has pods with its release, which its status counts', async () => {
    await changed({ k8s: { replicas: 2 }, release: RELEASE })
    await until('two pods are ready', () => isReady(2))
  })

  it('MP-31, MP-37 gets its first claim: its StatefulSet is made again, and its pods one at a time', async () => {
    const was = await uidOf('statefulsets')
    await changed({ k8s: { mounts: [CACHE] } })
    await until('each pod has the volume', async () => /-0: .*\bcache\b.*\n.*-1: .*\bcache\b/.test(await pods()))
    await until('two pods are ready', () => isReady(2))
    expect(await uidOf('statefulsets')).not.toBe(was)
    expect(writes((name) => name.startsWith(`${NAME}-`))).toEqual(['delete pods', 'delete pods'])
    const { stdout } = await kubectl(
      'get',
      'events',
      '--field-selector=reason=Recreated',
      '-o',
      'jsonpath={.items[*].message}',
    )
    expect(stdout).toContain('claim templates added: cache')
  })

  it('MP-34 becomes a DaemonSet, and never has both workloads', async () => {
    const before = writes().length
    await changed({ k8s: { daemonSet: true, mounts: [] } })
    await until(
      'each node has a pod',
      async () => (await isReady(NODES.length)) && (await under('tservers', 'status', 'replicas')) === NODES.length,
    )
    expect([await stored('statefulsets'), await stored('services')]).toEqual([undefined, undefined])
    await changed({ k8s: { daemonSet: false } })
    await until('two pods are ready', async () => (await isReady(2)) && (await stored('daemonsets')) === undefined)
    const order = ['delete statefulsets', 'patch daemonsets', 'delete daemonsets', 'patch statefulsets']
    const ofWorkloads = writes()
      .slice(before)
      .filter((write) => /(stateful|daemon)sets$/.test(write))
    expect(ofWorkloads).toEqual(order)
  })

  it('MP-4 gets a headless Service again', async () => {
    await worker.stop()
    const service = await stored('services')
    expectDone(await kubectl('delete', 'service', NAME))
    const metadata = isTree(service?.metadata) ? service.metadata : {}
    const { name, labels, ownerReferences } = metadata
    const withAddress = { metadata: { name, labels, ownerReferences }, spec: { ports: [{ port: 8080 }] } }
    expect(await cluster.request('POST', path('services', ''), withAddress, { as: WORKER })).toMatchObject({
      status: 201,
    })
    expect(await under('services', 'spec', 'clusterIP')).not.toBe('None')
    await worker.start(UPSTREAM)
    await until('the Service is headless', async () => (await under('services', 'spec', 'clusterIP')) === 'None')
  })

  it('TS-R6 gets its pods when a foreign Service in its way was deleted, at once with an edit', async () => {
    const name = 'work-late'
    const foreign = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { ports: [{ port: 80 }] },
    }
    const late = {
      ...SERVER,
      metadata: { name, namespace },
      spec: { ...SERVER.spec, server: 'Late', release: RELEASE },
    }
    for (const object of [foreign, late])
      expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(object) }))
    const events = ['get', 'events', `--field-selector=involvedObject.name=${name}`, '-o', 'jsonpath={..reason}']
    await until('there is an event', async () => (await kubectl(...events)).stdout.includes('OutControl'))
    expectDone(await kubectl('delete', 'service', name))
    expectDone(await kubectl('label', 'tserver', name, 'edited='))
    expectDone(await kubectl('wait', `tserver/${name}`, '--for=jsonpath={.status.readyReplicas}=2', '--timeout=30s'))
    expectDone(await kubectl('delete', 'tserver', name))
  })

  it('TS-R7, TX-R5 takes all that it owns with it, but its claims', async () => {
    expectDone(await kubectl('delete', 'tserver', NAME))
    const gone = async () =>
      (await Promise.all(['services', 'statefulsets'].map(stored))).every((object) => object === undefined)
    await until('its objects are gone', gone)
    expect((await kubectl('get', 'pvc', '-o', 'name')).stdout.split('\n').filter(Boolean)).toHaveLength(2)
  }, 90_000) // the garbage collector may discover the kind late
})
