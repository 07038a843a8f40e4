import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'
import { expectDone, IDENTITY, install, type Product } from './product.ts'
import { rightsGranted, rightsUsed } from './rights.ts'

const cluster = theCluster()
/** What is only used in one namespace, or of one name, need not be given of all. */
const PLACES = [
  { namespace: 'rights-a', server: 'Echo' },
  { namespace: 'rights-b', server: 'Other' },
]
const NAMESPACES = PLACES.map(({ namespace }) => namespace)
let product: Product

beforeAll(async () => {
  product = await install(cluster)
  for (const each of NAMESPACES) expectDone(await cluster.kubectl(['create', 'namespace', each]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', ...NAMESPACES, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

const ours = (kind: string, name: string, rest: object) => ({
  apiVersion: 'k8s.tars.io/v1beta2',
  kind,
  metadata: { name },
  ...rest,
})
const root = ours('TTemplate', 'root', { spec: { parent: 'root', content: '' } })
const orphan = (parent: string) => ours('TTemplate', 'orphan', { spec: { parent, content: '' } })
const aServer = (server: string, more: object = {}) => {
  const spec = { app: 'Demo', server, subType: 'tars', tars: { template: 'root', servants: [] }, k8s: {}, ...more }
  return ours('TServer', `demo-${server.toLowerCase()}`, { spec })
}
const aVersion = (server: string, version: string) =>
  ours('TConfig', `${server.toLowerCase()}-${version}`, {
    app: 'Demo',
    server,
    configName: 'main.conf',
    configContent: version,
  })

/** There is one of its kind in each namespace, and lists of it cannot be granted by name. */
const ofAnyName = (right: string) => right.replace(/^(get tframeworkconfigs\S+) named tars-framework$/, '$1')
/** Only when somebody else writes a version while it is marked, which nobody can arrange. */
const ON_CONFLICT = /^get tconfigs\.k8s\.tars\.io/

describe('the rights of the webhook (SC-2, SV-13)', () => {
  it.each(PLACES)('all of them are used in $namespace', async ({ namespace, server }) => {
    const on = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
    const create = (...objects: readonly object[]) =>
      cluster.kubectl(['create', `--namespace=${namespace}`, '-f', '-'], {
        stdin: objects.map((object) => JSON.stringify(object)).join('\n---\n'),
      })
    expect((await create(orphan(server.toLowerCase()))).stderr).toContain('(TT-V2)')
    const release = { id: 'r1', image: 'demo/echo:r1' }
    expect((await create(aServer(server, { release }))).stderr).toContain('(TS-V21)')
    expectDone(await create(root, aServer(server), aVersion(server, 'v1'), aVersion(server, 'v2')))
    expectDone(await on('scale', `tserver/demo-${server.toLowerCase()}`, '--replicas=3'))
    expect((await on('delete', 'ttemplate', 'root')).stderr).toContain('(TT-V4)')
  })

  it('are those that it uses: no more, and it writes nothing but marks', async () => {
    const others = (rights: readonly string[]) => rights.filter((right) => !ON_CONFLICT.test(right))
    const granted = rightsGranted(await product.manifests('rbac'))
    const used = rightsUsed(cluster.auditLog, IDENTITY).map(ofAnyName)
    expect(others(used)).toEqual(others(granted))
    expect(granted.filter((right) => ON_CONFLICT.test(right))).toHaveLength(1)
  })
})
