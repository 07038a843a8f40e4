import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'deputy'
const inNamespace = `--namespace=${namespace}`
const COLLECTOR = { namespace: 'kube-system', name: 'generic-garbage-collector' } as const
let product: Product

/** What a rule holds: a template in use, a master with a variant, and the tree. */
beforeAll(async () => {
  cluster.needControllers()
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  const server = { app: 'Demo', server: 'Echo', subType: 'tars', tars: { template: 'used', servants: [] }, k8s: {} }
  const config = { app: 'Demo', server: 'Echo', configName: 'main.conf', configContent: 'a=1' }
  expectDone(
    await create(
      ours('TTree', 'tars-tree', { businesses: [], apps: [] }),
      ours('TTemplate', 'used', { spec: { parent: 'used', content: '' } }),
      ours('TServer', 'demo-echo', { spec: server }),
      ours('TConfig', 'master', config),
      ours('TConfig', 'variant', { ...config, podSeq: '0' }),
    ),
  )
  expectDone(await on('create', 'role', 'patches', '--verb=get,patch', '--resource=*.k8s.tars.io'))
  expectDone(await on('create', 'rolebinding', 'ann', '--role=patches', '--user=ann'))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--ignore-not-found', '--timeout=50s'])
  await product.uninstall()
}, 120_000)

const ours = (kind: string, name: string, fields: object): object => ({
  apiVersion: 'k8s.tars.io/v1beta2',
  kind,
  metadata: { name },
  ...fields,
})
function create(...objects: readonly object[]): Promise<Printed> {
  const stdin = objects.map((object) => JSON.stringify(object)).join('\n---\n')
  return cluster.kubectl(['create', inNamespace, '-f', '-'], { stdin })
}
const on = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])
const asAnn = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace], { as: 'ann' })
const collect = (path: string) => cluster.request('DELETE', pathOf(path), undefined, { as: COLLECTOR })
const pathOf = (path: string) => `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/${path}`

/** The codes that the garbage collector itself got, which deletes with a precondition on the uid. */
function triesOn(path: string): readonly number[] {
  const lines = readFileSync(cluster.auditLog, 'utf8').split('\n').filter(Boolean)
  return lines
    .filter((line) => line.includes('"verb":"delete"') && line.includes(COLLECTOR.name) && line.includes(pathOf(path)))
    .map((line) => JSON.parse(line).responseStatus.code)
}

const HELD = [
  { path: 'ttrees/tars-tree', words: '(TR-V6)' },
  { path: 'ttemplates/used', words: '(TT-V4)' },
  { path: 'tconfigs/master', words: '(TC-V13)' },
] as const

/**
 * A user who may patch and not delete. This API server refuses such a user an owner reference
 * (OwnerReferencesPermissionEnforcement); most do not, so an admin sets it here.
 */
describe('the garbage collector as deputy of a user who may patch and not delete (tars.md 1.5)', () => {
  const ABSENT = { apiVersion: 'v1', kind: 'ConfigMap', name: 'absent', uid: randomUUID() }
  const disowned = JSON.stringify({ metadata: { ownerReferences: [ABSENT] } })

  it.each(HELD)(
    'does not delete $path for an owner that does not exist',
    async ({ path }) => {
      const [resource = '', name = ''] = path.split('/')
      const named = [`${resource}.k8s.tars.io`, name] as const
      expect((await asAnn('delete', ...named)).stderr).toContain('cannot delete resource')
      const patch = ['patch', ...named, '--type=merge', '-p', disowned]
      expect((await asAnn(...patch)).stderr).toContain("cannot set an ownerRef on a resource you can't delete")
      expectDone(await on(...patch))
      await until('the collector has tried', () => triesOn(path).length > 0, { seconds: 100 })
      expect(new Set(triesOn(path))).toEqual(new Set([403]))
      expectDone(await on('get', ...named))
    },
    120_000,
  )

  it('deletes what no rule holds any more, since it tries again', async () => {
    expectDone(await on('delete', 'tserver', 'demo-echo'))
    const isGone = async () => (await on('get', 'ttemplate', 'used')).stderr.includes('not found')
    await until('the template is collected', isGone, { seconds: 100 })
  }, 120_000)
})

describe('a namespace ends whatever it holds', () => {
  it('and while it is terminating the other controllers of Kubernetes delete in it, too', async () => {
    const tree = HELD[0]
    expectDone(await on('patch', 'ttree', 'tars-tree', '--type=merge', '-p', '{"metadata":{"finalizers":["a.b/c"]}}'))
    expect(await collect(tree.path)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(tree.words) },
    })
    expectDone(await cluster.kubectl(['delete', 'namespace', namespace, '--wait=false']))
    const end = () => on('get', 'ttree', 'tars-tree', '-o', 'jsonpath={.metadata.deletionTimestamp}')
    await until('the namespace controller has deleted the tree', async () => (await end()).stdout !== '')
    expect(await collect(tree.path)).toMatchObject({ status: 200 })
    expectDone(await on('patch', 'ttree', 'tars-tree', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'))
    expectDone(await cluster.kubectl(['wait', '--for=delete', `namespace/${namespace}`, '--timeout=50s']))
  })
})
