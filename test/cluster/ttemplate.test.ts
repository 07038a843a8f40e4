import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import './ttemplate-rules.ts'
import { expectDone, install, type Product } from './product.ts'
import { cluster, inNamespace, kubectl, namespace, on, template } from './ttemplate-cluster.ts'

const path = `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/ttemplates`
let product: Product

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expectDone(await kubectl('create', template('root', 'root')))
  expectDone(await kubectl('create', template('child', 'root')))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

describe('of ten servers of 750 KB one is read, and twelve who ask at once are all answered by a decision', () => {
  const tree = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TTree', metadata: { name: 'tars-tree' }, businesses: [] }
  const trees = path.replace('ttemplates', 'ttrees')
  const contentType = 'application/merge-patch+json'

  beforeAll(async () => {
    expectDone(await kubectl('create', template('large', 'large')))
    expectDone(await kubectl('create', { ...tree, apps: [{ name: 'Large', businessRef: '' }] }))
    for (let at = 0; at < SERVERS; at += 1) expectDone(await kubectl('create', largeServer(`S${at}`)))
  })
  it.each([
    {
      rule: 'TT-V4',
      says: 'metadata.name: TTemplate templates/large: is used by TServer large-s0; ',
      ask: () => cluster.request('DELETE', `${path}/large`),
    },
    {
      rule: 'TR-V5',
      says: 'apps: \\"Large\\" is used by TServer large-s0; ',
      ask: () => cluster.request('PATCH', `${trees}/tars-tree`, { apps: [] }, { contentType }),
    },
  ])('$rule', async ({ says, ask }) => {
    const before = await serverBytesRead()
    const answers = await Promise.all(Array.from({ length: 12 }, ask))
    const read = (await serverBytesRead()) - before
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
    for (const { body } of answers) expect(JSON.stringify(body)).toContain(says)
    expect(read).toBeLessThan(13 * LARGE) // 90 MB where all of them are listed whole
  })
  it('and when they are gone, the template may go', async () => {
    expectDone(await on('delete', 'ts', '--all'))
    expectDone(await on('delete', 'tt', 'large'))
  })
})

const SERVERS = 10
const LARGE = 750_000

function largeServer(server: string): object {
  const tars = { template: 'large', servants: [], profile: 'p'.repeat(LARGE) }
  const spec = { app: 'Large', server, subType: 'tars', tars, k8s: {} }
  const metadata = { name: `large-${server.toLowerCase()}` }
  return { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TServer', metadata, spec }
}

/** What the API server has sent of TServers until now, to whoever asked. */
async function serverBytesRead(): Promise<number> {
  const { body } = await cluster.request('GET', '/metrics')
  const sums = String(body).matchAll(/^apiserver_response_sizes_sum\{.*resource="tservers".*\} (\S+)$/gm)
  return [...sums].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}

describe('what admission completes', () => {
  const labelsOf = async (name: string) => {
    const { body } = await cluster.request('GET', `${path}/${name}`)
    return JSON.parse(JSON.stringify(body)).metadata.labels
  }

  it('TT-M1: a child is labelled with its parent', async () => {
    expect(await labelsOf('child')).toEqual({ 'tars.io/Parent': 'root' })
  })
  it('TT-M2: a root template is not', async () => {
    expect(await labelsOf('root')).toBeUndefined()
  })
  it('a label that a user removes comes back', async () => {
    expectDone(await on('label', 'tt', 'child', 'tars.io/Parent-', 'mine=kept'))
    expect(await labelsOf('child')).toEqual({ 'tars.io/Parent': 'root', mine: 'kept' })
  })
  it('a deletionTimestamp that the author writes is not taken, so nobody is exempt by it (W-7)', async () => {
    const { body } = await cluster.request('GET', `${path}/child`)
    const stored = JSON.parse(JSON.stringify(body))
    const metadata = { ...stored.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', labels: {} }
    const put = await cluster.request('PUT', `${path}/child`, { ...stored, metadata })
    expect(put).toMatchObject({ status: 422, body: { message: expect.stringContaining('field is immutable') } })
    const fresh = {
      ...template('going', 'root'),
      metadata: { name: 'going', deletionTimestamp: '2026-01-01T00:00:00Z' },
    }
    expect(await cluster.request('POST', path, fresh)).toMatchObject({ status: 201 })
    expect(await labelsOf('going')).toEqual({ 'tars.io/Parent': 'root' })
  })
  it('generateName: the name is there when the rules are asked', async () => {
    const { code, stdout } = await kubectl(
      'create',
      template('', 'root', { name: undefined, generateName: 'made-' }),
      '-o',
      'json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout).metadata).toMatchObject({ labels: { 'tars.io/Parent': 'root' } })
    expectDone(await on('delete', 'tt', JSON.parse(stdout).metadata.name))
  })
})

describe('what people do with it', () => {
  it('parent and child in one apply of one file work every time', async () => {
    for (let turn = 1; turn <= 20; turn += 1) {
      const pair = [template(`parent-${turn}`, `parent-${turn}`), template(`child-${turn}`, `parent-${turn}`)]
      expect(await kubectl('apply', pair)).toMatchObject({ code: 0, stderr: '' })
    }
  })
  it('a server-side dry run answers the same and changes nothing', async () => {
    const { code, stdout } = await kubectl('create', template('dry', 'root'), '--dry-run=server', '-o', 'json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).metadata.labels).toEqual({ 'tars.io/Parent': 'root' })
    expect((await kubectl('create', template('dry', 'nowhere'), '--dry-run=server')).stderr).toContain('(TT-V2)')
    expect((await on('get', 'tt', 'dry')).stderr).toContain('not found')
  })
  it('diff shows what admission would add', async () => {
    const { stdout } = await kubectl('diff', template('drawn', 'root'))
    expect(stdout).toContain('+    tars.io/Parent: root')
  })
  it('without rights it is RBAC that answers', async () => {
    const stdin = JSON.stringify(template('eves', 'root'))
    const { stderr } = await cluster.kubectl(['create', inNamespace, '-f', '-'], { stdin, as: 'eve' })
    expect(stderr).toContain('User "eve" cannot create resource "ttemplates"')
  })
  it('get shows the parent, by the short name and by the category', async () => {
    expect((await on('get', 'tt', 'child')).stdout).toMatch(/NAME +PARENT +AGE\nchild +root +/)
    expect((await on('get', 'tars')).stdout).toMatch(/^(ttemplate\.k8s\.tars\.io\/)?child +root/m)
  })
  it('explain tells what a field is for', async () => {
    expect((await cluster.kubectl(['explain', 'ttemplate.spec.parent'])).stdout).toMatch(
      /its own name\s+for a root template/,
    )
  })
  it('an object whose parent was lost can be edited otherwise', async () => {
    expectDone(await kubectl('create', [template('lost', 'lost'), template('left', 'lost')]))
    const kube = { as: { namespace: 'kube-system', name: 'namespace-controller' } } as const
    expect(await cluster.request('DELETE', `${path}/lost`, undefined, kube)).toMatchObject({ status: 200 })
    expectDone(await on('patch', 'tt', 'left', '--type=merge', '-p', '{"spec":{"content":"new"}}'))
  })
})
