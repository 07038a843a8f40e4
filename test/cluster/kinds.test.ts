import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Printed, User } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product, WORKER } from './product.ts'

const cluster = theCluster()
const namespace = 'kinds'
const inNamespace = `--namespace=${namespace}`
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

function ours(kind: string, name: string, fields: object): object {
  return { apiVersion: 'k8s.tars.io/v1beta2', kind, metadata: { name }, ...fields }
}
function kubectl(verb: string, object: object, as: User = 'admin'): Promise<Printed> {
  return cluster.kubectl([verb, inNamespace, '-f', '-'], { stdin: JSON.stringify(object), as })
}
const on = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])

async function stored(kind: string, name: string) {
  const { stdout } = await on('get', kind, name, '-o', 'json')
  return JSON.parse(stdout)
}

describe('TFrameworkConfig', () => {
  const fields = { imageRegistry: { registry: 'registry.example' }, nodeImage: { image: 'node:v1' } }

  it('of the one name is admitted without a word, and filled with what usually holds', async () => {
    expect(await kubectl('create', ours('TFrameworkConfig', 'tars-framework', fields))).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(await stored('tfc', 'tars-framework')).toMatchObject({
      recordLimit: { texitedPod: 48, tconfigHistory: 48, timageRelease: 48 },
      nodeImage: { image: 'node:v1', secret: '' },
      upChain: {},
    })
  })
  it('of another name is admitted with a warning (TF-W1)', async () => {
    const { code, stderr } = await kubectl('create', ours('TFrameworkConfig', 'tard-framework', fields))
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Warning: metadata.name: ignored, for only tars-framework is read; give it that name (TF-W1)\n',
    })
  })
  it('of a limit too low the API server refuses', async () => {
    const { stderr } = await on(
      'patch',
      'tfc',
      'tars-framework',
      '--type=merge',
      '-p',
      '{"recordLimit":{"texitedPod":9}}',
    )
    expect(stderr).toContain('recordLimit.texitedPod: Invalid value: 9: ')
  })
})

describe('TImage', () => {
  const release = (id: string) => ({ id, image: `registry.example/echo:${id}` })

  it('is completed: its labels, its times, its releases each once (TI-M1…M5)', async () => {
    const releases = [release('a'), release('a'), { ...release('b'), createTime: '2022-01-17T02:22:15Z' }]
    const fields = { imageType: 'base', supportedType: ['cpp', 'java-war'], releases }
    expectDone(await kubectl('create', ours('TImage', 'base', fields)))
    expect(await stored('timage', 'base')).toMatchObject({
      metadata: {
        labels: {
          'tars.io/ImageType': 'base',
          'tars.io/Supported.cpp': 'cpp',
          'tars.io/Supported.java-war': 'java-war',
        },
      },
      releases: [
        { ...release('a'), createTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
        { ...release('b'), createTime: '2022-01-17T02:22:15Z' },
      ],
    })
  })
  it('keeps its times when a manifest without them is applied again (TI-M5)', async () => {
    const manifest = (...ids: readonly string[]) =>
      ours('TImage', 'applied', { imageType: 'server', releases: ids.map(release) })
    expectDone(await kubectl('apply', manifest('a', 'b')))
    const { metadata, releases } = await stored('timage', 'applied')
    await new Promise((resolve) => setTimeout(resolve, 1_100)) // times are to the second
    expect(await kubectl('diff', manifest('a', 'b'))).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expectDone(await kubectl('apply', manifest('a', 'b')))
    expect(await stored('timage', 'applied')).toMatchObject({
      metadata: { resourceVersion: metadata.resourceVersion },
      releases,
    })
    expectDone(await kubectl('apply', manifest('c', 'a', 'b')))
    const [made, ...others] = (await stored('timage', 'applied')).releases
    expect(others).toEqual(releases)
    expect(Date.parse(made.createTime)).toBeGreaterThan(Date.parse(releases[0].createTime))
  })
  it('of more releases than the framework allows loses the last, and is told which (TI-M6)', async () => {
    expectDone(await on('patch', 'tfc', 'tars-framework', '--type=merge', '-p', '{"recordLimit":{"timageRelease":10}}'))
    const releases = Array.from({ length: 12 }, (_, i) => release(`v${i + 1}`))
    const create = async (turn: number) => {
      const { stderr } = await kubectl('create', ours('TImage', `many-${turn}`, { imageType: 'server', releases }))
      return stderr
    }
    let [turn, shown] = [0, '']
    for (; turn < 50 && shown === ''; turn += 1) shown = await create(turn) // the cache hears of the new limit soon
    expect(shown).toBe(
      'Warning: releases: 2 too many, for recordLimit.timageRelease of tars-framework is 10 (TI-M6)\n' +
        'Warning: releases: dropped v11, v12 (TI-M6)\n',
    )
    expect((await stored('timage', `many-${turn - 1}`)).releases).toHaveLength(10)
  })
  it('of no type the API server refuses', async () => {
    const { stderr } = await kubectl('create', ours('TImage', 'bare', {}))
    expect(stderr).toContain('The TImage "bare" is invalid: \n* imageType: Required value\n')
  })
})

describe('TTree', () => {
  const business = { name: '业务', show: 1 }

  it('is admitted under its name, and its apps belong to a business that is there (TR-M1)', async () => {
    const apps = [
      { name: 'Demo', businessRef: '业务' },
      { name: 'Shop', businessRef: 'gone' },
    ]
    expectDone(await kubectl('create', ours('TTree', 'tars-tree', { businesses: [business], apps })))
    expect(await stored('ttree', 'tars-tree')).toMatchObject({
      businesses: [{ ...business, weight: 3 }],
      apps: [
        { name: 'Demo', businessRef: '业务' },
        { name: 'Shop', businessRef: '' },
      ],
    })
  })
  it('of another name is refused (TR-V1)', async () => {
    const { code, stderr } = await kubectl('create', ours('TTree', 'other', { businesses: [], apps: [] }))
    expect(stderr).toContain(
      'admission webhook "validating.tars.io" denied the request: metadata.name: only one TTree named "tars-tree" is ' +
        'allowed in a namespace; give it that name, or edit the one that is there (TR-V1)',
    )
    expect(code).toBe(1)
  })
  it('is there once: the second is refused by the API server (TR-V1)', async () => {
    const { stderr } = await kubectl('create', ours('TTree', 'tars-tree', { businesses: [], apps: [] }))
    expect(stderr).toContain('ttrees.k8s.tars.io "tars-tree" already exists')
  })
  it('keeps its names apart (TR-V2, TR-V3)', async () => {
    const apps = [
      { name: 'Demo', businessRef: '' },
      { name: 'Demo', businessRef: '' },
    ]
    const { stderr } = await kubectl('apply', ours('TTree', 'tars-tree', { businesses: [business, business], apps }))
    expect(stderr).toContain(
      'businesses[1].name: "业务" duplicates businesses[0]; give each business a name of its own (TR-V2)',
    )
    expect(stderr).toContain('apps[1].name: "Demo" duplicates apps[0]; list each app once (TR-V3)')
  })
  it('is not deleted (TR-V6), but with its namespace', async () => {
    const { stderr } = await on('delete', 'ttree', 'tars-tree')
    expect(stderr).toBe(
      'Error from server (Forbidden): admission webhook "validating.tars.io" denied the request: ' +
        'metadata.name: TTree kinds/tars-tree: tars-tree cannot be deleted; edit it, or delete its namespace (TR-V6)\n',
    )
    expectDone(await cluster.kubectl(['create', 'namespace', 'felled']))
    const stdin = JSON.stringify(ours('TTree', 'tars-tree', { businesses: [], apps: [] }))
    expectDone(await cluster.kubectl(['create', '--namespace=felled', '-f', '-'], { stdin }))
    expectDone(await cluster.kubectl(['delete', 'namespace', 'felled', '--timeout=50s']))
  })
})

describe('TEndpoint and TExitedRecord', () => {
  it('are stored as they are, the status of the one apart from the rest', async () => {
    const labels = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }
    const record = { app: 'Demo', server: 'Echo', pods: [{ uid: 'u', name: 'demo-echo-0', id: 'v1' }] }
    expectDone(
      await kubectl(
        'create',
        ours('TExitedRecord', 'demo-echo', { ...record, metadata: { name: 'demo-echo', labels } }),
      ),
    )
    expect(await stored('texitedrecord', 'demo-echo')).toMatchObject(record)
    const spec = { app: 'Demo', server: 'Echo', subType: 'tars', tars: { servants: [{ name: 'EchoObj', port: 1 }] } }
    expectDone(await kubectl('create', ours('TEndpoint', 'demo-echo', { spec, status: { pods: [{ name: 'x' }] } })))
    const endpoint = await stored('te', 'demo-echo')
    expect(endpoint).toMatchObject({ spec })
    expect(endpoint.status).toBeUndefined()
    const status = JSON.stringify({ status: { pods: [{ name: 'demo-echo-0', pid: '123' }] } })
    expectDone(await on('patch', 'te', 'demo-echo', '--subresource=status', '--type=merge', '-p', status))
    expect((await stored('te', 'demo-echo')).status.pods).toEqual([{ name: 'demo-echo-0', pid: '123' }])
  })
})

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
