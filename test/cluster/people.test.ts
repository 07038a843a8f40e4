import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at } from '../support/builders/trees.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product, tarsAdmission } from './product.ts'
import { objectsIn } from './sample.ts'
import { until } from './until.ts'

const cluster = theCluster()
const ROLES = ['view', 'edit', 'admin', 'tars-view', 'tars-edit', 'tars-admin'] as const
type Role = (typeof ROLES)[number]
/** In each namespace ann has the role of that name, and no other right. */
const namespaceOf = (role: Role) => `people-${role}`
let product: Product

beforeAll(async () => {
  cluster.needControllers()
  product = await install(cluster)
  for (const role of ROLES) {
    const namespace = namespaceOf(role)
    expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
    const binding = ['rolebinding', 'people', `--clusterrole=${role}`, '--user=ann', `--namespace=${namespace}`]
    expectDone(await cluster.kubectl(['create', ...binding]))
  }
  await until('the roles are aggregated', () => may('admin', 'create', 'taccounts'))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', ...ROLES.map(namespaceOf), '--timeout=50s'])
  await product.uninstall()
}, 120_000)

const asAnn = (role: Role, ...args: readonly string[]) =>
  cluster.kubectl([...args, `--namespace=${namespaceOf(role)}`], { as: 'ann' })
const applied = (role: Role, file: string) =>
  cluster.kubectl(['apply', `--namespace=${namespaceOf(role)}`, '-f', '-'], {
    as: 'ann',
    stdin: objectsIn(`manifests/samples/good/${file}.yaml`),
  })

async function may(role: Role, verb: string, path: string): Promise<boolean> {
  const [resource, subresource = ''] = path.split('/')
  const resourceAttributes = { namespace: namespaceOf(role), group: 'k8s.tars.io', verb, resource, subresource }
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  }
  const { body } = await cluster.request('POST', REVIEWS, review, { as: 'ann' })
  return at(body, 'status.allowed') === true
}
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

const READ = ['get', 'list', 'watch']
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection']
async function verbsOf(role: Role, path: string): Promise<readonly string[]> {
  const requested = [...READ, ...WRITE].map(async (verb) => ({ verb, allowed: await may(role, verb, path) }))
  return (await Promise.all(requested)).filter(({ allowed }) => allowed).map(({ verb }) => verb)
}

const BY_AUTHORS = ['tservers', 'tdeploys', 'tconfigs', 'ttemplates', 'timages', 'ttrees', 'tframeworkconfigs']
const RIGHTS = [
  ...[...BY_AUTHORS, 'tservers/scale'].map((path) => ({ path, view: READ, edit: [...READ, ...WRITE] })),
  ...['tendpoints', 'texitedrecords'].map((path) => ({ path, view: READ, edit: READ, admin: READ })),
  ...['tservers/status', 'tendpoints/status'].map((path) => ({ path, view: READ, edit: READ, admin: READ })),
  { path: 'taccounts', view: [], edit: [], admin: [...READ, ...WRITE] },
].map(({ path, ...by }) => ({ path, by: { admin: by.edit, ...by } }))

describe('what an ordinary user may do with our kinds', () => {
  it.each(RIGHTS)('$path, with view, edit and admin as with our roles alone', async ({ path, by }) => {
    for (const role of ['view', 'edit', 'admin'] as const) {
      expect([role, await verbsOf(role, path)]).toEqual([role, by[role]])
      expect([role, await verbsOf(`tars-${role}`, path)]).toEqual([role, by[role]])
    }
  })

  it('edit is enough to create a server, to scale it and to delete it', async () => {
    expectDone(await applied('edit', 'tframeworkconfig'))
    expectDone(await applied('edit', 'ttemplates'))
    expectDone(await applied('edit', 'tservers'))
    expectDone(await asAnn('edit', 'scale', 'tserver/tars-tarsconfig', '--replicas=2'))
    expectDone(await asAnn('edit', 'delete', 'tserver/tars-tarsconfig'))
  })
  it.each([
    { name: 'view to write', role: 'view', file: 'ttree' },
    { name: 'edit to write an account', role: 'edit', file: 'taccount' },
    { name: 'admin to write what a controller writes', role: 'admin', file: 'tendpoint' },
  ] as const)('$name is not enough', async ({ role, file }) => {
    expect((await applied(role, file)).stderr).toContain('(Forbidden)')
  })
  it('an account is read by admin and not by edit, in a list of everything either', async () => {
    expectDone(await applied('admin', 'taccount'))
    expectDone(await asAnn('admin', 'get', 'taccounts'))
    expect((await asAnn('edit', 'get', 'taccounts')).stderr).toContain('User "ann" cannot list resource "taccounts"')
  })
})

describe('manifests --aggregate-roles=false', () => {
  it('leaves the roles of the cluster as they were, and ours may still be bound', async () => {
    const stdin = await tarsAdmission('manifests', '--set=people', '--aggregate-roles=false')
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
    await until('the roles are as they were', async () => !(await may('admin', 'create', 'taccounts')))
    for (const role of ['view', 'edit', 'admin'] as const) expect(await verbsOf(role, 'tservers')).toEqual([])
    expect(await verbsOf('tars-view', 'tservers')).toEqual(READ)
  })
})
