import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'

const cluster = theCluster()
const namespace = 'templates'
const inNamespace = `--namespace=${namespace}`
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

function template(name: string, parent: string, metadata: object = {}): object {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TTemplate',
    metadata: { name, ...metadata },
    spec: { parent, content: '<tars>\n</tars>' },
  }
}
function kubectl(verb: string, objects: object | readonly object[], ...flags: readonly string[]): Promise<Printed> {
  const stdin = [objects]
    .flat()
    .map((object) => JSON.stringify(object))
    .join('\n---\n')
  return cluster.kubectl([verb, inNamespace, '-f', '-', ...flags], { stdin })
}
const on = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])

const ORPHAN = 'spec.parent: TTemplate templates/nowhere does not exist; create it first, or name another (TT-V2)'

describe('TT-V2 as kubectl prints it: field, value and rule id', () => {
  it('create', async () => {
    const { code, stderr } = await kubectl('create', template('orphan', 'nowhere'))
    expect(stderr).toBe(`The TTemplate "orphan" is invalid: ${ORPHAN}\n`)
    expect(code).toBe(1)
  })
  it('apply', async () => {
    const { code, stderr } = await kubectl('apply', template('orphan', 'nowhere'))
    expect(stderr).toBe(`The TTemplate "orphan" is invalid: ${ORPHAN}\n`)
    expect(code).toBe(1)
  })
  it('apply --server-side', async () => {
    const { code, stderr } = await kubectl('apply', template('orphan', 'nowhere'), '--server-side')
    expect(stderr).toBe(`The TTemplate "orphan" is invalid: ${ORPHAN}\n`)
    expect(code).toBe(1)
  })
  it('patch', async () => {
    const patch = JSON.stringify({ spec: { parent: 'nowhere' } })
    const { code, stderr } = await on('patch', 'ttemplate', 'child', '--type=merge', '-p', patch)
    expect(stderr).toBe(`The TTemplate "child" is invalid: ${ORPHAN}\n`)
    expect(code).toBe(1)
  })
  it('edit, as a comment above the text that is to be mended', async () => {
    const env = { KUBE_EDITOR: 'sed -i s/parent:.root/parent:\\ nowhere/', TMPDIR: cluster.folder }
    const { code, stderr } = await cluster.kubectl(['edit', 'tt', 'child', inNamespace], { env })
    const [, copy = ''] = /stored to "(.+)"/.exec(stderr) ?? []
    expect(readFileSync(copy, 'utf8')).toContain(`# ttemplates.k8s.tars.io "child" was not valid:\n# * ${ORPHAN}\n`)
    expect(code).toBe(1)
  })
})

describe('the other rules, as kubectl prints them', () => {
  it('TT-V1: a template without a parent has to name itself', async () => {
    const { stderr } = await kubectl('create', template('nobodys', ''))
    expect(stderr).toBe(
      'The TTemplate "nobodys" is invalid: spec.parent: required; use the own name for a root template (TT-V1)\n',
    )
  })
  it('TT-V5: a circle is refused', async () => {
    const { stderr } = await on('patch', 'tt', 'root', '--type=merge', '-p', '{"spec":{"parent":"child"}}')
    expect(stderr).toBe(
      'The TTemplate "root" is invalid: spec.parent: would create a cycle root → child → root; ' +
        'name a parent that leads to a root template (TT-V5)\n',
    )
  })
  it('TT-V6 with TT-V2: all that is wrong is said at once', async () => {
    const { stderr } = await kubectl('create', template('long', 'a'.repeat(64)))
    expect(stderr).toContain('(TT-V2)')
    expect(stderr).toContain('(TT-V6)')
  })
  it.each([
    { verb: 'diff', flags: [] },
    { verb: 'create', flags: ['--dry-run=server'] },
  ])('TT-V2: $verb of parent and child $flags says why the parent is not there', async ({ verb, flags }) => {
    const { code, stderr } = await kubectl(verb, [template('new', 'new'), template('heir', 'new')], ...flags)
    expect(stderr).toContain(
      'spec.parent: TTemplate templates/new does not exist; create it first, or name another; ' +
        'in a dry run, as of kubectl diff, what the same file creates is not there (TT-V2)\n',
    )
    expect(code).toBeGreaterThan(0)
  })
  it('TS-V15 and TC-V12 likewise', async () => {
    const spec = { app: 'Demo', server: 'New', subType: 'tars', tars: { template: 'new', servants: [] }, k8s: {} }
    const server = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TServer', metadata: { name: 'demo-new' }, spec }
    const config = (podSeq: string) => ({
      ...{ apiVersion: 'k8s.tars.io/v1beta2', kind: 'TConfig', metadata: { name: `new-${podSeq}` } },
      ...{ app: 'Demo', server: 'New', configName: 'new', configContent: '', podSeq },
    })
    const { stderr } = await kubectl(
      'create',
      [template('new', 'new'), server, config('m'), config('0')],
      '--dry-run=server',
    )
    expect(stderr.match(/in a dry run, .* is not there \((TS-V15|TC-V12)\)/g)).toHaveLength(2)
  })
  it('a number for a text: which type is wrong the API server says, and the warning what to do', async () => {
    const { stderr } = await kubectl('create', { ...template('five', 'root'), spec: { parent: 'root', content: 5 } })
    expect(stderr).toBe(
      'Warning: spec.content: is a number, and a text belongs there; write it in quotes\n' +
        'The TTemplate "five" is invalid: ' +
        'spec.content: Invalid value: "integer": spec.content in body must be of type string: "integer"\n',
    )
  })
  it('what the schema refuses, the API server says first', async () => {
    const { stderr } = await kubectl('create', { ...template('bare', 'root'), spec: { content: '' } })
    expect(stderr).toBe('The TTemplate "bare" is invalid: spec.parent: Required value\n')
  })
})

describe('TT-V3 a parent in use is not deleted', () => {
  const REFUSED =
    'admission webhook "validating.tars.io" denied the request: metadata.name: TTemplate templates/root: is the parent of TTemplate child; ' +
    'delete them or give them another parent, then repeat (TT-V3)'

  it('and its users are named', async () => {
    const { code, stderr } = await on('delete', 'ttemplate', 'root')
    expect(stderr).toBe(`Error from server (Forbidden): ${REFUSED}\n`)
    expect(code).toBe(1)
  })
  it('nor in a dry run', async () => {
    expect((await on('delete', 'ttemplate', 'root', '--dry-run=server')).stderr).toContain(REFUSED)
  })
  it('but with the namespace it goes, and does not hold it up', async () => {
    expectDone(await cluster.kubectl(['create', 'namespace', 'doomed']))
    const stdin = [template('root', 'root'), template('child', 'root')]
      .map((each) => JSON.stringify(each))
      .join('\n---\n')
    expectDone(await cluster.kubectl(['create', '--namespace=doomed', '-f', '-'], { stdin }))
    expectDone(await cluster.kubectl(['delete', 'namespace', 'doomed', '--timeout=50s']))
  })
  it('delete --all comes through when it is repeated', async () => {
    expectDone(await cluster.kubectl(['create', 'namespace', 'cleared']))
    const stdin = [template('a', 'a'), template('b', 'a'), template('c', 'b')]
      .map((each) => JSON.stringify(each))
      .join('\n---\n')
    expectDone(await cluster.kubectl(['create', '--namespace=cleared', '-f', '-'], { stdin }))
    const clear = () => cluster.kubectl(['delete', 'tt', '--all', '--namespace=cleared'])
    for (let left = 3; left > 0 && (await clear()).code !== 0; left -= 1);
    expect((await cluster.kubectl(['get', 'tt', '--namespace=cleared', '-o', 'name'])).stdout).toBe('')
  })
})

describe('TT-V4 a template that a TServer uses is not deleted', () => {
  it('one that nobody uses is', async () => {
    expectDone(await kubectl('create', template('unused', 'unused')))
    expectDone(await on('delete', 'tt', 'unused'))
  })
  it('and one of its users is named', async () => {
    const spec = { app: 'Demo', server: 'Echo', subType: 'tars', tars: { template: 'used', servants: [] }, k8s: {} }
    const server = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TServer', metadata: { name: 'demo-echo' }, spec }
    expectDone(await kubectl('create', [template('used', 'used'), server]))
    const { stderr } = await on('delete', 'tt', 'used')
    expect(stderr).toContain('metadata.name: TTemplate templates/used: is used by TServer demo-echo; ')
    expect(stderr).toContain('(TT-V4)')
    expectDone(await on('delete', 'ts', 'demo-echo'))
    expectDone(await on('delete', 'tt', 'used'))
  })
})

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
