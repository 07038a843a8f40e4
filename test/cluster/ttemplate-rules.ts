import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expectDone } from './product.ts'
import { cluster, inNamespace, kubectl, on, template } from './ttemplate-cluster.ts'

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
