import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsOf } from '../../src/setting.ts'
import { workloadsFor } from '../../webhooks/tars/tserver/objects/objects.ts'
import { aPort, aRelease, aTServer } from '../support/builders/servers.ts'
import { asServer } from '../support/mapped.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product, WORKER } from './product.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'guarded'
const inNamespace = `--namespace=${namespace}`
let product: Product

const asAnn = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace], { as: 'ann' })
const patch = (named: string, type: string, change: unknown, ...more: readonly string[]) =>
  asAnn('patch', named, `--type=${type}`, '-p', JSON.stringify(change), ...more)

async function stored(named: string) {
  return JSON.parse((await cluster.kubectl(['get', named, inNamespace, '-o', 'json'])).stdout)
}

/** The objects of a server, applied as the worker applies them. */
async function appliedFor(server: string, k8s = {}, name?: string): Promise<void> {
  const made = aTServer({ namespace, server, normal: [aPort()], release: aRelease(), k8s })
  expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(made) }))
  const given = { profile: 'seed', settings: settingsOf({}) } as const
  const asStored = asServer(await stored(`ts/${made.metadata.name}`))
  for (const { of, object } of workloadsFor(asStored, undefined, given)) {
    const metadata = { ...object.metadata, name: name ?? object.metadata.name }
    const root = of.group === '' ? '/api/v1' : `/apis/${of.group}/${of.version}`
    const path = `${root}/namespaces/${namespace}/${of.plural}/${metadata.name}?fieldManager=tars-controller&force=true`
    const sent = { contentType: 'application/apply-patch+yaml', as: WORKER }
    expect(await cluster.request('PATCH', path, { ...object, metadata }, sent)).toMatchObject({ status: 201 })
  }
}

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  const bind = ['create', 'rolebinding', inNamespace]
  expectDone(await cluster.kubectl([...bind, 'ann', '--clusterrole=cluster-admin', '--user=ann']))
  const account = `--serviceaccount=${WORKER.namespace}:${WORKER.name}`
  expectDone(await cluster.kubectl([...bind, 'worker', '--clusterrole=cluster-admin', account]))
  await appliedFor('Echo')
  await appliedFor('Node', { daemonSet: true })
  await appliedFor('Owner', {}, 'demo-lone')
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

const refusal = (field: string, server = 'demo-echo') =>
  `admission webhook "guard.tars.io" denied the request: ${field}: is managed by TServer ${namespace}/${server}; ` +
  'change it there (GW-2)'
const IMAGE = 'spec.template.spec.containers[0].image'
const WITHOUT_OWNER = [{ op: 'remove', path: '/metadata/ownerReferences' }]

describe('GW-2 on a real API server', () => {
  it.each([
    { name: 'an image', args: ['set', 'image', 'sts/demo-echo', 'demo-echo=other'], field: IMAGE },
    {
      name: 'a label',
      args: ['label', 'sts/demo-echo', 'tars.io/ServerApp-'],
      field: 'metadata.labels[tars.io/ServerApp]',
    },
  ])('refuses $name of a StatefulSet', async ({ args, field }) => {
    const { code, stderr } = await asAnn(...args)
    expect(stderr).toContain(refusal(field))
    expect(code).toBe(1)
  })

  it.each([[], ['--subresource=status']])('refuses to take the owner away %s', async (...more) => {
    const { stderr } = await patch('sts/demo-echo', 'json', WITHOUT_OWNER, ...more)
    expect(stderr).toContain(refusal('metadata.ownerReferences[0]'))
  })

  it('refuses to take a label off by way of the status', async () => {
    const change = { metadata: { labels: { 'tars.io/ServerName': null } } }
    const { stderr } = await patch('svc/demo-echo', 'merge', change, '--subresource=status')
    expect(stderr).toContain(refusal('metadata.labels[tars.io/ServerName]'))
  })

  it('refuses a port of a Service, and the pace of a DaemonSet', async () => {
    const port = [{ op: 'replace', path: '/spec/ports/0/targetPort', value: 1 }]
    expect((await patch('svc/demo-echo', 'json', port)).stderr).toContain(refusal('spec.ports[0].targetPort'))
    const { stderr } = await patch('ds/demo-node', 'merge', { spec: { minReadySeconds: 7 } })
    expect(stderr).toContain(refusal('spec.minReadySeconds', 'demo-node'))
  })

  const sidecar = { spec: { template: { spec: { containers: [{ name: 'proxy', image: 'proxy:v1' }] } } } }
  it.each([
    { name: 'a restart', args: ['rollout', 'restart', 'sts/demo-echo'] },
    { name: 'a restart of a DaemonSet', args: ['rollout', 'restart', 'ds/demo-node'] },
    { name: 'a label of others', args: ['label', 'sts/demo-echo', 'mine=kept'] },
    { name: 'an annotation', args: ['annotate', 'svc/demo-echo', 'mine=kept'] },
    { name: 'a sidecar', args: ['patch', 'sts/demo-echo', '--type=strategic', '-p', JSON.stringify(sidecar)] },
    { name: 'a scale, which the worker brings back', args: ['scale', 'sts/demo-echo', '--replicas=3'] },
    { name: 'an edit of what was scaled', args: ['label', 'sts/demo-echo', 'mine=changed', '--overwrite'] },
  ])('passes $name', async ({ args }) => {
    const { code, stderr } = await asAnn(...args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('passes a write of the status, and what the worker writes', async () => {
    const status = { status: { conditions: [{ type: 'Mine', status: 'True' }] } }
    expectDone(await patch('sts/demo-echo', 'merge', status, '--subresource=status'))
    const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/demo-echo`
    const change = { spec: { replicas: 1 } }
    const sent = { contentType: 'application/merge-patch+json', as: WORKER }
    expect(await cluster.request('PATCH', path, change, sent)).toMatchObject({ status: 200 })
  })
})

describe('GW-3 on a real API server', () => {
  it('refuses a change of an object that is controlled by a TServer, where there is none of its name', async () => {
    const { stderr } = await asAnn('annotate', 'sts/demo-lone', 'mine=kept')
    expect(stderr).toContain(
      `metadata.ownerReferences: its controller, TServer ${namespace}/demo-lone, does not exist; ` +
        'take the reference away first, or leave the object to the garbage collector (GW-3)',
    )
  })

  it('passes the orphaning of the garbage collector, and what follows', async () => {
    expectDone(await cluster.kubectl(['delete', 'ts', 'demo-echo', '--cascade=orphan', inNamespace]))
    await until(
      'the owner is taken away',
      async () => (await stored('sts/demo-echo')).metadata.ownerReferences === undefined,
    )
    expectDone(await asAnn('set', 'image', 'sts/demo-echo', 'demo-echo=other'))
  })

  it('passes what is terminating, and every deletion', async () => {
    const finalizer = [{ op: 'add', path: '/metadata/finalizers', value: ['example.com/hold'] }]
    const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/demo-lone`
    const sent = { contentType: 'application/json-patch+json', as: WORKER }
    expect(await cluster.request('PATCH', path, finalizer, sent)).toMatchObject({ status: 200 })
    expectDone(await asAnn('delete', 'sts/demo-lone', '--wait=false'))
    expectDone(await asAnn('annotate', 'sts/demo-lone', 'mine=kept'))
    expectDone(await patch('sts/demo-lone', 'merge', { metadata: { finalizers: null } }))
  })
})
