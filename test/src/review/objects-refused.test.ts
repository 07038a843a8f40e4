import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { objectsIn } from '../../../src/review/objects.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { named, READING } from './objects-read.ts'

/** What is wrong with the file, without its path. */
const refusalOf = async (content: string, name?: string) => {
  const file = fileOf(content, name)
  return objectsIn([file], READING).then(
    () => 'taken',
    ({ message }) => message.replace(file, 'FILE'),
  )
}

describe('what is no object is refused with file and line', () => {
  it.each([
    {
      name: 'a text',
      content: 'hello\n',
      says: 'FILE:1: no object: an object has fields, among them apiVersion, kind, metadata',
    },
    {
      name: 'a list of YAML',
      content: '- a\n',
      says: 'FILE:1: no object: an object has fields, among them apiVersion, kind, metadata',
    },
    { name: 'no apiVersion', content: 'kind: Thing\nmetadata: {}\n', says: 'FILE:1: no object: apiVersion missing' },
    { name: 'no kind', content: 'apiVersion: v1\nmetadata: {}\n', says: 'FILE:1: no object: kind missing' },
    { name: 'nothing of it', content: '\n\na: 1\n', says: 'FILE:3: no object: apiVersion, kind, metadata missing' },
    {
      name: 'metadata that are none',
      content: 'apiVersion: v1\nkind: Thing\nmetadata: a\n',
      says: 'FILE:1: no object: metadata missing',
    },
    {
      name: 'the second document',
      content: `${named('a')}---\nkind: Thing\n`,
      says: 'FILE:5: no object: apiVersion, metadata missing',
    },
    {
      name: 'an item',
      content: 'kind: List\nitems:\n- 5\n',
      says: 'FILE:3: no object: an object has fields, among them apiVersion, kind, metadata',
    },
  ])('$name', async ({ content, says }) => {
    expect(await refusalOf(content)).toBe(says)
  })
})

describe('what is no YAML is refused with file and line', () => {
  it.each([
    {
      name: 'a bad indent',
      content: 'a: 1\n b: 2\n',
      says: 'FILE:1: Nested mappings are not allowed in compact mappings',
    },
    { name: 'a tab', content: 'a:\n\tb: 1\n', says: 'FILE:2: Tabs are not allowed as indentation' },
    { name: 'JSON that ends early', content: '{"a": 1,\n"b": [', says: 'FILE:2: Flow sequence' },
    {
      name: 'the second document',
      content: `${named('a')}---\na: b: c\n`,
      says: 'FILE:5: Nested mappings are not allowed in compact mappings',
    },
    {
      name: 'an alias of nothing',
      content: 'a: *b\n',
      says: 'FILE:1: Unresolved alias (the anchor must be set before the alias): b',
    },
  ])('$name', async ({ content, says }) => {
    expect(await refusalOf(content)).toContain(says)
  })
  it('aliases that multiply without end', async () => {
    const [x, times] = ['a: &a [x,x,x,x,x,x,x,x,x]', (of: string) => Array(9).fill(`*${of}`).join()]
    const bomb = [x, `b: &b [${times('a')}]`, `c: &c [${times('b')}]`, `d: [${times('c')}]`].join('\n')
    expect(await refusalOf(bomb)).toBe('FILE:1: Excessive alias count indicates a resource exhaustion attack')
  })
})

describe('a path that cannot be read is refused with the reason', () => {
  it('nothing there', async () => {
    const path = join(folderOf(), 'none.yaml')
    await expect(objectsIn([path], READING)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: `${path} cannot be read: there is no such file or folder`,
    })
  })
  it('below a file', async () => {
    const path = join(fileOf(named('a')), 'a.yaml')
    await expect(objectsIn([path], READING)).rejects.toThrow(`${path} cannot be read: there is no such file or folder`)
  })
})
