import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aTFrameworkConfig } from '../support/builders/framework-configs.ts'
import { aPort, aRelease, aTServer } from '../support/builders/servers.ts'
import { OF_SERVER } from '../support/builders/workloads.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'pods'
const inNamespace = `--namespace=${namespace}`
let product: Product

const on = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])
const create = async (object: unknown) =>
  expectDone(await cluster.kubectl(['create', inNamespace, '-f', '-'], { stdin: JSON.stringify(object) }))
const stored = async (named: string) => JSON.parse((await on('get', named, '-o', 'json')).stdout)
const listed = async () => (await stored('te/demo-echo')).status?.pods ?? []
const recorded = async () => (await stored('texitedrecord/demo-echo')).pods

/** No node takes it, so that nothing but this test writes to it. */
const aGuest = (name: string, finalizers: readonly string[] = [], labels = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { ...OF_SERVER, 'tars.io/ServerID': 'r1', ...labels }, finalizers },
  spec: { nodeSelector: { none: 'such' }, containers: [{ name: 'demo-echo', image: 'registry.example/echo:r1' }] },
})

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  await create(aTServer({ namespace, normal: [aPort()], release: aRelease(), k8s: { replicas: 0 } }))
  await product.worker().start()
  await until(
    'endpoint and record are there',
    async () => (await recorded()).length === 0 && (await listed()).length === 0,
  )
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

describe('the pods of a server on a real API server', () => {
  it('TE-R3 TE-R4 are listed in the status of its TEndpoint', async () => {
    await create(aGuest('guest'))
    const conditions = ['PodScheduled', 'Initialized', 'ContainersReady'].map((type) => ({ type, status: 'True' }))
    const active = { type: 'tars.io/active', status: 'False', reason: 'Active/Activating/7' }
    const terminated = { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: null, finishedAt: null }
    const containerStatus = { name: 'demo-echo', image: 'a', imageID: '', ready: false, restartCount: 0 }
    const containerStatuses = [{ ...containerStatus, state: { terminated } }]
    const status = JSON.stringify({
      status: { podIP: '10.0.0.1', conditions: [...conditions, active], containerStatuses },
    })
    expectDone(await on('patch', 'pod/guest', '--subresource=status', '--type=merge', '-p', status))
    const shown = { name: 'guest', id: 'r1', settingState: 'Active', presentState: 'Activating', pid: '7' }
    await until('the pod is listed', async () => (await listed())[0]?.presentState === 'Activating')
    const state = { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } }
    expect(await listed()).toMatchObject([
      { ...shown, podIP: '10.0.0.1', containerStatuses: [{ ...containerStatus, state }] },
    ])
    await create(aGuest('late'))
    await until('the late one is listed', async () => (await listed()).length === 2)
  })

  it('TX-R2 are recorded when they are gone without notice', async () => {
    const { uid } = (await stored('pod/guest')).metadata
    expectDone(await on('delete', 'pod/guest', '--grace-period=0', '--force'))
    await until('the pod is recorded', async () => (await recorded()).length === 1)
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const times = { createTime: moment, deleteTime: moment }
    expect(await recorded()).toEqual([{ uid, name: 'guest', id: 'r1', podIP: '10.0.0.1', ...times }])
  })

  it('TX-R2 TX-R3 are recorded once, as soon as they are terminating', async () => {
    await create(aGuest('held', ['example.com/hold']))
    expectDone(await on('delete', 'pod/held', '--wait=false'))
    await until('the pod is recorded', async () => (await recorded())[0]?.name === 'held')
    expect(await listed()).toContainEqual(expect.objectContaining({ name: 'held', presentState: 'Terminating' }))
    expectDone(await on('patch', 'pod/held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'))
    await until('the pod is gone', async () => (await listed()).length === 1)
    expect((await recorded()).map(({ name }: { readonly name: string }) => name)).toEqual(['held', 'guest'])
  })

  it('WR-10 TX-R4 TF-R2 are recorded in few writes, and no more of them than the limit says', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `burst-${at}`)
    await create({ apiVersion: 'v1', kind: 'List', items: names.map((name) => aGuest(name, [], { burst: 'yes' })) })
    const before = (await stored('texitedrecord/demo-echo')).metadata.generation
    const collection = `/api/v1/namespaces/${namespace}/pods?labelSelector=burst`
    expect(await cluster.request('DELETE', collection)).toMatchObject({ status: 200 })
    await until('all are recorded', async () => (await recorded()).length === 22)
    expect((await stored('texitedrecord/demo-echo')).metadata.generation - before).toBeLessThanOrEqual(3)
    const limits = { texitedPod: 10, tconfigHistory: 10, timageRelease: 10 }
    await create(aTFrameworkConfig({ namespace, recordLimit: limits }))
    await until('the list is cut', async () => (await recorded()).length === 10)
  })
})
