import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rested } from './at-work.ts'
import { theCluster } from './cluster.ts'
import { at, nacosIn, nacosOf, sourceOf } from './nacos-workplace.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'
import { type SimulatedNodes, simulatedNodes } from './simulated-nodes.ts'
import { until } from './until.ts'

const cluster = theCluster()
const place = nacosIn(cluster, 'nacos-rollouts')
const { namespace, apply, seen, running, pods, events, kubectl, audit } = place
const FLAGS = ['--nacos-min-ready-seconds=1', '--nacos-settle-seconds=2', '--nacos-stuck-seconds=30']
let product: Product
let worker: OurProcess<WorkerReady>
let nodes: SimulatedNodes | undefined

beforeAll(async () => {
  product = await install(cluster)
  worker = product.worker('nacos-worker')
  await worker.start(...FLAGS)
  nodes = await simulatedNodes(cluster, ['nacos-1'])
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
}, 300_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
  await nodes?.stop()
}, 180_000)

async function started(name: string, internal = 'server.port=8848\n', user = 'a=1\n') {
  await apply(sourceOf('internal', name, internal), sourceOf('user', name, user), nacosOf(name))
  await running(name)
  return seen(name)
}
const merge = async (kind: string, name: string, patch: object) =>
  expectDone(await kubectl('patch', kind, name, '--type=merge', '-p', JSON.stringify(patch)))
describe('nothing restarts', () => {
  it('NC-TST-13, NC-DIG-12 by what changes nothing, nor by another worker, and a full pass writes nothing', async () => {
    const before = await started('calm')
    await merge('nacos', 'calm', { metadata: { labels: { team: 'edge' }, annotations: { note: 'x' } } })
    await merge('configmap', 'calm-user', { metadata: { labels: { team: 'edge' } } })
    await merge('configmap', 'calm-user', { data: { other: 'x' } })
    await merge('configmap', 'calm-user', { data: { 'user.properties': 'a=1\r\n' } })
    await rested(worker)
    await worker.stop('SIGKILL')
    await worker.start(...FLAGS)
    await rested(worker)
    const calls = audit()
    await worker.stop()
    await worker.start(...FLAGS)
    await rested(worker)
    expect(calls()).toEqual([])
    expect(await seen('calm')).toMatchObject({ generation: before.generation, digest: before.digest, phase: 'Running' })
  }, 180_000)

  it('NC-TST-26, NC-STS-12 and Services go on to select the pods of a Nacos with other labels', async () => {
    await started('named')
    await merge('nacos', 'named', { metadata: { labels: { app: 'other' } } })
    await rested(worker)
    const service = await place.read('services', 'named-headless')
    expect(at(service, 'spec', 'selector')).toEqual({ app: 'named', component: 'nacos', middleware: 'nacos' })
    expect(await pods('named')).toHaveLength(3)
  }, 120_000)
})

describe('one rollout', () => {
  it('NC-TST-20, NC-ROL-01 of twenty edits within the time to settle, with the last content', async () => {
    const before = await started('edits')
    for (let i = 1; i <= 20; i += 1) await merge('configmap', 'edits-user', { data: { 'user.properties': `a=${i}\n` } })
    await until('the last content is out', async () => (await seen('edits')).text.includes('a=20'))
    await running('edits', (await seen('edits')).textDigest)
    expect((await seen('edits')).generation).toBe(Number(before.generation) + 1)
  }, 180_000)

  it('NC-TST-22, NC-ROL-21, NC-ROL-22 that gets stuck is told, and the revert goes out by itself', async () => {
    const before = await started('stuck')
    expectDone(await cluster.kubectl(['cordon', 'nacos-1']))
    await merge('configmap', 'stuck-user', { data: { 'user.properties': 'a=bad\n' } })
    await until('it is stuck', async () => (await seen('stuck')).reasons.RolloutComplete === 'Stuck', { seconds: 120 })
    const told = (await events()).find(
      (each) => each.reason === 'RolloutStuck' && at(each, 'involvedObject', 'name') === 'stuck',
    )
    expect(told?.message).toMatch(/pod stuck-2: Unschedulable/)
    await merge('configmap', 'stuck-user', { data: { 'user.properties': 'a=1\n' } })
    expectDone(await cluster.kubectl(['uncordon', 'nacos-1']))
    await running('stuck', String(before.digest))
    expect(await seen('stuck')).toMatchObject({ digest: before.digest, phase: 'Running' })
  }, 300_000)

  it('NC-TST-14, NC-DIG-10 of kubectl rollout restart goes to its end', async () => {
    const before = await started('again')
    const uids = (await pods('again')).map((pod) => at(pod, 'metadata', 'uid'))
    expectDone(await kubectl('rollout', 'restart', 'statefulset', 'again'))
    await merge('nacos', 'again', { metadata: { annotations: { note: 'x' } } })
    expectDone(await kubectl('rollout', 'status', 'statefulset', 'again', '--timeout=90s'))
    const after = (await pods('again')).map((pod) => at(pod, 'metadata', 'uid'))
    expect(after.filter((uid) => uids.includes(uid))).toEqual([])
    expect((await seen('again')).digest).toBe(before.digest)
  }, 180_000)

  it('NC-STS-03 stops at the partition that a user set, and says so', async () => {
    await started('part')
    const updateStrategy = { rollingUpdate: { partition: 2 } }
    await merge('statefulset', 'part', { spec: { updateStrategy } })
    await merge('configmap', 'part-user', { data: { 'user.properties': 'a=2\n' } })
    const message = async () => {
      const conditions = (await seen('part')).status.conditions
      return JSON.stringify(conditions)
    }
    await until('it waits', async () =>
      (await message()).includes('1 of 3 members are updated, 3 are ready; partition=2'),
    )
    const set = await place.read('statefulsets', 'part')
    expect(at(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition')).toBe(2)
    await merge('statefulset', 'part', { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } })
    await until('it is complete', async () => (await seen('part')).reasons.RolloutComplete === 'Complete')
  }, 180_000)
})

describe('a configuration that is held', () => {
  it('NC-TST-16, NC-TST-17 keeps a new Nacos from pods and an old one from restarts, and the next change mends it', async () => {
    await apply(sourceOf('internal', 'held', 'a=1\n'), nacosOf('held'))
    await until('it is held', async () => (await seen('held')).reasons.ConfigReady === 'SourceMissing')
    expect(await seen('held')).toMatchObject({ generation: undefined, phase: 'Creating' })
    await apply(sourceOf('user', 'held', 'b=2\n'))
    await running('held')
    const before = await seen('held')
    expectDone(await kubectl('delete', 'configmap', 'held-user'))
    await until('it is held again', async () => (await seen('held')).reasons.ConfigReady === 'SourceMissing')
    await merge('nacos', 'held', { spec: { replicas: 5 } })
    await until('it scales', async () => (await seen('held')).status.readyReplicas === 5)
    expect(await seen('held')).toMatchObject({ digest: before.digest, replicas: 5, text: before.text })
    await apply(sourceOf('user', 'held', 'b=2\n'))
    await until('it is merged', async () => (await seen('held')).reasons.ConfigReady === 'Merged')
    expect((await seen('held')).digest).toBe(before.digest)
  }, 240_000)

  it('NC-TST-32 and no word of a source comes to logs, events, metrics or the status', async () => {
    const marker = 'xMARKERx'
    await started('secret', `a=${marker}\n`, `b=${marker}\n`)
    await merge('configmap', 'secret-internal', { data: { 'internal.properties': `a=${marker}\\u12\n` } }).catch(
      () => undefined,
    )
    await rested(worker)
    const { metrics } = await worker.ready()
    const page = await (await fetch(`${metrics}/metrics`)).text()
    const status = JSON.stringify((await seen('secret')).status)
    for (const text of [worker.log(), product.webhook.log(), JSON.stringify(await events()), page, status])
      expect(text.includes(marker)).toBe(false)
  }, 120_000)
})

it('NC-TST-18, NC-DIG-34, NC-DIG-35 a final that is edited or deleted is mended, and nothing restarts', async () => {
  const before = await started('drift')
  const final = 'drift-final-config'
  await cluster.request(
    'PATCH',
    `/api/v1/namespaces/${namespace}/configmaps/${final}`,
    { data: { 'application.properties': 'x=1' } },
    { contentType: 'application/merge-patch+json' },
  )
  await until('it is restored', async () => (await seen('drift')).text === before.text)
  await cluster.request('DELETE', `/api/v1/namespaces/${namespace}/configmaps/${final}`)
  await until('it is made again', async () => (await seen('drift')).text === before.text)
  expect(await seen('drift')).toMatchObject({ generation: before.generation, digest: before.digest })
}, 120_000)

it('NC-TST-31 a namespace goes with everything in it, with the webhook and without', async () => {
  for (const isUp of [true, false]) {
    const other = nacosIn(cluster, `nacos-gone-${isUp}`)
    expectDone(await cluster.kubectl(['create', 'namespace', other.namespace]))
    await other.apply(sourceOf('internal', 'one', 'a=1\n'), sourceOf('user', 'one', 'b=1\n'), nacosOf('one'))
    await other.running('one')
    if (!isUp) await product.webhook.stop()
    const remove = ['delete', 'namespace', other.namespace, '--timeout=90s']
    const { code } = await cluster.kubectl(remove)
    if (!isUp) {
      await product.webhook.start()
      expectDone(await cluster.kubectl(['wait', '--for=delete', `namespace/${other.namespace}`, '--timeout=90s']))
    } else expect(code).toBe(0)
  }
}, 300_000)
