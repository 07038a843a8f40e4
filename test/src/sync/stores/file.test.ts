import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileStore } from '../../../../src/sync/stores/file/store.ts'
import { systemClock } from '../../../../src/timing/clock.ts'
import { aKey } from '../../../support/builders/keys.ts'
import { folderOf } from '../../../support/folders.ts'

const NEVER = new AbortController().signal

async function valuesOf(files: readonly string[], filter = '*') {
  const { values } = await fileStore({ files, filter }, { clock: systemClock }).read([aKey('/')], NEVER)
  return Object.fromEntries(values)
}
const valuesIn = (text: string) => valuesOf([join(folderOf({ 'a.yaml': text }), 'a.yaml')])

describe('SY-FILE-2 levels of a file become levels of the path', () => {
  it.each([
    {
      name: 'mappings and lists',
      text: 'a:\n  b: x\n  c: [w, {d: z}]\n',
      values: { '/a/b': 'x', '/a/c/0': 'w', '/a/c/1/d': 'z' },
    },
    { name: 'JSON', text: '{"a": {"b": "x"}, "n": 1}', values: { '/a/b': 'x', '/n': '1' } },
    { name: 'what is empty or null is no value', text: 'a: {}\nb: []\nc:\nd: ~\ne: ""\n', values: { '/e': '' } },
    { name: 'a key with slashes is deeper', text: 'a/b: x\n', values: { '/a/b': 'x' } },
    {
      name: 'keys that are no text',
      text: '8080: x\ntrue: v\n0644: z\n',
      values: { '/8080': 'x', '/true': 'v', '/0644': 'z' },
    },
    { name: 'an alias', text: 'a: &x {b: 1}\nc: *x\n', values: { '/a/b': '1', '/c/b': '1' } },
    {
      name: 'a merge',
      text: 'a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n',
      values: { '/a/b': '1', '/a/c': '2', '/d/b': '1', '/d/c': '3' },
    },
    { name: 'SY-FILE-1 the first document alone', text: 'a: 1\n---\nb: 2\n', values: { '/a': '1' } },
    { name: 'the last of two equal keys', text: 'a: 1\na: 2\n', values: { '/a': '2' } },
    { name: 'nothing', text: '', values: {} },
    { name: 'bytes of UTF-8', text: 'ä: é\n', values: { '/Ã¤': 'Ã©' } },
  ])('$name', async ({ text, values }) => {
    expect(await valuesIn(text)).toEqual(values)
  })
})

describe('SY-FILE-3 plain scalars are those of YAML 1.1', () => {
  it.each([
    ['y', 'true'],
    ['On', 'true'],
    ['yes', 'true'],
    ['n', 'false'],
    ['OFF', 'false'],
    ['yEs', 'yEs'],
    ['0644', '420'],
    ['0o17', '15'],
    ['0x1f', '31'],
    ['0b11', '3'],
    ['1_000', '1000'],
    ['-0', '0'],
    ['+5', '5'],
    ['08', '8'],
    ['9223372036854775807', '9223372036854775807'],
    ['9223372036854775808', '9223372036854775808'],
    ['1.10', '1.1'],
    ['1e3', '1000'],
    ['1e23', '100000000000000000000000'],
    ['1.5e-7', '0.00000015'],
    ['-1.5e21', '-1500000000000000000000'],
    ['.inf', '+Inf'],
    ['-.inf', '-Inf'],
    ['.nan', 'NaN'],
    ['2001-12-14', '2001-12-14'],
    ['22:22', '22:22'],
    ['1.2.3', '1.2.3'],
    ['"0644"', '0644'],
    ["'yes'", 'yes'],
    ['|\n  yes', 'yes\n'],
    ['!!str 0644', '0644'],
    ['plain text', 'plain text'],
  ])('%s is %s', async (written, text) => {
    expect(await valuesIn(`a: ${written}\n`)).toEqual({ '/a': text })
  })
})

describe('SY-FILE-1 files and folders', () => {
  it('a later file overwrites; a folder is walked and filtered; what begins with two dots is no file', async () => {
    const folder = folderOf({
      'one.yaml': 'a: 1\nb: 1',
      'dir/b.yaml': 'b: 2',
      'dir/sub/c.yaml': 'c: 3',
      'dir/d.json': '{"d": 4}',
      'dir/..2024/e.yaml': 'e: 5',
    })
    symlinkSync('..2024/e.yaml', join(folder, 'dir/f.yaml'))
    expect(await valuesOf([join(folder, 'one.yaml'), join(folder, 'dir')], '*.yaml')).toEqual({
      '/a': '1',
      '/b': '2',
      '/c': '3',
      '/e': '5',
    })
  })

  it.each([
    { filter: '*.y?ml', found: true },
    { filter: '[a-b].yaml', found: true },
    { filter: '[^b].yaml', found: true },
    { filter: '\\a.yaml', found: true },
    { filter: 'a', found: false },
    { filter: '[', found: false },
    { filter: '*.json', found: false },
  ])('the filter $filter', async ({ filter, found }) => {
    expect(await valuesOf([folderOf({ 'a.yaml': 'a: 1' })], filter)).toEqual(found ? { '/a': '1' } : {})
  })
})

describe('SY-FILE-4 what cannot be read is an error of the whole read, and shows no value', () => {
  it.each([
    { name: 'no YAML', text: 'a: [secret', why: /a\.yaml: line \d+: it is no YAML \(\w+\)$/ },
    { name: 'a list', text: '- a', why: /it has no keys/ },
    { name: 'a scalar', text: 'secret', why: /it has no keys/ },
    { name: 'a key that is a list', text: '? [secret]\n: b', why: /a key is a mapping or a list/ },
    { name: 'too deep', text: '['.repeat(10).padStart(13, 'a: ') + ']'.repeat(10), why: undefined },
    { name: 'an alias of itself', text: 'a: &x\n  b: *x\n', why: /nested deeper than 200 levels|no YAML/ },
    { name: 'aliases that multiply', text: bomb(), why: /more than 200000 values/ },
  ])('$name', async ({ text, why }) => {
    if (why === undefined) return expect(await valuesIn(text)).toEqual({})
    const refusal: unknown = await valuesIn(text).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'STORE_ANSWER', message: expect.stringMatching(why) })
    expect(refusal).not.toMatchObject({ message: expect.stringContaining('secret') })
  })

  it.each(['/nowhere/a.yaml', '/dev/null/a'])('%s', async (path) => {
    await expect(valuesOf([path])).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  })

  it('a file that is a folder by name only', async () => {
    const folder = folderOf({})
    mkdirSync(join(folder, 'x'))
    expect(await valuesOf([folder])).toEqual({})
  })
})

function bomb(): string {
  const lists = Array.from(
    { length: 12 },
    (_, i) =>
      `l${i}: &l${i} [${Array(10)
        .fill(i === 0 ? 'x' : `*l${i - 1}`)
        .join(', ')}]`,
  )
  return `${lists.join('\n')}\n`
}
