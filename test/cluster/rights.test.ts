import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable, EVERYBODYS, type Place, useAllRights } from './all-rights.ts'
import { theCluster } from './cluster.ts'
import { expectDone, IDENTITY, install, type Product } from './product.ts'
import { rightsGranted, rightsUsed } from './rights.ts'

const cluster = theCluster()
const PLACES: readonly Place[] = [
  { namespace: 'rights-a', server: 'Echo' },
  { namespace: 'rights-b', server: 'Other' },
]
const namespaces = PLACES.map(({ namespace }) => namespace)
let product: Product

beforeAll(async () => {
  product = await install(cluster)
  for (const each of namespaces) expectDone(await cluster.kubectl(['create', 'namespace', each]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', ...namespaces, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

describe('the rights of the webhook (SC-2, SV-13)', () => {
  it.each(PLACES)('all of them are used in $namespace', (place) => useAllRights(cluster, place))

  it('are those that all suites used: no more, and it writes nothing but marks', async () => {
    const granted = rightsGranted(await product.manifests('rbac'), IDENTITY.name)
    expect(comparable(rightsUsed(cluster.auditLog, IDENTITY))).toEqual(comparable(granted))
  })

  it('beside one that is printed nowhere, since every user has it', async () => {
    expect(rightsUsed(cluster.auditLog, IDENTITY)).toContain(EVERYBODYS)
    const { stdout } = await cluster.kubectl(['get', 'clusterrole', 'system:basic-user', '-o', 'json'])
    const everybodys = rightsGranted(stdout, 'system:basic-user')
    expect(everybodys).toContain(EVERYBODYS)
  })
})
