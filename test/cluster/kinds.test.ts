import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import './kinds-alone.ts'
import { cluster, inNamespace, kubectl, namespace, on, ours, stored } from './kinds-cluster.ts'
import { expectDone, install, type Product, WORKER } from './product.ts'

let product: Product

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expectDone(await cluster.kubectl(['create', 'rolebinding', 'ann', '--clusterrole=edit', '--user=ann', inNamespace]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

describe('the guards', () => {
  const labels = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }
  const service = (name: string, labels: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels },
    spec: { clusterIP: 'None', ports: [{ name: 'echo', port: 10_000 }] },
  })
  const workload = (kind: string, labels: object) => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'plain', labels },
    spec: {
      ...(kind === 'StatefulSet' && { serviceName: 'plain', replicas: 0 }),
      selector: { matchLabels: { app: 'plain' } },
      template: { metadata: { labels: { app: 'plain' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  })
  const REFUSED =
    'admission webhook "guard.tars.io" denied the request: metadata.labels[tars.io/ServerApp]: ' +
    'objects labelled tars.io/ServerApp are created from a TServer; ' +
    'create a TServer, or leave tars.io/ServerApp or tars.io/ServerName out (GW-1)'

  it('refuse a Service that is labelled as a server’s', async () => {
    const { code, stderr } = await kubectl('create', service('labelled', labels), 'ann')
    expect(stderr).toContain(REFUSED)
    expect(code).toBe(1)
  })
  it.each(['StatefulSet', 'DaemonSet'])('refuse such a %s, and pass one without the labels', async (kind) => {
    expect((await kubectl('create', workload(kind, labels), 'ann')).stderr).toContain(REFUSED)
    expectDone(await kubectl('create', workload(kind, { 'tars.io/ServerApp': 'Demo' }), 'ann'))
  })
  it.each([
    { kind: 'Service', object: service('bare', {}), named: 'service/bare' },
    { kind: 'StatefulSet with one of them', object: undefined, named: 'statefulset/plain' },
    { kind: 'DaemonSet with one of them', object: undefined, named: 'daemonset/plain' },
  ])('refuse the labels on a $kind that was created without them', async ({ object, named }) => {
    if (object !== undefined) expectDone(await kubectl('create', object, 'ann'))
    const words = Object.entries(labels).map((label) => label.join('='))
    const { code, stderr } = await cluster.kubectl(['label', named, ...words, inNamespace], { as: 'ann' })
    expect(stderr).toContain(REFUSED)
    expect(code).toBe(1)
    expectDone(await cluster.kubectl(['label', named, 'mine=kept', inNamespace], { as: 'ann' }))
  })
  it.each(['service/bare', 'statefulset/plain', 'daemonset/plain'])(
    'refuse the labels on %s by way of its status',
    async (named) => {
      const patch = JSON.stringify({ metadata: { labels } })
      const { code, stderr } = await on('patch', named, '--subresource=status', '--type=merge', '-p', patch)
      expect(stderr).toContain(REFUSED)
      expect(code).toBe(1)
    },
  )
  it('pass a Service without the labels, and one with them in a namespace of the system', async () => {
    expectDone(await kubectl('create', service('plain', { app: 'plain' }), 'ann'))
    const stdin = JSON.stringify(service('labelled', labels))
    expectDone(await cluster.kubectl(['create', '--namespace=kube-system', '-f', '-'], { stdin }))
    expectDone(await cluster.kubectl(['delete', 'service', 'labelled', '--namespace=kube-system']))
  })
  it('pass what the controller creates', async () => {
    const toCreate = ['create', 'rolebinding', 'controller', '--clusterrole=edit', inNamespace]
    expectDone(await cluster.kubectl([...toCreate, '--serviceaccount=tars-system:tars-controller']))
    const path = `/api/v1/namespaces/${namespace}/services`
    const made = await cluster.request('POST', path, service('labelled', labels), { as: WORKER })
    expect(made).toMatchObject({ status: 201 })
  })
  it('are not asked of the status of what has both labels', async () => {
    const patch = JSON.stringify({ status: { conditions: [{ type: 'a', status: 'True', reason: 'b', message: '' }] } })
    expectDone(await on('patch', 'service/labelled', '--subresource=status', '--type=merge', '-p', patch))
  })
})

describe('TDeploy', () => {
  const asking = (name: string, servants: readonly object[], template = 'root') => {
    const tars = { template, servants }
    return ours('TDeploy', name, { apply: { app: 'Demo', server: 'Echo', subType: 'tars', tars, k8s: {} } })
  }
  const servant = { name: 'EchoObj', port: 10_000 }
  const decision = { person: 'admin', time: '2022-03-01T08:00:00Z', reason: 'test' }
  const decide = (name: string, result: boolean) =>
    on('patch', 'td', name, '--type=merge', '-p', JSON.stringify({ approve: { ...decision, result } }))

  beforeAll(async () => {
    expectDone(await kubectl('create', ours('TTemplate', 'root', { spec: { parent: 'root', content: '' } })))
  })

  it('of a server that can be is pending, whatever its author decided (TD-M1…M3)', async () => {
    const request = { ...asking('good', [servant]), approve: { ...decision, result: true }, deployed: true }
    expect(await kubectl('create', request)).toMatchObject({
      code: 0,
      stderr:
        'Warning: approve: {"person":"admin","reason":"test","result":tr… is removed, for a request is decided after it is created (TD-M1)\n' +
        'Warning: deployed: true is removed, for a new request is not deployed yet (TD-M2)\n',
    })
    const { metadata, approve, deployed } = await stored('td', 'good')
    expect({ labels: metadata.labels, approve, deployed }).toEqual({ labels: { 'tars.io/Approve': 'Pending' } })
  })
  it('is approved, and who did it is noted (TD-M4, UX-8)', async () => {
    expectDone(await decide('good', true))
    const { metadata } = await stored('td', 'good')
    expect(metadata.labels).toEqual({ 'tars.io/Approve': 'Approved' })
    expect(metadata.annotations).toMatchObject({ 'tars.io/ApprovedBy': expect.stringContaining('admin') })
    expect((await on('get', 'td', 'good')).stdout).toMatch(
      /APP +SERVER +APPROVE +DEPLOYED +AGE\ngood +Demo +Echo +Approved /,
    )
  })
  it('is decided once (TD-V4)', async () => {
    const { stderr } = await decide('good', false)
    expect(stderr).toContain('approve: already decided, cannot be changed; create another request (TD-V4)')
  })
  it('is deployed by the controller alone (TD-V6)', async () => {
    const { stderr } = await on('patch', 'td', 'good', '--type=merge', '-p', '{"deployed":true}')
    expect(stderr).toContain('deployed: only the controller may set this field; leave it as it was (TD-V6)')
  })
  it('of a server that cannot be is admitted with a warning (TD-V8), refused when approved (TD-V7), and rejected (TD-V9)', async () => {
    const { code, stderr } = await kubectl('create', asking('bad', [{ name: 'EchoObj', port: 19385 }]))
    const words = 'apply.tars.servants[0].port: 19385 is reserved for tarsnode; take another port'
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Warning: ${words} (TD-V8, TS-V11)\n` })
    expect((await decide('bad', true)).stderr).toBe(`The TDeploy "bad" is invalid: ${words} (TD-V7, TS-V11)\n`)
    expectDone(await decide('bad', false))
    expect((await stored('td', 'bad')).metadata.labels).toEqual({ 'tars.io/Approve': 'Reject' })
  })
})
