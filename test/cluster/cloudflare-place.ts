import { afterAll, beforeAll } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { type DoubleWorld, doubleWorld } from '../cloudflare/world.ts'
import type { Cluster, Printed } from './client.ts'
import { giveCredentials, SYSTEM, WITH_CLOUDFLARE } from './cloudflare-account.ts'
import { theCluster } from './cluster.ts'
import { expectDone, installAs, type OurProcess, type Product, type WorkerReady, workersThrough } from './product.ts'
import { until } from './until.ts'
import { type WriteProxy, writeProxyTo } from './write-proxy.ts'

/** All that a suite leaves behind, those first that others rest on. */
const KINDS = ['ingress', 'dnsrecord', 'clustertunnel', 'tunnel', 'cloudflarecredentials', 'ingressclass']

interface Opened {
  readonly product: Product
  readonly worker: OurProcess<WorkerReady>
  readonly world: DoubleWorld
  readonly proxy: WriteProxy
  /** Of the worker. */
  readonly flags: readonly string[]
}

/** The product with its family, a worker, the double of Cloudflare with credentials for it, and a namespace that is there. */
export function cloudflareSuite(namespace: string) {
  const cluster = theCluster()
  const opening = new AsyncDisposableStack()
  let opened: Opened | undefined
  const there = () => {
    if (opened === undefined) throw new Error('the suite has not begun')
    return opened
  }
  const kubectl = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
  const done = async (...args: readonly string[]) => expectDone(await kubectl(...args))
  const apply = async (text: string) =>
    expectDone(await cluster.kubectl(['apply', `--namespace=${namespace}`, '-f', '-'], { stdin: text }))

  async function open(): Promise<Opened> {
    const world = opening.use(await doubleWorld())
    const proxy = opening.adopt(await writeProxyTo(cluster), (each) => each.stop())
    const product = await installAs(workersThrough(proxy, cluster), WITH_CLOUDFLARE)
    opening.defer(() => product.uninstall())
    const worker = product.worker('cloudflare-worker')
    const flags = [`--cloudflare-api-url=${world.double.url}`]
    await worker.start(...flags)
    opening.defer(async () => {
      for (const kind of KINDS) await kubectl('delete', kind, '--all', '--timeout=50s')
    })
    return { world, proxy, product, worker, flags }
  }
  beforeAll(async () => {
    opened = await open()
    await giveCredentials(cluster, opened.world)
  }, 300_000)
  afterAll(() => opening.disposeAsync(), 300_000)

  return {
    cluster,
    kubectl,
    done,
    apply,
    get there() {
      return there()
    },
    ...looksThrough(cluster, kubectl),
    /** The bodies of all configurations that were sent to that tunnel. */
    puts(tunnelId: string): readonly SentTunnel[] {
      const path = `/cfd_tunnel/${tunnelId}/configurations`
      const log = there().world.double.log.filter((call) => call.method === 'PUT' && call.path.endsWith(path))
      return log.map(({ body, status }) => ({ status, config: isTree(body.config) ? body.config : {} }))
    },
  }
}

function looksThrough(cluster: Cluster, kubectl: (...args: readonly string[]) => Promise<Printed>) {
  const read = async (path: string): Promise<Tree> => {
    const { status, body } = await cluster.request('GET', path)
    return status === 200 && isTree(body) ? body : {}
  }
  return {
    read,
    /** Nothing where it is not there. */
    object: async (...named: readonly string[]): Promise<Tree | undefined> => {
      const { code, stdout } = await kubectl('get', ...named, '-o', 'json')
      return code === 0 ? JSON.parse(stdout) : undefined
    },
    isGone: (...named: readonly string[]) =>
      until(`${named.join(' ')} is gone`, async () => (await kubectl('get', ...named)).stderr.includes('not found')),
    /** By the id of the tunnel; nothing where it is not there. */
    async configMap(tunnelId: string) {
      const found = await read(`/api/v1/namespaces/${SYSTEM}/configmaps/tunnel-config-${tunnelId}`)
      return Object.keys(found).length === 0 ? undefined : storedIn(found)
    },
  }
}

interface SentTunnel {
  /** Of the answer. */
  readonly status: number
  readonly config: Tree
}

function storedIn({ metadata, data }: Tree) {
  const text = isTree(data) && typeof data['config.json'] === 'string' ? data['config.json'] : '{}'
  const content: unknown = JSON.parse(text)
  const { ownerReferences = [], annotations } = isTree(metadata) ? metadata : {}
  const sources = isTree(content) && isTree(content.sources) ? content.sources : {}
  const status = isTree(annotations) ? annotations['cloudflare-operator.io/sync-status'] : undefined
  return { owners: Array.isArray(ownerReferences) ? ownerReferences.length : 0, sources, status }
}

export function hostnamesOf({ ingress }: Tree): readonly unknown[] {
  const rules: readonly unknown[] = Array.isArray(ingress) ? ingress : []
  return rules.flatMap((rule) => (isTree(rule) && rule.hostname !== undefined ? [rule.hostname] : []))
}

/** The value behind some fields, wherever the path ends. */
export const stepsInto = (value: unknown, ...steps: readonly string[]): unknown =>
  steps.reduce<unknown>((into, step) => (isTree(into) ? into[step] : undefined), value)
