import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useAllNacosRights } from './all-nacos-rights.ts'
import { useAllPatchRights } from './all-patch-rights.ts'
import { comparable, EVERYBODYS, type Place, useAllRights } from './all-rights.ts'
import { useAllWorkerRights } from './all-worker-rights.ts'
import { theCluster } from './cluster.ts'
import { expectDone, IDENTITY, install, type Product, tarsAdmission, WORKER } from './product.ts'
import { rightsGranted, rightsUsed } from './rights.ts'

const cluster = theCluster()
const PLACES: readonly Place[] = [
  { namespace: 'rights-a', server: 'Echo' },
  { namespace: 'rights-b', server: 'Other' },
]
const namespaces = PLACES.map(({ namespace }) => namespace)
let product: Product

beforeAll(async () => {
  const stdin = await tarsAdmission('manifests', '--set', 'crds', '--enable-daemonset-controller')
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
  product = await install(cluster)
  await product.worker().start()
  for (const each of namespaces) expectDone(await cluster.kubectl(['create', 'namespace', each]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', ...namespaces, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

/** A Nacos is listed too, which gives away as much, and got only where a cache may be old. */
const comparablePart = (rights: readonly string[]) =>
  comparable(rights).filter((right) => !right.startsWith('get nacos.nacos.io'))

describe('the rights of the webhook (SC-2, SV-13)', () => {
  it.each(PLACES)('all of them are used in $namespace', (place) => useAllRights(cluster, place))
  it.each(PLACES)('those of node patches in $namespace', (place) => useAllPatchRights(cluster, place))

  it.each(namespaces)('those of Nacos in %s, of the worker too', (namespace) => useAllNacosRights(cluster, namespace))

  it('are those that all suites used: no more, and it writes nothing but marks', async () => {
    const granted = rightsGranted(await product.manifests('rbac'), IDENTITY.name)
    expect(comparablePart(rightsUsed(cluster.auditLog, IDENTITY))).toEqual(comparablePart(granted))
  })

  it('beside one that is printed nowhere, since every user has it', async () => {
    expect(rightsUsed(cluster.auditLog, IDENTITY)).toContain(EVERYBODYS)
    const { stdout } = await cluster.kubectl(['get', 'clusterrole', 'system:basic-user', '-o', 'json'])
    const everybodys = rightsGranted(stdout, 'system:basic-user')
    expect(everybodys).toContain(EVERYBODYS)
  })
})

/** Of what the worker is granted: what no call of its own shows. */
const SHOWN_OTHERWISE = [
  'update tservers/finalizers.k8s.tars.io', // asked by OwnerReferencesPermissionEnforcement for each owner reference
  'update nacos/finalizers.nacos.io', // the same
]
/** A live read of what is listed already gives away nothing more, and is only made where a cache may be old. */
function beyondLists(rights: readonly string[]): readonly string[] {
  const isListed = (right: string) => rights.includes(right.replace(/^get (\S+).*/, 'list $1'))
  return rights.filter((right) => !(right.startsWith('get ') && isListed(right)))
}
/** The name of the Lease depends on --namespaces, and a TTree is the only one of its namespace: the rights name neither. */
const ofAnyName = (right: string) =>
  right.replace(/^(\S+ leases\S+ in tars-system) named \S+$/, '$1').replace(/ named tars-tree$/, '')

describe('the rights of the worker (SC-2)', () => {
  it('all of them are used', async () => {
    for (const place of PLACES) await useAllWorkerRights(cluster, place)
  }, 180_000)

  it('are those that all suites used, and one that is asked on its behalf', async () => {
    const granted = rightsGranted(await product.manifests('rbac'), WORKER.name)
    const used = [...rightsUsed(cluster.auditLog, WORKER).filter((right) => right !== EVERYBODYS), ...SHOWN_OTHERWISE]
    expect(beyondLists(used.map(ofAnyName)).toSorted()).toEqual(beyondLists(granted).toSorted())
  })
})
