import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { ran } from '../../support/world.ts'
import { aSecret, child, OURS, pages, plain, reviewed, root, tree } from './reviewed.ts'

const config = (name: string) => ({
  ...OURS,
  kind: 'TConfig',
  metadata: { name, namespace: 'demo' },
  ...{ app: 'Demo', server: 'EchoServer', configName: 'echo.conf', configContent: name },
})
const seeded = (...objects: readonly object[]) => ['--seed', fileOf(pages(...objects))]

describe('what admission would say, like a compiler', () => {
  it('several files are one review, in their order', async () => {
    const folder = folderOf({ 'b.yaml': pages(child('b', 'a')), 'a.yaml': pages(root('a')) })
    expect((await ran(['review', '-f', folder])).out).toBe('2 objects: 2 admitted, 0 refused\n')
    const other = ['-f', join(folder, 'b.yaml'), '-f', join(folder, 'a.yaml')]
    expect((await ran(['review', ...other])).out).toContain('2 objects: 1 admitted, 1 refused')
  })
  it('a folder that has sub-folders says that they are left out, or takes them with -R', async () => {
    const files = {
      'a.yaml': pages(root('a')),
      'more/b.yaml': pages(child('b', 'a')),
      'more/again/c.yml': pages(root('c')),
    }
    const folder = folderOf({ ...files, 'notes/read.me': 'no object' })
    expect(await ran(['review', '-f', folder])).toEqual({
      code: 0,
      out: '1 object: 1 admitted, 0 refused\n',
      err: `${folder}: note: its sub-folders are left out (more, notes); -R takes them\n`,
    })
    const taken = { code: 0, out: '3 objects: 3 admitted, 0 refused\n', err: '' }
    expect(await ran(['review', '-R', '-f', folder])).toEqual(taken)
    expect(await ran(['review', '-f', folder, '--recursive'])).toEqual(taken)
  })
  it('- is stdin, beside files', async () => {
    const file = fileOf(pages(root('a')))
    expect(await ran(['review', '-f', file, '-'], {}, pages(child('b', 'a')))).toMatchObject({
      code: 0,
      out: '2 objects: 2 admitted, 0 refused\n',
    })
    const says = 'stdin:8: spec.parent: TTemplate demo/a does not exist; create it first, or name another (TT-V2)\n'
    const { code, out } = await ran(['review', '-f', '-'], {}, pages(child('b', 'a')))
    expect({ code, out }).toEqual({ code: 1, out: `${says}1 object: 0 admitted, 1 refused\n` })
  })
  it('stdin may be what is there already', async () => {
    expect(await ran(['review', '-f', fileOf(pages(child('b', 'a'))), '--seed=-'], {}, pages(root('a')))).toMatchObject(
      {
        code: 0,
      },
    )
  })
  it('objects that name no namespace are in that of --namespace, by default in "default"', async () => {
    const content = pages(child('a', 'nowhere')).replace('  namespace: demo\n', '')
    expect((await reviewed(content)).out).toContain('TTemplate default/nowhere')
    expect((await reviewed(content, '--namespace=test')).out).toContain('TTemplate test/nowhere')
  })
  it('a name that is left to the server is made', async () => {
    const content = pages(root('a')).replace('name: a', 'generateName: a-').replace('parent: a', 'parent: b')
    expect((await reviewed(content, ...seeded(root('b')))).out).toBe('1 object: 1 admitted, 0 refused\n')
  })
})

describe('-o json', () => {
  it('tells the same by fields', async () => {
    const { code, out } = await reviewed(pages(root('a'), child('b', 'nowhere'), aSecret), '-o', 'json')
    expect(code).toBe(1)
    const about = { file: 'FILE', apiVersion: 'k8s.tars.io/v1beta2', kind: 'TTemplate', warnings: [] }
    const message = 'TTemplate demo/nowhere does not exist; create it first, or name another (TT-V2)'
    expect(JSON.parse(out)).toEqual({
      objects: [
        { ...about, line: 1, name: 'a', result: 'admitted', findings: [] },
        {
          ...about,
          ...{ line: 11, name: 'b', result: 'refused', code: 422, reason: 'Invalid' },
          findings: [{ line: 18, path: 'spec.parent', message }],
        },
        {
          ...about,
          line: 21,
          apiVersion: 'v1',
          kind: 'Secret',
          name: 'x',
          result: 'foreign',
          findings: [],
        },
      ],
    })
  })
})

it('-o json has what is odd about the text among its warnings', async () => {
  const { out } = await reviewed(pages(root('a')).replace('kind:', 'kind: X\nkind:'), '--output=json')
  expect(JSON.parse(out).objects[0].warnings).toEqual(['this key stands there already; the last one counts'])
})

describe('--operation', () => {
  it('apply makes a new object, and changes one that is there', async () => {
    const content = pages(root('a'), child('b', 'a'), child('b', 'b'))
    expect((await reviewed(content)).out).toBe('3 objects: 3 admitted, 0 refused\n')
  })
  it('CREATE makes a new object', async () => {
    expect(await reviewed(pages(root('a')), '--operation=CREATE')).toMatchObject({ code: 0 })
  })
  it('CREATE refuses what is there already', async () => {
    const { code, out } = await reviewed(pages(root('a')), '--operation=CREATE', ...seeded(root('a')))
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('"a" already exists') })
  })
  it('UPDATE replaces what --old says was there', async () => {
    const old = ['--operation=UPDATE', '--old', fileOf(pages(root('a')))]
    expect(await reviewed(pages(root('a')), ...old)).toMatchObject({ code: 0 })
    const { code, out } = await reviewed(pages(child('a', 'nowhere')), ...old)
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('(TT-V2)') })
  })
  it('UPDATE lets pass what was wrong already, and the rest be mended', async () => {
    const old = ['--operation=UPDATE', '--old', fileOf(pages(child('a', 'nowhere')))]
    const mended = { ...child('a', 'nowhere'), spec: { parent: 'nowhere', content: 'mended' } }
    expect(await reviewed(pages(mended), ...old)).toMatchObject({ code: 0 })
  })
  it('UPDATE of what was not there says how to say it', async () => {
    expect(await reviewed(pages(root('a')), '--operation=UPDATE')).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        'FILE:1: ttemplates.k8s.tars.io "a" not found; --old or --seed says how it was before',
      ),
    })
  })
  it('UPDATE from a version that is not the stored one is refused', async () => {
    const stale = { ...root('a'), metadata: { ...root('a').metadata, resourceVersion: '9' } }
    const { code, out } = await reviewed(pages(stale), '--operation=UPDATE', ...seeded(root('a')))
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('the object has been modified') })
  })
  it('DELETE needs nothing but the file', async () => {
    expect(await reviewed(pages(root('a')), '--operation=DELETE')).toMatchObject({ code: 0 })
  })
  it('DELETE of a parent in use is refused with the names of its children', async () => {
    const seed = seeded(root('a'), aTTemplate({ name: 'b', parent: 'a' }), aTTemplate({ name: 'c', parent: 'a' }))
    const { code, out } = await reviewed(pages(root('a')), '--operation=DELETE', ...seed)
    expect(code).toBe(1)
    expect(out).toContain('FILE:4: metadata.name: TTemplate demo/a: is the parent of TTemplate b, c; delete them')
    expect(out).toContain('(TT-V3)')
  })
  it('DELETE goes in the order of the file: first the child, and the parent may go too', async () => {
    const [parent, heir] = [root('a'), aTTemplate({ name: 'b', parent: 'a' })]
    expect(await reviewed(pages(heir, parent), '--operation=DELETE')).toMatchObject({ code: 0 })
    expect((await reviewed(pages(parent, heir), '--operation=DELETE')).out).toContain(
      '2 objects: 1 admitted, 1 refused',
    )
  })
  it('DELETE takes the file as admission would have left it, labels and all', async () => {
    const { out } = await reviewed(pages(root('a'), child('b', 'a')), '--operation=DELETE')
    expect(out).toContain('FILE:4: metadata.name: TTemplate demo/a: is the parent of TTemplate b;')
  })
  it('DELETE takes away what has no rules as well', async () => {
    const [template, server] = [root('base'), aTServer({ name: 'x', template: 'base' })]
    expect((await reviewed(pages(template, server), '--operation=DELETE')).out).toContain('(TT-V4)')
    expect(await reviewed(pages(server, template), '--operation=DELETE')).toMatchObject({ code: 0 })
  })
})

describe('what is there already', () => {
  it('--seed may name several files and folders', async () => {
    const folder = folderOf({ 'a.yaml': pages(root('a')), 'more/b.yaml': pages(root('b')) })
    const seed = ['--seed', join(folder, 'a.yaml'), join(folder, 'more')]
    expect(await reviewed(pages(child('c', 'a'), child('d', 'b')), ...seed)).toMatchObject({ code: 0 })
  })
  it('is not reviewed itself', async () => {
    expect(await reviewed(pages(root('a')), ...seeded(child('b', 'nowhere')))).toMatchObject({ code: 0 })
  })
  it.each([
    {
      name: 'a TTemplate is in use by a TServer',
      content: pages(root('base')),
      seed: [plain(aTServer({ template: 'base' }))],
      args: ['--operation=DELETE'],
      says: '(TT-V4)',
    },
    {
      name: 'an app of the TTree is in use by a TServer',
      content: pages(tree()),
      seed: [tree('Demo'), plain(aTServer())],
      args: [],
      says: '(TR-V5)',
    },
  ])('what admission adds to it lets others find it: $name', async ({ content, seed, args, says }) => {
    const { code, out, err } = await reviewed(content, ...args, ...seeded(...seed))
    expect({ code, out, err }).toMatchObject({ code: 1, out: expect.stringContaining(says), err: '' })
  })
  it.each([
    { name: 'a manifest', metadata: {}, code: 0 },
    { name: 'one whose labels were taken away in a cluster', metadata: { uid: 'u', labels: {} }, code: 1 },
  ])('$name of the master configuration: a node-level one gets exit code $code', async ({ metadata, code }) => {
    const { metadata: names, ...master } = config('master')
    const seed = seeded({ ...master, metadata: { ...names, ...metadata } })
    expect(await reviewed(pages({ ...config('node'), podSeq: '3' }), ...seed)).toMatchObject({ code })
  })
  it('of several versions the last is in force, so its predecessors may go', async () => {
    const seed = seeded(config('v1'), config('v2'), { ...config('node'), podSeq: '3' })
    expect(await reviewed(pages(config('v1')), '--operation=DELETE', ...seed)).toMatchObject({ code: 0 })
    const { out } = await reviewed(pages(config('v2')), '--operation=DELETE', ...seed)
    expect(out).toContain('in use by node-level configuration node')
  })
  it('of what is there twice the last counts', async () => {
    const [old, now] = [root('a'), { ...root('a'), spec: { parent: 'a', content: 'now' } }]
    const { code, err } = await reviewed(pages(now), '--operation=UPDATE', ...seeded(old, now))
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
  it('what could not be created is there as it is written, and that is said', async () => {
    const seed = fileOf(pages(root('a'), { ...root('b'), spec: { parent: 'b' } }))
    const { code, out, err } = await reviewed(pages(child('c', 'b')), '--seed', seed)
    expect({ code, out }).toEqual({ code: 0, out: '1 object: 1 admitted, 0 refused\n' })
    expect(err).toBe(
      `${seed}:11: note: could not be created, so it is there as it is written: TTemplate.k8s.tars.io "b" is invalid: spec.content: Required value\n`,
    )
  })
  it('counts as being deleted when it says so', async () => {
    const seed = seeded(aTTemplate({ name: 'a', going: true, finalizers: ['x/y'] }))
    expect((await reviewed(pages(child('b', 'a')), ...seed)).out).toContain('TTemplate demo/a does not exist')
  })
})

describe('who asks', () => {
  const family = () => seeded(root('a'), aTTemplate({ name: 'b', parent: 'a' }))
  it.each([
    { user: 'kubernetes-admin', code: 1 },
    { user: 'system:serviceaccount:tars-system:tars-controller', code: 0 },
    { user: 'system:serviceaccount:kube-system:namespace-controller', code: 0 },
    { user: 'system:serviceaccount:other:tars-controller', code: 1 },
  ])('$user gets exit code $code for deleting what is in use', async ({ user, code }) => {
    expect(await reviewed(pages(root('a')), '--operation=DELETE', ...family(), '--user', user)).toMatchObject({ code })
  })
  it('--controllers makes another one a controller of ours', async () => {
    const args = ['--operation=DELETE', ...family(), '--user=ann', '--controllers=ann']
    expect(await reviewed(pages(root('a')), ...args)).toMatchObject({ code: 0 })
  })
})
