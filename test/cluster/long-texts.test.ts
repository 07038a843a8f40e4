import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'
import { until } from './until.ts'

// One author writes a path of slashes; the others must not wait for it (SV-17).

const cluster = theCluster()
const namespace = 'long-texts'
const PATH = `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}`
/** The API server gives up a webhook after ten. */
const MOST_MS = 1_000
let product: Product

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expect(await written('ttemplates', template)).toMatchObject({ status: 201 })
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

const ours = (kind: string, name: string, fields: object) => ({
  apiVersion: 'k8s.tars.io/v1beta2',
  kind,
  metadata: { name },
  ...fields,
})
const template = ours('TTemplate', 'tars.cpp', { spec: { parent: 'tars.cpp', content: '' } })
/** The same for a server and for a request of one. */
const KINDS = [
  { plural: 'tservers', field: 'spec', asking: (spec: object) => ours('TServer', 'demo-echo', { spec }) },
  { plural: 'tdeploys', field: 'apply', asking: (apply: object) => ours('TDeploy', 'demo-echo', { apply }) },
] as const
type Case = (typeof KINDS)[number]

function requestedWith(mountPath: string, { asking }: Case): object {
  const tars = { template: 'tars.cpp', servants: [{ name: 'EchoObj', port: 18_600 }] }
  const mounts = [{ name: 'data', mountPath, source: { emptyDir: {} } }]
  return asking({ app: 'Demo', server: 'Echo', subType: 'tars', tars, k8s: { mounts } })
}
const slashes = (length: number) => `${'/'.repeat(length - 1)}x`

const written = (plural: string, object: object, query = '') =>
  cluster.request('POST', `${PATH}/${plural}${query}`, object)
async function timed(plural: string, object: object): Promise<Answer & { readonly ms: number }> {
  const began = performance.now()
  const answer = await written(plural, object, '?dryRun=All')
  return { ...answer, ms: performance.now() - began }
}

describe.each(KINDS)('100 KB of slashes for a mountPath in $plural', (each) => {
  it('is refused by the printed definition', async () => {
    const { ms, ...answer } = await timed(each.plural, requestedWith(slashes(100_000), each))
    expect(answer).toMatchObject({ status: 422 })
    expect(JSON.stringify(answer.body)).toContain('Too long: may not be more than 4095 bytes')
    expect(ms).toBeLessThan(MOST_MS)
  })
  it('stops nobody where the definition of the cluster has no limit', async () => {
    await unlimited(each)
    for (const length of [60_000, 100_000]) {
      const long = timed(each.plural, requestedWith(slashes(length), each))
      const other = await timed('ttemplates', ours('TTemplate', 'other', { spec: { parent: 'other', content: '' } }))
      expect(other).toMatchObject({ status: 201 })
      expect(await long).toMatchObject({ status: 201 })
      expect(Math.max(other.ms, (await long).ms), `ms for ${length}`).toBeLessThan(MOST_MS)
    }
  })
})

async function unlimited(each: Case): Promise<void> {
  const { plural, field } = each
  const mounts = `/spec/versions/0/schema/openAPIV3Schema/properties/${field}/properties/k8s/properties/mounts`
  const patch = JSON.stringify([{ op: 'remove', path: `${mounts}/items/properties/mountPath/maxLength` }])
  expectDone(await cluster.kubectl(['patch', 'crd', `${plural}.k8s.tars.io`, '--type=json', '-p', patch]))
  const isTaken = async () => (await written(plural, requestedWith(slashes(4_096), each), '?dryRun=All')).status === 201
  await until('the limit is gone', isTaken)
}
