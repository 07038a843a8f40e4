import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Words } from '../../src/cluster/port.ts'
import type { Tree } from '../../src/schema.ts'
import { ANNOTATIONS } from '../../webhooks/kruise/names.ts'
import { aPort, aRelease, aTServer } from '../support/builders/servers.ts'
import { at } from '../support/builders/trees.ts'
import { rested, treeOf, workplaceIn } from './at-work.ts'
import { inWords } from './audited.ts'
import { theCluster } from './cluster.ts'
import { leftOut } from './left-out.ts'
import { daemonSetsIn, largeGets } from './patched-daemonsets.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'
import { type SimulatedNodes, simulatedNodes } from './simulated-nodes.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'patches'
const place = workplaceIn(cluster, namespace)
const { become, daemonSet, patches, pods, says, synced } = daemonSetsIn(place)
let product: Product
let worker: OurProcess<WorkerReady>
let nodes: SimulatedNodes | undefined

const STABLE_MS = 3_000
const QUICK = `--relabel-stabilization-seconds=${STABLE_MS / 1_000}`
const label = async (...args: readonly string[]) =>
  expectDone(await cluster.kubectl(['label', '--overwrite', 'node', ...args]))

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  worker = product.worker()
  await worker.start(QUICK)
  nodes = await simulatedNodes(cluster, ['red', 'blue', 'green'])
}, 120_000)
beforeEach(async () => {
  await label('red', 'blue', 'disk=large')
  await label('green', 'disk-', 'team-')
})
afterEach(async () => expectDone(await place.on('delete', 'daemonsets', '--all', '--timeout=30s')))
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s'])
  await product.uninstall()
  await nodes?.stop()
}, 180_000)

const all = (value: string) => [`blue: ${value}`, 'green: plain', `red: ${value}`]
const LARGE = { list: largeGets('large') }
const SURGE = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
const AGENT = 'example.com/agent'

describe('an edit of a patch', () => {
  it('PATCH-T-20, PATCH-T-21, PATCH-ROLL-5, PATCH-ROLL-11: rolls the pods of matching Nodes alone, one at a time, and a second full pass writes nothing', async () => {
    const before = await daemonSet('wave', { ...LARGE, minReadySeconds: 1 }, all('large'))
    await patches('wave', largeGets('huge'))
    expect(await become('wave', all('huge'))).toBeGreaterThanOrEqual(2)
    const { uids, created } = await pods('wave')
    expect(uids.green).toBe(before.uids.green)
    for (const node of ['red', 'blue']) expect(uids[node]).not.toBe(before.uids[node])
    expect(created.red).not.toBe(created.blue)
    await synced('wave', largeGets('huge'))
    await rested(worker)
    const writes = place.audit()
    await worker.stop()
    await worker.start(QUICK)
    await rested(worker)
    expect(writes().map(inWords)).toEqual([])
  })

  it('PATCH-T-21: with a surge the old pod stays until the new one is available', async () => {
    await daemonSet('surge', { ...LARGE, updateStrategy: SURGE }, all('large'))
    await patches('surge', largeGets('huge'))
    expect(await become('surge', all('huge'))).toBeGreaterThanOrEqual(3)
  })

  it('PATCH-T-21, PATCH-T-30, PATCH-GATE-1: OnDelete waits for the user, and with the gate off the marks go', async () => {
    const before = await daemonSet('manual', { ...LARGE, updateStrategy: { type: 'OnDelete' } }, all('large'))
    await patches('manual', largeGets('huge'))
    await until('its pods are marked', async () => (await pods('manual')).marked === 2)
    expect((await pods('manual')).uids).toEqual(before.uids)
    await worker.stop()
    await worker.start('--feature-gates=AdvancedDaemonSetNodeLabelPatches=false')
    await until('no pod is marked', async () => (await pods('manual')).marked === 0)
    await rested(worker)
    expect(await pods('manual')).toEqual(before)
    await worker.stop()
    await worker.start(QUICK)
  })
})

describe('labels of a Node', () => {
  it('PATCH-T-22, PATCH-ROLL-3: away and back restarts nothing, and for longer its pod follows, and returns', async () => {
    const before = await daemonSet('labels', LARGE, all('large'))
    const stale = async (count: number) => {
      const shown = await (await fetch(`${(await worker.ready()).metrics}/metrics`)).text()
      const sample = `daemonset_patches_stale_pods{[^}]*daemonset="labels"[^}]*reason="NodeRelabeled"[^}]*} ${count}\\b`
      return new RegExp(sample).test(shown)
    }
    await label('green', 'disk=large')
    await until('the worker has seen it', () => stale(1))
    await label('green', 'disk-')
    await until('the worker has seen that too', () => stale(0))
    const since = performance.now()
    await label('green', 'disk=large')
    await become('labels', ['blue: large', 'green: large', 'red: large'])
    expect(performance.now() - since).toBeGreaterThan(STABLE_MS)
    await label('green', 'disk-')
    await become('labels', all('large'))
    const { uids } = await pods('labels')
    expect([uids.red, uids.blue]).toEqual([before.uids.red, before.uids.blue])
  })
})

describe('what the user does meanwhile', () => {
  it('PATCH-T-23, PATCH-ROLL-7: a broken patch stops at its budget, and taking it back heals', async () => {
    const before = await daemonSet('broken', LARGE, all('large'))
    await patches('broken', largeGets('broken', { resources: { requests: { cpu: '10000' } } }))
    const isDown = async () => {
      const { ready, marked } = await pods('broken')
      return ready === 2 && marked === 1
    }
    await until('one pod is down', async () => (await isDown()) && (await pods('broken')).values.length === 3)
    await rested(worker)
    expect(await isDown()).toBe(true)
    await patches('broken', LARGE.list)
    await become('broken', all('large'))
    const { uids } = await pods('broken')
    expect(['red', 'blue', 'green'].filter((node) => uids[node] === before.uids[node])).toHaveLength(2)
  })

  it('an edit of the template during a wave goes first, and undo brings the template back, with its patches', async () => {
    await daemonSet('edited', { ...LARGE, minReadySeconds: 1 }, all('large'))
    await patches('edited', largeGets('huge'))
    await until('the wave has begun', async () => (await pods('edited')).values.some((each) => each.endsWith('huge')))
    expectDone(await place.on('set', 'image', 'daemonset/edited', `agent=${AGENT}:2`))
    const isOf = async (image: string) => (await pods('edited')).images === `${AGENT}:${image}`
    await until('all have the image', () => isOf('2'))
    await become('edited', all('huge'))
    expectDone(await place.on('rollout', 'undo', 'daemonset/edited'))
    await until('all have the image of before', () => isOf('1'))
    await become('edited', all('huge'))
  })
})

describe('a TServer with a pod on each Node', () => {
  const NAME = 'store-agent'
  const agents = daemonSetsIn(place, () => 'tars.io/ServerName=Agent')
  const gets = (value: string) => largeGets(value, { name: NAME })
  const env = [{ name: 'DISK', value: 'plain' }]
  const atOnce = (partition: number) => ({ updateStrategy: { rollingUpdate: { partition } } })
  function applied(list?: readonly object[], k8s: Tree = { daemonSet: true, ...atOnce(3) }) {
    const annotations: Words = list ? { [ANNOTATIONS.patches]: JSON.stringify(list) } : {}
    const wishes = { app: 'Store', server: 'Agent', namespace, normal: [aPort()], release: aRelease() }
    const server = aTServer({ ...wishes, annotations, k8s: { env, ...k8s } })
    return cluster.kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(server) })
  }
  /** The list of its DaemonSet, and who wrote it. */
  async function noted() {
    const annotations = treeOf(at(await place.read('daemonsets', NAME), 'metadata.annotations'))
    return [annotations[ANNOTATIONS.patches], annotations[ANNOTATIONS.source]]
  }

  beforeAll(() => label('red', 'blue', 'green', `tars.io/node.${namespace}=`))
  afterEach(async () => {
    expectDone(await place.on('delete', 'tservers', '--all', '--timeout=30s'))
    await until('its pods are collected', async () => (await agents.pods(NAME)).values.length === 0, { seconds: 55 })
  }, 90_000)

  it('PATCH-API-4: a list that does not fit its pods is refused at its own door, and one without effect is warned of', async () => {
    const { code, stderr } = await applied(largeGets('large'))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/The TServer .*\[0\]\..*"agent".*PATCH-API-4, PATCH-V-21/s),
    ])
    const idle = await applied(gets('large'), { daemonSet: false })
    const warning = `metadata.annotations[${ANNOTATIONS.patches}]: has no effect without spec.k8s.daemonSet; remove it (PATCH-API-4)`
    expect([idle.code, idle.stderr]).toEqual([0, expect.stringContaining(`Warning: ${warning}`)])
  })

  it('PATCH-API-4, PATCH-T-28: its list comes to its DaemonSet, changes and goes with it, and its pods follow', async () => {
    expectDone(await applied(gets('large')))
    await agents.become(NAME, all('large'))
    expect(await noted()).toEqual([JSON.stringify(gets('large')), 'tserver'])
    const before = await agents.pods(NAME)
    expectDone(await applied(gets('huge')))
    await agents.become(NAME, all('huge'))
    expect((await agents.pods(NAME)).uids.green).toBe(before.uids.green)
    const byHand = await place.on('annotate', 'daemonset', NAME, '--overwrite', `${ANNOTATIONS.patches}=[]`)
    expect([byHand.code, byHand.stderr]).toEqual([1, expect.stringContaining('(GW-2)')])
    expectDone(await applied())
    await agents.become(NAME, all('plain'))
    expect(await noted()).toEqual([undefined, undefined])
  })

  it('PATCH-API-4, PATCH-T-28: a list that its DaemonSet got by hand patches its pods, too, and stays when the worker writes it', async () => {
    expectDone(await applied())
    await agents.become(NAME, all('plain'))
    await agents.patches(NAME, gets('large'))
    await agents.become(NAME, all('large'))
    await place.merge('tservers', NAME, { spec: { k8s: atOnce(2) } })
    const strategy = async () => at(await place.read('daemonsets', NAME), 'spec.updateStrategy.rollingUpdate')
    await until('its DaemonSet has the other strategy', async () => at(await strategy(), 'maxUnavailable') === 2)
    expect(await noted()).toEqual([JSON.stringify(gets('large')), undefined])
    expect((await agents.pods(NAME)).values).toEqual(all('large'))
  })
})

describe('while the webhook is away', () => {
  it('PATCH-T-24, PATCH-ROLL-9: a pod starts as the template says, and is replaced as soon as the webhook is back', async () => {
    await daemonSet('away', LARGE, all('large'))
    await product.webhook.stop()
    expectDone(await place.on('delete', 'pod', '-l=app=away', '--field-selector=spec.nodeName=red', '--wait=false'))
    await become('away', ['blue: large', 'green: plain', 'red: plain'])
    const { uids } = await pods('away')
    await rested(worker)
    expect((await pods('away')).uids).toEqual(uids)
    await product.webhook.start()
    await become('away', all('large'))
    expect((await pods('away')).uids.blue).toBe(uids.blue)
  })
})

describe('while a webhook is not asked', () => {
  it('PATCH-T-25, PATCH-ROLL-4: a patch that cannot be applied on one Node touches no other', async () => {
    await leftOut(cluster, 'validating', 'daemonset-patches-validator', 'daemonset-patches.kruise.io')
    const broken = { selector: { matchLabels: { team: 'none' } }, patch: { spec: { containers: [{ image: 'x' }] } } }
    await label('green', 'team=none')
    const before = await daemonSet('partial', LARGE, all('large'))
    await patches('partial', [...largeGets('huge'), broken])
    await become('partial', all('huge'))
    await says('partial', 'PatchFailed')
    expect((await pods('partial')).uids.green).toBe(before.uids.green)
  })

  it('PATCH-T-24, PATCH-ROLL-9: pods that never get their patches are restarted three times at most, and roll once it is asked again', async () => {
    const asked = await leftOut(cluster, 'mutating', 'daemonset-patches-mutator', 'pods.daemonset-patches.kruise.io')
    await label('green', 'disk=large')
    const writes = place.audit()
    await daemonSet('bypassed', LARGE, ['blue: plain', 'green: plain', 'red: plain'])
    await says('bypassed', 'WebhookBypassed')
    const before = await pods('bypassed')
    await rested(worker)
    expect(await pods('bypassed')).toEqual({ ...before, marked: 0 })
    const marked = new Set(writes().flatMap(({ resource, name }) => (resource === 'pods' ? [name] : [])))
    expect([1, 2, 3]).toContain(marked.size)
    const warned = await place.list('events', 'fieldSelector=reason=NodePatchWebhookBypassed')
    expect(warned.map(({ involvedObject }) => at(involvedObject, 'name'))).toContain('bypassed')
    await asked()
    await patches('bypassed', largeGets('huge'))
    await become('bypassed', ['blue: huge', 'green: huge', 'red: huge'])
  })
})
