import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaseNameFor } from '../../src/reconcile/lease-record.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product, tarsAdmission, WORKER } from './product.ts'
import { until } from './until.ts'

const cluster = theCluster()
const [OURS, OTHER] = ['shard-a', 'shard-b'] as const
let product: Product

beforeAll(async () => {
  product = await install(cluster)
  for (const each of [OURS, OTHER]) expectDone(await cluster.kubectl(['create', 'namespace', each]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', OURS, OTHER, '--timeout=55s'])
  await product.uninstall()
}, 120_000)

const pathIn = (namespace: string, plural: string) => `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/${plural}`
async function createServer(namespace: string, app: string): Promise<void> {
  const spec = { app, server: 'Echo', subType: 'normal', normal: { ports: [] }, k8s: {} }
  const metadata = { name: `${app}-echo`.toLowerCase() }
  const server = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TServer', metadata, spec }
  expect(await cluster.request('POST', pathIn(namespace, 'tservers'), server)).toMatchObject({ status: 201 })
}
const appsIn = async (namespace: string) =>
  JSON.stringify((await cluster.request('GET', pathIn(namespace, 'ttrees'))).body)

describe('WR-7 a worker of one namespace', () => {
  it('works there with Roles alone, under a Lease of its own, and nowhere else', async () => {
    const role = ['clusterrole,clusterrolebinding', WORKER.name]
    expectDone(await cluster.kubectl(['delete', ...role]))
    const stdin = await tarsAdmission('manifests', '--set=rbac', `--namespaces=${OURS}`)
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
    expect(await cluster.kubectl(['get', ...role])).toMatchObject({ code: 1 })
    const worker = product.worker('shard')
    const { identity } = await worker.start(`--namespaces=${OURS}`)
    await createServer(OTHER, 'Elsewhere')
    await createServer(OURS, 'Here')
    await until('the tree lists the app', async () => (await appsIn(OURS)).includes('Here'), { seconds: 20 })
    await sleep(1_000)
    expect(await appsIn(OTHER)).not.toContain('Elsewhere')
    const lease = ['get', 'lease', leaseNameFor([OURS]), `--namespace=${WORKER.namespace}`, '--output=jsonpath={.spec}']
    expect((await cluster.kubectl(lease)).stdout).toContain(identity)
    expect(await worker.stop()).toMatchObject({ code: 0 })
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin: await product.manifests('rbac') }))
  })
})

describe('WK-1 beside the controller of a deployed TarsK8S', () => {
  const NAME = 'tars-controller-manger'
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${WORKER.namespace}/leases`
  const renew = () => {
    const renewTime = new Date().toISOString().replace('Z', '000Z')
    const patch = { spec: { renewTime } }
    return cluster.request('PATCH', `${leases}/${NAME}`, patch, { contentType: 'application/merge-patch+json' })
  }

  it('a worker ends with code 1 and names its Lease, unless it is to start all the same', async () => {
    const spec = { holderIdentity: 'upstream-0', leaseDurationSeconds: 15 }
    await cluster.request('POST', leases, { metadata: { name: NAME }, spec })
    const timer = setInterval(() => void renew(), 2_000)
    try {
      const refused = product.worker('beside')
      await expect(refused.start()).rejects.toThrow(`Lease ${NAME} in namespace ${WORKER.namespace}`)
      expect(await refused.stop()).toMatchObject({ code: 1 })
      const allowed = product.worker('beside-upstream')
      await allowed.start('--beside-upstream')
      expect(await allowed.stop()).toMatchObject({ code: 0 })
    } finally {
      clearInterval(timer)
      await cluster.request('DELETE', `${leases}/${NAME}`)
    }
  })
})
