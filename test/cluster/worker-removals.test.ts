import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tree } from '../../src/schema.ts'
import { aMount, aPort, aRelease, aTServer } from '../support/builders/servers.ts'
import { at } from '../support/builders/trees.ts'
import { type Plural, rested, workplaceIn } from './at-work.ts'
import type { AuditedCall } from './audited.ts'
import { expectDone, WORKER } from './product.ts'
import { until } from './until.ts'
import { workerSuite } from './worker-suite.ts'
import { killedAt, momentsOf, succeed } from './write-proxy.ts'

// A worker that is killed while it takes something away: what is half done is neither repeated nor left so.

const namespace = 'removals'
const NODES = ['remover-1', 'remover-2', 'remover-3']
/** There a server that is none of TARS may have claims (TS-W2). Its pods need no registry to be ready. */
const UPSTREAM = '--profile=upstream'
const suite = workerSuite({ namespace, nodes: NODES, flags: [UPSTREAM], webhookFlags: [UPSTREAM] })
const { cluster } = suite
const { audit, create, exists, list, merge, path, read, remove } = workplaceIn(cluster, namespace)

beforeAll(async () => {
  expectDone(await cluster.kubectl(['label', 'nodes', ...NODES, `tars.io/node.${namespace}=`]))
})
afterAll(async () => {
  await cluster.kubectl(['delete', 'persistentvolume', `--selector=for=${namespace}`, '--wait=false'])
})

const uidOf = async (of: Plural, name: string) => at(await read(of, name), 'metadata.uid')
const isReady = async (name: string, count: number) =>
  at(await read('tservers', name), 'status.readyReplicas') === count
const edit = (name: string, k8s: Tree) => merge('tservers', name, { spec: { k8s } })

/** Puts a Service of the server, with an address, in the place of the headless one, while the worker stands still. */
async function giveAddress(name: string): Promise<void> {
  const { labels, ownerReferences } = Object(at(await read('services', name), 'metadata'))
  suite.worker.signal('SIGSTOP')
  await remove('services', name)
  const service = { metadata: { name, labels, ownerReferences }, spec: { ports: [{ port: 8080 }] } }
  expect(await cluster.request('POST', path('services'), service, { as: WORKER })).toMatchObject({ status: 201 })
  suite.worker.signal('SIGCONT')
}

async function makeVolumes(count: number): Promise<void> {
  const spec = { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/removals' } }
  for (let i = 0; i < count; i += 1) {
    const metadata = { generateName: `${namespace}-`, labels: { for: namespace } }
    expect(await cluster.request('POST', '/api/v1/persistentvolumes', { metadata, spec })).toMatchObject({
      status: 201,
    })
  }
}

async function haveTheVolume(name: string): Promise<boolean> {
  const pods = await list('pods')
  const own = pods.filter((pod) => String(at(pod, 'metadata.name')).startsWith(`${name}-`))
  return own.length === 2 && own.every((pod) => JSON.stringify(at(pod, 'spec.volumes')).includes('"name":"data"'))
}

interface Flow {
  readonly rule: string
  readonly server: string
  /** Before the edit. */
  readonly k8s?: Tree
  readonly ready: number
  readonly act: (name: string) => Promise<void>
  readonly isDone: (name: string) => Promise<boolean>
  /** What is written of workloads, Services and pods, each once. */
  readonly writes: readonly string[]
}
const FLOWS: readonly Flow[] = [
  {
    rule: 'MP-4 a Service with an address goes',
    server: 'Headed',
    ready: 2,
    act: giveAddress,
    isDone: async (name) => at(await read('services', name), 'spec.clusterIP') === 'None',
    writes: ['create services', 'delete services', 'patch services'], // the first is ours
  },
  {
    rule: 'MP-31, MP-37 a StatefulSet goes for one with a claim, and then its pods',
    server: 'Claimed',
    ready: 2,
    async act(name) {
      await makeVolumes(2)
      await edit(name, { mounts: [aMount({ of: 'persistentVolumeClaimTemplate' })] })
    },
    isDone: async (name) => (await haveTheVolume(name)) && (await isReady(name, 2)),
    writes: ['delete statefulsets', 'patch statefulsets', 'delete pods -0', 'delete pods -1'],
  },
  {
    rule: 'MP-34 Service and StatefulSet go for a DaemonSet',
    server: 'Spread',
    ready: 2,
    act: (name) => edit(name, { daemonSet: true }),
    isDone: async (name) => (await exists('daemonsets', name)) && (await isReady(name, NODES.length)),
    writes: ['delete services', 'delete statefulsets', 'patch daemonsets'],
  },
  {
    rule: 'MP-34 a DaemonSet goes for a StatefulSet',
    server: 'Gathered',
    k8s: { daemonSet: true },
    ready: NODES.length,
    act: (name) => edit(name, { daemonSet: false }),
    isDone: async (name) => (await exists('statefulsets', name)) && (await isReady(name, 2)),
    writes: ['delete daemonsets', 'patch services', 'patch statefulsets'],
  },
]

const CASES = FLOWS.flatMap((flow) => {
  const removals = flow.writes.filter((write) => write.startsWith('delete'))
  return momentsOf(removals.length).map(({ write, side }) => ({ ...flow, write, side, removal: removals[write - 1] }))
})

/** What was done to the objects of a server, dry runs and its mirrors aside. */
function done(calls: readonly AuditedCall[], name: string): readonly string[] {
  const isMeant = ({ resource, name: of, uri, code }: AuditedCall) =>
    /^(services|statefulsets|daemonsets|pods)$/.test(resource) &&
    (of === name || of.startsWith(`${name}-`)) &&
    !uri.includes('dryRun=All') &&
    code < 300
  return calls
    .filter(isMeant)
    .map(({ verb, resource, name: of }) => `${verb} ${resource} ${of.slice(name.length)}`.trim())
}

describe('RL-8, WR-5 kill -9 at every removal', () => {
  it.each(CASES)(
    '$rule, $side "$removal": once, and then all is there',
    async ({ write, side, ...flow }) => {
      const server = `${flow.server}${side}${write}`
      const name = `demo-${server.toLowerCase()}`
      const k8s = { ...flow.k8s, replicas: 2 }
      await create('tservers', aTServer({ namespace, server, normal: [aPort()], k8s, release: aRelease() }))
      await until('its pods are ready', () => isReady(name, flow.ready))
      await rested(suite.worker)
      const [writes, before] = [audit(), await uidOf('statefulsets', name)]
      const killed = killedAt({ write, side, removes: true }, suite)
      await flow.act(name)
      await killed
      await succeed(suite.worker, cluster, UPSTREAM)
      await until('it is done', () => flow.isDone(name))
      await rested(suite.worker)
      expect(done(writes(), name)).toEqual(flow.writes)
      const isSame = (await uidOf('statefulsets', name)) === before
      expect(isSame).toBe(!flow.writes.some((each) => each.endsWith('statefulsets')))
    },
    120_000,
  )
})
