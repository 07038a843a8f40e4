import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { kubeCluster } from '../../src/cluster/kube/kube-cluster.ts'
import type { KubeObject, Cluster as OurCluster } from '../../src/cluster/port.ts'
import { resource } from '../../src/cluster/resource.ts'
import { isStored } from '../../src/cluster/stored.ts'
import { type Metrics, metricsOf } from '../../src/process/metrics.ts'
import { isTree, map, object, text } from '../../src/schema.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { TTEMPLATE } from '../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { type Link, linkTo } from '../support/fakes/proxy.ts'
import { binaries } from './binaries.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

// A control plane of its own: what is done to it here nobody else should have to survive.

const CONFIG_MAP = resource(
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' },
  object({}, { data: map(text({ doc: 'Value.' }), { doc: 'Data.' }) }),
)
export const ROOTS = { ConfigMap: '/api/v1', TTemplate: '/apis/k8s.tars.io/v1beta2' } as const
const PLURALS = { ConfigMap: 'configmaps', TTemplate: 'ttemplates' } as const
export const NAMES = ['ConfigMap', 'TTemplate'] as const
export type Name = (typeof NAMES)[number]

// The hooks below set these for each test file that imports this one.
export let control: ControlPlane
export let link: Link
export let observer: Observer
/** What takes its time goes on in the background of the other cases. */
export const background: { blackHole?: Promise<number>; deadPeer?: Promise<number> } = {}

beforeAll(async () => {
  const { controllers: _, ...needed } = await binaries()
  control = await startControlPlane({ binaries: needed })
  await populate()
  link = await linkTo(control.port)
  background.blackHole = backFrom(await aBlackHole())
  background.deadPeer = secondsOfADeadPeer()
  for (const each of Object.values(background)) each.catch(() => undefined) // until somebody asks
}, 120_000)
afterAll(async () => {
  await link.stop()
  await control.stop()
})
beforeEach(async () => {
  await observe()
  await until('the cache is right at the start', () => isRight(observer))
})
afterEach(() => {
  link.heal()
  observer.cluster.stop()
})

interface Observer {
  readonly cluster: OurCluster
  readonly metrics: Metrics
  /** Its log. */
  readonly shown: readonly string[]
  /** Names and versions of all that is in the cache. */
  held(): Promise<readonly string[]>
}

export function kubeconfigOf({ port }: Link, token: string): string {
  const file = join(control.folder, `link-${port}.kubeconfig`)
  writeKubeconfig(file, { ...control.facts, url: `https://127.0.0.1:${port}` }, token)
  return file
}

async function observing(through: Link, token = control.tokens.admin): Promise<Observer> {
  const metrics = metricsOf()
  const shown: string[] = []
  const log = logTo({ write: (line) => void shown.push(line) }, 'warn')
  const reads = [CONFIG_MAP, TTEMPLATE].map((of) => ({ resource: of, keeps: {} }))
  const cluster = await kubeCluster({ kubeconfig: kubeconfigOf(through, token), reads, metrics, log })
  const { cached } = cluster.readers
  const everywhere = { namespace: '' }
  return {
    cluster,
    metrics,
    shown,
    async held() {
      if (cluster.states().some(({ synced }) => !synced)) return ['not listed yet']
      const configMaps = await cached.list(CONFIG_MAP, everywhere)
      const templates = await cached.list(TTEMPLATE, everywhere)
      return [...linesOf('ConfigMap', configMaps), ...linesOf('TTemplate', templates)].toSorted()
    },
  }
}

/** From now on the observer is a new one. */
export async function observe(token?: string): Promise<void> {
  observer = await observing(link, token)
}

/** What the API server itself says it holds, in the same words. */
async function stored(): Promise<readonly string[]> {
  const lists = NAMES.map(async (kind) => {
    const { status, body } = await control.request('GET', `${ROOTS[kind]}/${PLURALS[kind]}`)
    if (status === 404) return []
    return linesOf(kind, itemsIn(body))
  })
  return (await Promise.all(lists)).flat().toSorted()
}

function linesOf(kind: Name, objects: readonly KubeObject[]): readonly string[] {
  return objects.map(
    ({ metadata: { namespace, name, resourceVersion } }) => `${kind} ${namespace}/${name}@${resourceVersion}`,
  )
}

function itemsIn(body: unknown): readonly KubeObject[] {
  if (isTree(body) && Array.isArray(body.items)) return body.items.filter(isStored)
  throw new Error(`no list, but ${JSON.stringify(body)}`)
}

export async function isRight({ held }: Observer): Promise<boolean> {
  const [ours, theirs] = await Promise.all([held(), stored()])
  return isDeepStrictEqual(ours, theirs)
}

export async function populate(): Promise<void> {
  expectDone(await control.kubectl(['apply', '-f', 'manifests/crds']))
  expectDone(await control.kubectl(['wait', '--for=condition=Established', '--timeout=20s', '-f', 'manifests/crds']))
  await control.request('POST', '/api/v1/namespaces', { metadata: { name: 'demo' } })
  await change('there')
}

/** One more of each kind, and one of them less. */
export async function change(name: string): Promise<void> {
  const home = (kind: Name) => `${ROOTS[kind]}/namespaces/demo/${PLURALS[kind]}`
  await expectCreated(home('ConfigMap'), configMap(name))
  await expectCreated(home('ConfigMap'), configMap(`${name}-passing`))
  await expectCreated(home('TTemplate'), aTTemplate({ name, namespace: 'demo' }))
  await control.request('DELETE', `${home('ConfigMap')}/${name}-passing`)
}

export async function expectCreated(path: string, object: unknown): Promise<void> {
  expect(await control.request('POST', path, object)).toMatchObject({ status: 201 })
}

export function configMap(words: string) {
  return { metadata: { name: words.toLowerCase().replaceAll(' ', '-') }, data: {} }
}

interface BlackHole {
  readonly own: Link
  readonly watcher: Observer
  readonly beganAt: number
}

/** A watch whose packets vanish while both ends believe in it, on a link of its own; what comes later gets through. */
async function aBlackHole(): Promise<BlackHole> {
  const own = await linkTo(control.port)
  const watcher = await observing(own)
  await until('the cache is right before the black hole', () => isRight(watcher))
  own.hole()
  const beganAt = performance.now()
  await expectCreated(`${ROOTS.ConfigMap}/namespaces/default/configmaps`, configMap('in the dark'))
  own.heal()
  return { own, watcher, beganAt }
}

async function backFrom({ own, watcher, beganAt }: BlackHole): Promise<number> {
  const isSeen = async () => (await watcher.held()).some((line) => line.startsWith('ConfigMap default/in-the-dark@'))
  await until('what the black hole kept is seen', isSeen, { seconds: 120 })
  const seconds = (performance.now() - beganAt) / 1_000
  watcher.cluster.stop()
  await own.stop()
  return seconds
}

async function secondsOfADeadPeer(): Promise<number> {
  const node = 'node_modules/.bin/node'
  const { stdout } = await promisify(execFile)('unshare', ['-rn', node, 'test/cluster/dead-peer.ts'], {
    timeout: 120_000,
  })
  const { seconds, end } = JSON.parse(stdout)
  expect(end).toContain('no answer from the API server')
  return seconds
}
