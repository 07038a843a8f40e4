import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { objectsIn, storedIn } from '../../../src/review/objects.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { named, READING } from './objects-read.ts'

const namesIn = async (...paths: string[]) =>
  (await objectsIn(paths, READING)).map(({ object }) => object.metadata.name)

describe('which objects there are', () => {
  const LIST = `apiVersion: v1\nkind: List\nitems:\n- ${named('a').replaceAll('\n', '\n  ')}\n- ${named('b').replaceAll('\n', '\n  ')}`
  it.each([
    { name: 'one', content: named('a'), names: ['a'] },
    { name: 'several documents', content: `${named('a')}---\n${named('b')}`, names: ['a', 'b'] },
    { name: 'JSON', content: '{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a"}}', names: ['a'] },
    { name: 'the items of a List', content: LIST, names: ['a', 'b'] },
    {
      name: 'the items of a list of a kind',
      content: LIST.replace('kind: List', 'kind: ThingList'),
      names: ['a', 'b'],
    },
    { name: 'none in an empty list', content: 'apiVersion: v1\nkind: List\nitems: []\n', names: [] },
    { name: 'none in comments', content: '# nothing\n---\n# here\n', names: [] },
    { name: 'none in an empty file', content: '', names: [] },
    { name: 'one between empty documents', content: `---\n---\n${named('a')}---\n`, names: ['a'] },
    { name: 'one with a byte order mark', content: `\ufeff${named('a')}`, names: ['a'] },
    { name: 'one with the line ends of Windows', content: named('a').replaceAll('\n', '\r\n'), names: ['a'] },
    {
      name: 'one without a name',
      content: 'apiVersion: v1\nkind: Thing\nmetadata: { generateName: a- }',
      names: [undefined],
    },
  ])('$name', async ({ content, names }) => {
    expect(await namesIn(fileOf(content))).toEqual(names)
  })

  it('a folder gives its YAML and JSON files by name, and no folder below', async () => {
    const json = JSON.stringify({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'c' } })
    const files = {
      'b.yml': named('b'),
      'a.yaml': named('a'),
      'c.json': json,
      'd.txt': named('d'),
      'e/e.yaml': named('e'),
    }
    expect(await namesIn(folderOf(files))).toEqual(['a', 'b', 'c'])
  })
  it('files and folders come in the order in which they were named', async () => {
    const folder = folderOf({ 'c.yaml': named('c'), 'b/b.yaml': named('b'), 'a.yaml': named('a') })
    expect(await namesIn(join(folder, 'c.yaml'), join(folder, 'b'), join(folder, 'a.yaml'))).toEqual(['c', 'b', 'a'])
  })
  it('a file that is named is read whatever its ending', async () => {
    expect(await namesIn(fileOf(named('a'), 'objects.txt'))).toEqual(['a'])
  })
})

/** Measured with kubectl 1.36: `kubectl label --local -f - x=y -o json`. */
describe('values are those that kubectl would send', () => {
  const sent = async (value: string) => {
    const [written] = await objectsIn([fileOf(`${named('a')}spec: ${value}\n`)], READING)
    return written?.object.spec
  }
  it.each([
    { value: 'yes', is: true },
    { value: 'off', is: false },
    { value: '"yes"', is: 'yes' },
    { value: '0755', is: 493 },
    { value: '1_000', is: 1000 },
    { value: '1:30', is: '1:30' },
    { value: '2026-11-18', is: '2026-11-18' },
    { value: '2026-11-18T12:00:00Z', is: '2026-11-18T12:00:00Z' },
    { value: '~', is: null },
    { value: '{ a: 1, a: 2 }', is: { a: 2 } },
    { value: 'y', is: true },
    { value: '1e3', is: 1000 },
    { value: '{ <<: { a: 1 }, b: 2 }', is: { a: 1, b: 2 } },
  ])('$value is $is', async ({ value, is }) => {
    expect(await sent(value)).toEqual(is)
  })
})

it('a key that stands twice is remarked, since only one of them can be meant', async () => {
  const [one, other] = await objectsIn([fileOf(`${named('a')}spec:\n  x: 1\n  x: 2\n---\n${named('b')}`)], READING)
  expect(one?.remarks).toEqual([{ line: 6, message: 'this key stands there already; the last one counts' }])
  expect(other?.remarks).toEqual([])
})

describe('the line of a path', () => {
  const FILE = `# a comment
apiVersion: v1
kind: Thing
metadata:
  name: a
  labels:
    tars.io/Parent: base
    "8080": web
spec:
  text: |
    line
    line
  ports:
    - port: 1
      name: one
    -
      port: 2
  flow: { a: 1,
    b: [1,
      2] }
  anchor: &it { x: 1 }
  alias: *it
`
  it.each([
    { path: '', line: 2, is: 'where the object begins' },
    { path: 'kind', line: 3, is: 'a field' },
    { path: 'metadata.name', line: 5, is: 'a field below' },
    { path: 'metadata.labels[tars.io/Parent]', line: 7, is: 'a label, whatever its key holds' },
    { path: 'metadata.labels[8080]', line: 8, is: 'a label whose key is a number' },
    { path: 'spec.text', line: 10, is: 'that of the key, where the value begins below' },
    { path: 'spec.ports', line: 13, is: 'a list' },
    { path: 'spec.ports[0]', line: 14, is: 'an item' },
    { path: 'spec.ports[0].name', line: 15, is: 'a field of an item' },
    { path: 'spec.ports[1].port', line: 17, is: 'a field of an item that begins below its dash' },
    { path: 'spec.flow.b[1]', line: 20, is: 'an item in flow style' },
    { path: 'spec.ports[1].name', line: 17, is: 'of what is missing in an item, the item' },
    { path: 'spec.ports[7].name', line: 13, is: 'of what is missing in a list, the list' },
    { path: 'spec.none.below', line: 9, is: 'of what is missing, what is around it' },
    { path: 'none', line: 2, is: 'of what is missing at the top, the object' },
    { path: 'spec.text.below', line: 10, is: 'of what is below a text, the text' },
    { path: 'spec.alias.x', line: 22, is: 'of what is below an alias, the alias' },
    { path: 'spec["text"]', line: 9, is: 'of what nobody understands, the nearest that is' },
  ])('is $is: $path', async ({ path, line }) => {
    const [written] = await objectsIn([fileOf(FILE)], READING)
    expect(written?.lineOf(path)).toBe(line)
  })

  it('is counted through the documents of a file', async () => {
    const written = await objectsIn([fileOf(`${named('a')}---\n${named('b')}`)], READING)
    expect(written.map(({ lineOf }) => [lineOf(''), lineOf('metadata.name')])).toEqual([
      [1, 3],
      [5, 7],
    ])
  })
  it('is that of the item in a list', async () => {
    const written = await objectsIn(
      [
        fileOf(
          'kind: List\nitems:\n- kind: A\n  apiVersion: v1\n  metadata: {}\n- kind: B\n  apiVersion: v1\n  metadata: {}\n',
        ),
      ],
      READING,
    )
    expect(written.map(({ lineOf }) => [lineOf(''), lineOf('metadata'), lineOf('spec')])).toEqual([
      [3, 5, 3],
      [6, 8, 6],
    ])
  })
  it('is known in JSON as well', async () => {
    const [written] = await objectsIn(
      [fileOf('{\n"apiVersion": "v1", "kind": "Thing",\n"metadata": {\n"name": "a"}}', 'a.json')],
      READING,
    )
    expect(written?.lineOf('metadata.name')).toBe(4)
  })
})

describe('what is there already', () => {
  it('is in the namespace it names, or else in the given one', async () => {
    const file = fileOf(`${named('a')}---\napiVersion: v1\nkind: Thing\nmetadata: { name: b, namespace: own }\n`)
    const stored = await storedIn([file], 'given', READING)
    expect(stored.map(({ object }) => object.metadata.namespace)).toEqual(['given', 'own'])
  })
  it.each(['""', '~'])('an empty namespace is none: %s', async (empty) => {
    const file = fileOf(`apiVersion: v1\nkind: Thing\nmetadata: { name: b, namespace: ${empty} }\n`)
    expect((await storedIn([file], 'given', READING))[0]?.object.metadata.namespace).toBe('given')
  })
  it('has a name', async () => {
    const file = fileOf('apiVersion: v1\nkind: Thing\nmetadata:\n  generateName: a-\n')
    await expect(storedIn([file], 'given', READING)).rejects.toThrow(
      `${file}:3: an object that is there already has a metadata.name`,
    )
  })
  it('is otherwise word for word as it stands there', async () => {
    const content =
      'apiVersion: v1\nkind: Thing\nmetadata: { name: a, namespace: own, uid: u, deletionTimestamp: t }\nstatus: { x: 1 }\n'
    expect((await storedIn([fileOf(content)], 'given', READING)).map(({ object }) => object)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Thing',
        metadata: { name: 'a', namespace: 'own', uid: 'u', deletionTimestamp: 't' },
        status: { x: 1 },
      },
    ])
  })
})

it('a field of 100,000 brackets is looked for in no more than linear time (SV-17)', async () => {
  const [written] = await objectsIn([fileOf(named('a'))], READING)
  const before = process.threadCpuUsage()
  expect(written?.lineOf(`metadata.${'['.repeat(100_000)}`)).toBe(3)
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(500)
})
