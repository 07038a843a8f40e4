import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import type { Tree } from '../../../src/schema.ts'
import { aServant, aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { caOf } from '../../support/ca-of.ts'
import { type ApiServer, scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { kinds } from '../../support/kinds.ts'
import { type Ran, type Running, ran, running } from '../../support/world.ts'

const pages = (...objects: readonly object[]) => objects.map((object) => stringify(object)).join('---\n')
const root = (name: string) => aTTemplate({ name, labels: {} })
const child = (name: string, parent: string) => aTTemplate({ name, parent, labels: {} })
/** As an author writes it, who knows nothing of labels. */
const plain = ({ metadata: { name, namespace }, ...body }: Tree & { readonly metadata: Tree }) => ({
  ...body,
  metadata: { name, namespace },
})
const DEFINED = kinds
  .flatMap(({ definition, resource: { kind } }) => (definition ? [kind] : []))
  .sort()
  .join(', ')
const OURS = { apiVersion: 'k8s.tars.io/v1beta2' }
const config = (name: string) => ({
  ...OURS,
  kind: 'TConfig',
  metadata: { name, namespace: 'demo' },
  ...{ app: 'Demo', server: 'EchoServer', configName: 'echo.conf', configContent: name },
})
const tree = (...apps: readonly string[]) => ({
  ...OURS,
  kind: 'TTree',
  metadata: { name: 'tars-tree', namespace: 'demo' },
  apps: apps.map((name) => ({ name, businessRef: '' })),
  businesses: [],
})

const aConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'demo' } }

/** The answer, with the path of the file as `FILE`. */
async function reviewed(content: string, ...args: string[]): Promise<Ran> {
  const file = fileOf(content)
  const { code, out, err } = await ran(['review', '-f', file, ...args])
  return { code, out: out.replaceAll(file, 'FILE'), err: err.replaceAll(file, 'FILE') }
}
const seeded = (...objects: readonly object[]) => ['--seed', fileOf(pages(...objects))]

describe('what admission would say, like a compiler', () => {
  it.each([
    {
      name: 'an admitted object is counted',
      content: pages(root('a')),
      says: ['1 object: 1 admitted, 0 refused'],
    },
    {
      name: 'a refused one is told by file, line, path, sentence, remedy and rule',
      content: pages(child('a', 'nowhere')),
      says: [
        'FILE:8: spec.parent: TTemplate demo/nowhere does not exist; create it first, or name another (TT-V2)',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'all that is wrong with an object is told at once',
      content: pages(child('a', 'p'.repeat(64))),
      says: [
        `FILE:8: spec.parent: TTemplate demo/${'p'.repeat(64)} does not exist; create it first, or name another (TT-V2)`,
        expect.stringMatching(/^FILE:8: spec\.parent: p+ does not fit into label .* \(TT-V6\)$/),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what is overruled is a warning, and what is filled in is none',
      content: pages(
        plain(aTServer({ server: 'Wish', normal: [], k8s: { replicas: 3 } })),
        plain(aTServer({ server: 'Calm', normal: [], spec: { k8s: {} } })),
      ),
      says: [
        'FILE:1: warning: spec.k8s.replicas: 3 becomes 0, for there is no release (TS-M6)',
        '2 objects: 2 admitted, 0 refused',
      ],
    },
    {
      name: 'one object does not stop the next',
      content: pages(child('a', 'nowhere'), root('b')),
      says: [expect.stringContaining('TT-V2'), '2 objects: 1 admitted, 1 refused'],
    },
    {
      name: 'a later one may refer to an earlier one',
      content: pages(root('a'), child('b', 'a')),
      says: ['2 objects: 2 admitted, 0 refused'],
    },
    {
      name: 'an earlier one may not refer to a later one',
      content: pages(child('b', 'a'), root('a')),
      says: [
        expect.stringContaining('FILE:8: spec.parent: TTemplate demo/a does not exist'),
        '2 objects: 1 admitted, 1 refused',
      ],
    },
    {
      name: 'a refused one is not there for the next',
      content: pages(child('a', 'nowhere'), child('b', 'a')),
      says: [
        expect.stringContaining('demo/nowhere'),
        expect.stringContaining('demo/a'),
        '2 objects: 0 admitted, 2 refused',
      ],
    },
    {
      name: 'what the schema refuses is told with its line',
      content: pages({ ...root('a'), spec: { parent: 'a', content: [] } }),
      says: [
        'FILE:9: spec.content: Invalid value: "array": spec.content in body must be of type string: "array"',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what the API server says of no field has its field: of what excludes each other, and of a number that is no integer',
      content: pages(plain(aTServer()))
        .replace('spec:', 'spec:\n  important: 1.5')
        .replace(
          '  k8s:',
          '  k8s:\n    mounts: [{ name: a, mountPath: /a, source: { emptyDir: {}, tLocalVolume: {} } }]',
        ),
      says: [
        expect.stringMatching(
          /^FILE:\d+: spec.k8s.mounts\[0\].source: must have exactly one of .*emptyDir.*; it has 2$/,
        ),
        'FILE:4: spec.important: Invalid value: "number": spec.important in body must be of type integer: "number"',
        expect.stringContaining('spec.tars.template: TTemplate demo/base does not exist'),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'rules are asked of the rest where an item of a list lacks a field, or has one of a wrong type',
      content: pages(plain(aTServer({ template: 'nowhere', servants: [aServant({ port: 19385 })] }))).replace(
        '  k8s:',
        [
          '  k8s:',
          '    mounts:',
          '      - { name: a, mountPath: /a, source: { hostPath: { path: /a } } }',
          '      - { name: b, mountPath: /a, readOnly: [], source: { emptyDir: {} } }',
        ].join('\n'),
      ),
      says: [
        'FILE:14: spec.k8s.mounts[0].source.hostPath.type: Required value',
        expect.stringMatching(/^FILE:15: spec.k8s.mounts\[1\].readOnly: .* must be of type boolean: "array"$/),
        expect.stringMatching(/^FILE:11: spec.tars.servants\[0\].port: 19385 is reserved for tarsnode; .* \(TS-V11\)$/),
        expect.stringMatching(
          /^FILE:15: spec.k8s.mounts\[1\].mountPath: \/a already used by mounts\[0\]; .* \(TS-V23\)$/,
        ),
        expect.stringMatching(/^FILE:8: spec.tars.template: TTemplate demo\/nowhere does not exist; .* \(TS-V15\)$/),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'a time in the wrong form is answered by a sentence with an example, beside whatever else',
      content: pages({
        ...tree(),
        businesses: [
          { name: 'retail', show: 101, createTime: '1.3.2026' },
          { name: 'more', createTime: 'now' },
        ],
      }),
      says: [
        expect.stringContaining('FILE:9: businesses[0].show: Invalid value: 101'),
        'FILE:11: businesses[1].show: Required value',
        'FILE:10: businesses[0].createTime: Invalid value: "1.3.2026": is no time; write one in the form of RFC 3339, like "2026-03-01T08:00:00Z"',
        expect.stringContaining('businesses[1].createTime: Invalid value: "now": is no time; '),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what goes beyond a limit is told beside what the rules refuse, and no line is of no field',
      content: pages({ ...plain(aTServer({ template: 'nowhere' })) }).replace('spec:', 'spec:\n  important: 99'),
      says: [
        'FILE:4: spec.important: Invalid value: 99: spec.important in body should be less than or equal to 20',
        expect.stringMatching(/^FILE:\d+: spec.tars.template: TTemplate demo\/nowhere does not exist; .* \(TS-V15\)$/),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'rules that the definition carries too are told once, whether it could be asked of them or not',
      content: pages({
        ...plain(aTServer({ template: 'base' })),
        metadata: { name: 'odd', namespace: 'demo' },
      }).replace('subType: tars', 'subType: unheard'),
      says: [
        'FILE:6: spec.subType: Unsupported value: "unheard": supported values: "tars", "normal"',
        expect.stringMatching(/^FILE:7: spec.tars: only allowed when .* \(TS-V5\)$/),
        expect.stringMatching(/^FILE:16: metadata.name: must be "demo-echo" .* \(TS-V6\)$/),
        expect.stringMatching(/^FILE:8: spec.tars.template: TTemplate demo\/base does not exist.* \(TS-V15\)$/),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what lacks its quotes is told so, and the rules are asked as if it had them',
      content: pages({ ...child('a', 'nowhere'), spec: { parent: 5, content: true } }).replace(
        'labels: {}',
        'labels: { a: 1 }',
      ),
      says: [
        'FILE:6: metadata.labels[a]: is a number, and a text belongs there; write it in quotes',
        'FILE:8: spec.parent: is a number, and a text belongs there; write it in quotes',
        'FILE:9: spec.content: is a boolean, and a text belongs there; write it in quotes',
        'FILE:8: spec.parent: TTemplate demo/5 does not exist; create it first, or name another (TT-V2)',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'a required field that is missing is told where it would stand',
      content: pages({ ...root('a'), spec: { parent: 'a' } }),
      says: ['FILE:7: spec.content: Required value', '1 object: 0 admitted, 1 refused'],
    },
    {
      name: 'each unknown field has its line, and the nearest name beside it or of that name elsewhere',
      content: pages({
        ...root('a'),
        metadata: { name: 'a', lables: {} },
        spec: { parent: 'a', content: '', contents: 'x', colour: 'red' },
        parent: 'a',
      }),
      says: [
        'FILE:5: metadata.lables: unknown field; the nearest is metadata.labels',
        'FILE:11: parent: unknown field; the nearest is spec.parent',
        'FILE:10: spec.colour: unknown field',
        'FILE:9: spec.contents: unknown field; the nearest is spec.content',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'rules are asked beside an unknown field',
      content: pages({ ...child('a', 'nowhere'), colour: 'red' }),
      says: [
        'FILE:10: colour: unknown field',
        'FILE:8: spec.parent: TTemplate demo/nowhere does not exist; create it first, or name another (TT-V2)',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what has an unknown field is not there for the next',
      content: pages({ ...root('a'), colour: 'red' }, child('b', 'a')),
      says: ['FILE:10: colour: unknown field', expect.stringContaining('demo/a'), '2 objects: 0 admitted, 2 refused'],
    },
    {
      name: 'an object without a name is refused',
      content: 'apiVersion: k8s.tars.io/v1beta2\nkind: TTemplate\nmetadata: {}\nspec: { parent: a, content: "" }\n',
      says: [
        'FILE:3: metadata.name: Required value: name or generateName is required',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'a kind without rules is taken as it is, with a note',
      content: pages(aConfigMap),
      says: [
        'FILE:1: note: ConfigMap v1 is not ours to review, so it is taken as it is',
        '1 object: 0 admitted, 0 refused, 1 not ours',
      ],
    },
    {
      name: 'what is not ours is counted apart',
      content: pages(root('a'), aConfigMap, child('b', 'nowhere'), aConfigMap),
      says: [
        expect.stringContaining('note: ConfigMap v1'),
        expect.stringContaining('TT-V2'),
        expect.stringContaining('note: ConfigMap v1'),
        '4 objects: 1 admitted, 1 refused, 2 not ours',
      ],
    },
    ...[
      {
        ...{ apiVersion: 'k8s.tars.io/v1beta2', kind: 'Tserver' },
        says: ['FILE:2: kind: k8s.tars.io/v1beta2 has no Tserver; the nearest is TServer'],
      },
      {
        ...{ apiVersion: 'k8s.tars.io/v1beta9', kind: 'TTemplate' },
        says: ['FILE:1: apiVersion: k8s.tars.io/v1beta9 is not served; the nearest is k8s.tars.io/v1beta2'],
      },
      {
        ...{ apiVersion: 'k8s.tars.io/v1', kind: 'TConfigs' },
        says: [
          'FILE:1: apiVersion: k8s.tars.io/v1 is not served; the nearest is k8s.tars.io/v1beta2',
          'FILE:2: kind: k8s.tars.io/v1beta2 has no TConfigs; the nearest is TConfig',
        ],
      },
      {
        ...{ apiVersion: 'k8s.tars.io', kind: 'TTree' },
        says: ['FILE:1: apiVersion: k8s.tars.io is not served; the nearest is k8s.tars.io/v1beta2'],
      },
      {
        ...{ apiVersion: 'tars.io/v1beta2', kind: 'TTree' },
        says: ['FILE:1: apiVersion: tars.io/v1beta2 is not served; the nearest is k8s.tars.io/v1beta2'],
      },
      {
        ...{ apiVersion: 'v1', kind: 'TImage' },
        says: ['FILE:1: apiVersion: v1 is not served; the nearest is k8s.tars.io/v1beta2'],
      },
      {
        ...{ apiVersion: 'v1', kind: 'Tserver' },
        says: [
          'FILE:1: apiVersion: v1 is not served; the nearest is k8s.tars.io/v1beta2',
          'FILE:2: kind: k8s.tars.io/v1beta2 has no Tserver; the nearest is TServer',
        ],
      },
      {
        ...{ apiVersion: 'k8s.tars.io/v1beta2', kind: 'Gateway' },
        says: [`FILE:2: kind: k8s.tars.io/v1beta2 has no Gateway; it has ${DEFINED}`],
      },
    ].map(({ says, ...object }) => ({
      name: `${object.kind} ${object.apiVersion}, which no cluster serves, is refused with the nearest that there is`,
      content: pages({ ...object, metadata: { name: 'a' } }),
      says: [...says, '1 object: 0 admitted, 1 refused'],
    })),
    {
      name: 'a name that no kind of ours could have is not ours to judge',
      content: 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: "system:x" }\n',
      says: [expect.stringContaining('note: ClusterRole'), '1 object: 0 admitted, 0 refused, 1 not ours'],
    },
    {
      name: 'what is odd about the text is a warning',
      content: pages(root('a')).replace('kind: TTemplate', 'kind: TTemplate\nkind: TTemplate'),
      says: ['FILE:3: warning: this key stands there already; the last one counts', '1 object: 1 admitted, 0 refused'],
    },
  ])('$name', async ({ content, says }) => {
    const { out, code } = await reviewed(content)
    expect(out.trimEnd().split('\n')).toEqual(says)
    expect(code).toBe(out.includes(' 0 refused') ? 0 : 1)
  })

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
    const { code, out } = await reviewed(pages(root('a'), child('b', 'nowhere'), aConfigMap), '-o', 'json')
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
          kind: 'ConfigMap',
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

describe('wrong usage is told in a sentence, exit code 2', () => {
  it('no file', async () => {
    expect(await ran(['review'])).toEqual({
      code: 2,
      out: '',
      err: 'tars-admission: name what to review: -f FILE|DIR, or --from-cluster\n',
    })
  })
  it('stdin in two places', async () => {
    expect(await ran(['review', '-f', '-', '--old', '-'])).toEqual({
      code: 2,
      out: '',
      err: 'tars-admission: - stands for stdin, which is read once: name it in one place\n',
    })
  })
  it('a seed that no cluster could hold', async () => {
    const seed = fileOf(pages({ ...root('a'), kind: 'Ttemplate' }))
    expect(await ran(['review', '-f', fileOf(pages(root('b'))), '--seed', seed])).toEqual({
      code: 2,
      out: '',
      err: `tars-admission: ${seed}:2: kind: k8s.tars.io/v1beta2 has no Ttemplate; the nearest is TTemplate\n`,
    })
  })
  it('nothing to review', async () => {
    expect(await reviewed('# later\n')).toEqual({
      code: 2,
      out: '',
      err: 'tars-admission: there is no object in FILE\n',
    })
  })
  it.each(['-f', '--seed', '--old', '--ca'])('a file of %s that is not there', async (flag) => {
    const path = join(folderOf(), 'none.yaml')
    const args = ['review', '-f', fileOf(pages(root('a'))), '--server=https://127.0.0.1:1', flag, path]
    const says = `tars-admission: ${path} cannot be read: there is no such file or folder\n`
    expect(await ran(args)).toEqual({ code: 2, out: '', err: says })
  })
  it('a file that is no YAML', async () => {
    expect(await reviewed(`${pages(root('a'))}\tspec: {}\n`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('FILE:'),
    })
  })
})

describe('--server', () => {
  let webhook: Running
  let address: string
  let ca: string
  beforeAll(async () => {
    webhook = running(['webhook', '--cluster=memory', '--host=127.0.0.1', ...PORTS, '--log-level=silent'])
    const ready = JSON.parse(await webhook.firstLine)
    address = ready.address
    ca = ready.ca
  })
  afterAll(() => webhook.stop())

  it('asks that server, whose cluster it is that is looked into', async () => {
    const ask = (content: string) => reviewed(content, '--server', address, '--ca', ca)
    expect(await ask(pages(root('a')))).toMatchObject({ code: 0, out: '1 object: 1 admitted, 0 refused\n' })
    const { code, out } = await ask(pages(root('a'), child('b', 'a')))
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('demo/a does not exist') })
  })
  it('whose certificate is of another CA could not be asked', async () => {
    const other = await servingElsewhere()
    const { code, out } = await reviewed(pages(root('a')), '--server', address, '--ca', other)
    expect(code).toBe(3)
    expect(out).toContain(`${address} could not be asked: its certificate is not signed by the CA of --ca`)
  })
  it('whose certificate is of a CA that nobody named could not be asked', async () => {
    const { code, out } = await reviewed(pages(root('a')), '--server', address)
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('is not signed by the CA of --ca') })
  })
  it('that is not there could not be asked, and every object says so', async () => {
    const { code, out } = await reviewed(pages(root('a'), root('b')), '--server=https://127.0.0.1:1')
    expect(code).toBe(3)
    expect(out.trimEnd().split('\n')).toEqual([
      'FILE:1: https://127.0.0.1:1 could not be asked: nobody listens there',
      'FILE:11: https://127.0.0.1:1 could not be asked: nobody listens there',
      '2 objects: 0 admitted, 0 refused, 2 could not be decided',
    ])
  })
})

describe('a server is asked as an API server asks it', () => {
  const requested = async (answer: Parameters<ApiServer['always']>[0], ...args: string[]) => {
    const server = await scriptedApiServer()
    onTestFinished(() => server.stop())
    server.always(answer)
    const run = await reviewed(pages(root('a')), '--server', `${server.url}/prefix/`, '--ca', caOf(server), ...args)
    return { ...run, out: run.out.replaceAll(server.url, 'SERVER') }
  }
  const allowed = (body: string) => ({ response: { uid: JSON.parse(body).request.uid, allowed: true } })

  it('below the path of its URL, with a timeout, for each phase', async () => {
    const calls: string[] = []
    const { code } = await requested(({ path, query, body, json }) => {
      calls.push(`${path}?timeout=${query.timeout}`)
      json(200, allowed(body))
    })
    expect({ code, calls }).toEqual({
      code: 0,
      calls: ['/prefix/mutating?timeout=10s', '/prefix/validating?timeout=10s'],
    })
  })
  it('but in a dry run: nothing will be stored, so it must not mark what would follow (W-9)', async () => {
    const dry: unknown[] = []
    await requested(({ body, json }) => {
      dry.push(JSON.parse(body).request.dryRun)
      json(200, allowed(body))
    })
    expect(dry).toEqual([true, true])
  })
  it('in the name of --user and --group', async () => {
    const users: unknown[] = []
    await requested(
      ({ body, json }) => {
        users.push(JSON.parse(body).request.userInfo)
        json(200, allowed(body))
      },
      ...['--user=ann', '--group=dev', '--group=ops'],
    )
    expect(users[0]).toEqual({ username: 'ann', groups: ['dev', 'ops'] })
  })
  it.each([
    { name: 'an HTTP error', answer: ({ status }) => status(500, 'InternalError'), code: 500 },
    { name: 'no JSON', answer: ({ text }) => text(200, 'hello'), code: 200 },
    { name: 'no response', answer: ({ json }) => json(200, {}), code: 200 },
    {
      name: 'the answer to another review',
      answer: ({ json }) => json(200, { response: { uid: 'x', allowed: true } }),
      code: 200,
    },
  ] satisfies { name: string; answer: Parameters<ApiServer['always']>[0]; code: number }[])(
    '$name is no answer',
    async ({ answer, code }) => {
      const shown = await requested(answer)
      expect(shown.code).toBe(3)
      expect(shown.out).toContain(`FILE:1: SERVER/prefix/mutating gave no answer to the review, but HTTP ${code}`)
    },
  )
  it('a connection that breaks is no answer', async () => {
    expect(await requested(({ reset }) => reset())).toMatchObject({
      code: 3,
      out: expect.stringContaining('SERVER could not be asked: '),
    })
  })
})

const PORTS = ['--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']

/** A CA certificate that has signed nothing that is served here. */
async function servingElsewhere(): Promise<string> {
  const server = await scriptedApiServer()
  onTestFinished(() => server.stop())
  return caOf(server)
}
