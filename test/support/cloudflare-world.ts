import { needsOf } from '../../src/cluster/needs.ts'
import type { Built, KubeObject, Resource } from '../../src/cluster/port.ts'
import { asCluster } from '../../src/process/memory-cluster.ts'
import type { Controller } from '../../src/reconcile/controller.ts'
import { settle } from '../../src/reconcile/settle.ts'
import { CloudflareClient } from '../../src/remote/cloudflare/client.ts'
import type { CloudflareOptions } from '../../src/remote/cloudflare/port.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { settingsOf } from '../../src/setting.ts'
import type { Clock } from '../../src/timing/clock.ts'
import { cloudflare } from '../../webhooks/cloudflare/family.ts'
import { doubleWorld, TOKEN } from '../cloudflare/world.ts'
import { CTRL } from './answerer-parts.ts'
import { aCloudflare, aSecret } from './builders/cloudflare.ts'
import { clusterOf, NOW } from './clusters.ts'
import { LastWrite } from './last-write.ts'
import { quickPasswords } from './passwords.ts'

/** A tunnel that is there, and the object that records it. */
export const TUNNEL_ID = '11111111-2222-4333-8444-555555555555'
const TUNNEL_THERE = {
  id: TUNNEL_ID,
  name: 'main',
  config_src: 'cloudflare',
  deleted_at: null,
  connections: 0,
  config: null,
  version: 0,
  source: 'cloudflare',
} as const
/** It is there unless a test gives tunnels of its own. */
export const USUAL_TUNNEL = { ...aCloudflare('ClusterTunnel', {}, { name: 'main' }), status: { tunnelId: TUNNEL_ID } }

interface ProcessOf {
  /** At which it is killed. */
  readonly last?: LastWrite
  /** By which it counts its calls. */
  readonly clock?: Clock
}
interface SettledSoFar {
  /** At the API server: `merge VirtualNetwork`. */
  readonly writes: readonly string[]
  /** At Cloudflare: `POST /r2/buckets`, below the account. */
  readonly calls: readonly string[]
  readonly reasons: readonly string[]
}

const TUNNELS = ['Tunnel', 'ClusterTunnel']
/** Of the world itself: a test that gives none of them hears nothing of them. */
const USUAL = ['CloudflareCredentials', ...TUNNELS]
type Runs = (controller: Controller) => boolean

/** A cluster in memory with credentials, the double of Cloudflare, and the controllers of single objects between them. */
export const cloudflareWorld = (...objects: readonly Built[]) =>
  worldWith(objects, ({ name, of }) => {
    const isGiven = !USUAL.includes(of.kind) || objects.some(({ kind }) => kind === of.kind)
    return name !== TUNNEL_CONFIG && isGiven
  })
/** The same with the controller that gathers the configurations of tunnels alone. */
export const tunnelWorld = (...objects: readonly Built[]) => worldWith(objects, ({ name }) => name === TUNNEL_CONFIG)
/** The same with all controllers of the family. */
export const wholeWorld = (...objects: readonly Built[]) => worldWith(objects, () => true)
const TUNNEL_CONFIG = 'tunnelconfig'

async function worldWith(objects: readonly Built[], runs: Runs) {
  const world = await doubleWorld()
  const { double, account } = world
  account.tunnels.set(TUNNEL_ID, { ...TUNNEL_THERE, created_at: NOW })
  const credentials = aCloudflare('CloudflareCredentials', { accountId: account.id, isDefault: true }, { name: 'main' })
  const tunnels = objects.some(({ kind }) => TUNNELS.some((each) => each === kind)) ? [] : [USUAL_TUNNEL]
  const cluster = clusterOf(credentials, aSecret({ CLOUDFLARE_API_TOKEN: TOKEN }), ...tunnels, ...objects.map(born))

  /** A worker that starts, and ends as soon as nothing is due within this time. */
  async function settled(
    given: Tree = {},
    forMs = 0,
    { last = new LastWrite(), clock }: ProcessOf = {},
  ): Promise<SettledSoFar> {
    const settings = settingsOf({ cloudflareApiUrl: double.url, ...given })
    const open = (options: CloudflareOptions) =>
      new CloudflareClient({ ...options, fetch: last.fetch, ...(clock && { clock }) })
    const remotes = { passwords: quickPasswords, cloudflare: open }
    const controllers = cloudflare.controllers(remotes, settings).filter(runs)
    const seen = asCluster(cluster, needsOf({ controllers }, 'worker').reads, CTRL)
    const before = double.log.length
    const options = { settings, profile: 'seed', at: new Date(NOW), forMs } as const
    const { results, notices } = await settle(controllers, { ...seen, writer: last.writer(seen.writer) }, options)
    const done = results.filter(({ outcome }) => outcome === 'done')
    return {
      writes: done.flatMap(({ action }) => ('of' in action ? [`${action.do} ${action.of.kind}`] : [])),
      calls: double.log
        .slice(before)
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path.replace(/^\/(accounts|zones)\/[^/]+/, '')}`),
      reasons: [...new Set(notices.map(({ reason }) => reason))],
    }
  }

  /** Of the condition Ready: `Synced`, or the reason and the message. */
  async function ready<T extends KubeObject>(of: Resource<T>, ref: { namespace: string; name: string }) {
    const found: unknown = await cluster.get(of, ref)
    const { conditions } = isTree(found) && isTree(found.status) ? found.status : {}
    const condition = Array.isArray(conditions) ? conditions.find((each) => each.type === 'Ready') : undefined
    return [condition?.reason, condition?.message].filter(Boolean).join(': ')
  }
  return { ...world, cluster, settled, ready }
}

/** As the API server stores it. */
const born = (object: Built): Built => ({
  ...object,
  metadata: { creationTimestamp: NOW, generation: 1, ...object.metadata },
})
