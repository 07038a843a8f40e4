import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { kubeCluster } from '../../src/cluster/kube/kube-cluster.ts'
import { type KubeObject, type Cluster as OurCluster, resource } from '../../src/cluster/port.ts'
import { isStored } from '../../src/cluster/stored.ts'
import { isTree, map, object, text } from '../../src/schema.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { type Metrics, metricsOf } from '../../src/telemetry/metrics.ts'
import { TTEMPLATE } from '../../webhooks/tars/ttemplate/schema.ts'
import { type Link, linkTo } from '../support/proxy.ts'
import { aTTemplate } from '../support/templates.ts'
import { binaries } from './binaries.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { restartOnEmptyStore } from './empty-store.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

// A control plane of its own: what is done to it here nobody else should have to survive.

const CONFIG_MAP = resource(
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' },
  object({}, { data: map(text({ doc: 'Value.' }), { doc: 'Data.' }) }),
)
const ROOTS = { ConfigMap: '/api/v1', TTemplate: '/apis/k8s.tars.io/v1beta2' } as const
const PLURALS = { ConfigMap: 'configmaps', TTemplate: 'ttemplates' } as const
const NAMES = ['ConfigMap', 'TTemplate'] as const
type Name = (typeof NAMES)[number]
const THERE = /^TTemplate demo\/there@/
const QUIET = logTo({ write: () => {} }, 'silent')
const RIGHT_WITHIN_S = 5
const SILENCE_S = 90
const KEEP_ALIVE_S = 60
/** Enough for versions of a store that began anew to be lower. */
const WRITES = 400

let control: ControlPlane
let link: Link
let observer: Observer
/** What takes its time goes on in the background of the other cases. */
const background: { blackHole?: Promise<number>; deadPeer?: Promise<number> } = {}

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
  observer = await observing(link)
  await until('the cache is right at the start', () => isRight(observer))
})
afterEach(() => {
  link.heal()
  observer.cluster.stop()
})

describe('the cache is right again within 5 s after the API server is back', () => {
  it('from a restart on the same store, without a list', async () => {
    await control.restartApiServer()
    await expectRight('a restart', { relists: 0 })
  })

  it('from a restart that leaves no way to go on from what was known (410), with one list', async () => {
    link.cut()
    await change('unseen')
    await control.restartApiServer()
    link.heal()
    await expectRight('a restart and 410', { relists: 1 })
  })

  it('from a stop of ten seconds (SIGSTOP), without a list', async () => {
    control.pauseApiServer()
    await sleep(10_000)
    control.resumeApiServer()
    await expectRight('SIGSTOP for 10 s', { relists: 0 })
  })

  it('from a network that resets every connection, again and again, while objects come and go', async () => {
    for (let times = 0; times < 20; times += 1) {
      if (times % 2 === 0) link.cut()
      else link.heal()
      await change(`reset-${times}`)
      await sleep(50)
    }
    link.heal()
    await expectRight('10 times reset', { relists: 0 })
  })

  it('from a network so slow that a list does not come through', async () => {
    observer.cluster.stop()
    link.trickle(20)
    observer = await observing(link)
    await sleep(3_000)
    expect(observer.cluster.states().some(({ synced }) => synced)).toBe(false)
    link.heal()
    await expectRight('50 bytes a second', { relists: 0 })
  })
})

describe('a peer that is gone without a word', () => {
  it('is found by TCP keep-alive within a minute', async () => {
    const seconds = await background.deadPeer
    report('found by keep-alive', seconds)
    expect(seconds).toBeLessThanOrEqual(KEEP_ALIVE_S)
  }, 150_000)

  it('is found by its silence where packets are acknowledged and vanish all the same', async () => {
    const seconds = await background.blackHole
    report('right again from a black hole', seconds)
    expect(seconds).toBeGreaterThan(10) // it did not notice before
    expect(seconds).toBeLessThanOrEqual(SILENCE_S + RIGHT_WITHIN_S)
  }, 150_000)
})

describe('the store is emptied', () => {
  it('and the cache is right within 5 s too, though the CRD is gone and versions begin anew', async () => {
    await raiseVersions()
    await until('the cache is right before', () => isRight(observer))
    expect(await observer.held()).toContainEqual(expect.stringMatching(THERE))
    await restartOnEmptyStore(control)
    await expectRight('an emptied store', { relists: 1 })
    expect(await observer.held()).not.toContainEqual(expect.stringMatching(THERE))
  })

  it('and what is created in the new one is found', async () => {
    await populate()
    await until('the CRD is found again', () => isRight(observer), { seconds: 35 })
    expect(await observer.held()).toContainEqual(expect.stringMatching(THERE))
  })
})

interface Observer {
  readonly cluster: OurCluster
  readonly metrics: Metrics
  /** Names and versions of all that is in the cache. */
  held(): Promise<readonly string[]>
}

async function observing(through: Link): Promise<Observer> {
  const file = join(control.folder, `link-${through.port}.kubeconfig`)
  writeKubeconfig(file, { ...control.facts, url: `https://127.0.0.1:${through.port}` }, control.tokens.admin)
  const metrics = metricsOf()
  const reads = [CONFIG_MAP, TTEMPLATE].map((of) => ({ resource: of, kept: { byLabels: [] } }))
  const cluster = await kubeCluster({ kubeconfig: file, reads, metrics, log: QUIET })
  const { cached } = cluster.readers
  const everywhere = { namespace: '' }
  return {
    cluster,
    metrics,
    async held() {
      if (cluster.states().some(({ synced }) => !synced)) return ['not listed yet']
      const configMaps = await cached.list(CONFIG_MAP, everywhere)
      const templates = await cached.list(TTEMPLATE, everywhere)
      return [...linesOf('ConfigMap', configMaps), ...linesOf('TTemplate', templates)].toSorted()
    },
  }
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

async function isRight({ held }: Observer): Promise<boolean> {
  const [ours, theirs] = await Promise.all([held(), stored()])
  return isDeepStrictEqual(ours, theirs)
}

/** To be called as soon as the API server is back: from then on it counts, with a change that nobody could know of. */
async function expectRight(after: string, { relists }: { readonly relists: 0 | 1 }): Promise<void> {
  const beganAt = performance.now()
  await control.request('POST', `${ROOTS.ConfigMap}/namespaces/default/configmaps`, configMap(after))
  await until(`the cache is right after ${after}`, () => isRight(observer), { seconds: 20 })
  const seconds = (performance.now() - beganAt) / 1_000
  report(`right again after ${after}`, seconds)
  expect(seconds).toBeLessThanOrEqual(RIGHT_WITHIN_S)
  const { values } = await observer.metrics.relists.get()
  expect(
    values.map(({ value }) => value),
    'lists after the first, of each kind',
  ).toEqual(relists === 0 ? [] : [1, 1])
  expect((await observer.metrics.liveReads.get()).values, 'all of it from the cache').toEqual([])
}

function report(what: string, seconds: number | undefined): void {
  process.stdout.write(`${what}: ${seconds?.toFixed(2)} s\n`)
}

async function populate(): Promise<void> {
  expectDone(await control.kubectl(['apply', '-f', 'manifests/crds']))
  expectDone(await control.kubectl(['wait', '--for=condition=Established', '--timeout=20s', '-f', 'manifests/crds']))
  await control.request('POST', '/api/v1/namespaces', { metadata: { name: 'demo' } })
  await change('there')
}

/** One more of each kind, and one of them less. */
async function change(name: string): Promise<void> {
  const home = (kind: Name) => `${ROOTS[kind]}/namespaces/demo/${PLURALS[kind]}`
  await expectCreated(home('ConfigMap'), configMap(name))
  await expectCreated(home('ConfigMap'), configMap(`${name}-passing`))
  await expectCreated(home('TTemplate'), aTTemplate({ name, namespace: 'demo' }))
  await control.request('DELETE', `${home('ConfigMap')}/${name}-passing`)
}

async function expectCreated(path: string, object: unknown): Promise<void> {
  expect(await control.request('POST', path, object)).toMatchObject({ status: 201 })
}

function configMap(words: string) {
  return { metadata: { name: words.toLowerCase().replaceAll(' ', '-') }, data: {} }
}

async function raiseVersions(): Promise<void> {
  for (let written = 0; written < WRITES; written += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        expectCreated(`${ROOTS.ConfigMap}/namespaces/demo/configmaps`, configMap(`raise ${written + i}`)),
      ),
    )
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
