import { describe, expect, it } from 'vitest'
import { protectedEntries, protectedKeysOf } from '../../../../webhooks/nacos/config/protected.ts'

const keysOf = (closed: string, open?: string, setting: readonly string[] = []) =>
  protectedKeysOf(setting, {
    'nacos.io/protected-keys': closed,
    ...(open !== undefined && { 'nacos.io/overridable-keys': open }),
  })

describe('protected keys', () => {
  it.each([
    { name: 'an exact key', list: 'server.port', key: 'server.port', is: true },
    { name: 'not a longer one', list: 'server.port', key: 'server.ports', is: false },
    { name: 'not a shorter one', list: 'server.port', key: 'server', is: false },
    { name: 'a beginning', list: 'db.*', key: 'db.url.0', is: true },
    { name: 'not what the beginning is short of', list: 'db.*', key: 'db', is: false },
    { name: 'all', list: '*', key: 'any', is: true },
    { name: 'one of several, by commas and white space', list: 'a, b\n\tc,d', key: 'c', is: true },
    { name: 'the shorter of two beginnings', list: 'a.b.* a.*', key: 'a.c', is: true },
    { name: 'between two beginnings', list: 'a.* c.*', key: 'b.x', is: false },
    {
      name: 'NC-MRG-33 another spelling',
      list: 'server.servlet.contextPath',
      key: 'SERVER.servlet.context-path_',
      is: true,
    },
    { name: 'NC-MRG-33 a list key, for its items', list: 'db.url[0]', key: 'db.url[]', is: true },
    { name: 'NC-MRG-33 an item, for its list', list: 'db.url[]', key: 'db.url[3]', is: true },
    { name: 'a list key below a beginning', list: 'db.*', key: 'db.url[]', is: true },
    { name: 'a list key above a beginning', list: 'db.url[0].*', key: 'db.url[]', is: true },
    { name: 'not another list', list: 'db.url[0]', key: 'db.urls[]', is: false },
    { name: 'nothing of an empty list', list: ' ,\n', key: 'spring.config.import', is: false },
    { name: 'NC-PRO-03 what reads other files', list: 'a', key: 'spring.config.import', is: true },
    { name: 'NC-PRO-03 profiles', list: 'a', key: 'spring.profiles.active', is: true },
    { name: 'NC-PRO-03 JSON', list: 'a', key: 'spring.application.json', is: true },
    { name: 'NC-PRO-03 not the name', list: 'a', key: 'spring.application.name', is: false },
    { name: 'a key like a member of objects', list: '__proto__ constructor', key: '__proto__', is: true },
  ])('NC-PRO-02 are $name', ({ list, key, is }) => {
    expect(keysOf(list).includes(key)).toBe(is)
  })

  it.each([
    { name: 'those of the setting', keys: keysOf('a', undefined, ['b.*']), is: [true, true] },
    { name: 'without the exceptions of the internal source', keys: keysOf('a', 'a, b.c', ['b.*']), is: [false, false] },
    { name: 'none by default', keys: protectedKeysOf([]), is: [false, false] },
  ])('NC-PRO-01 are $name', ({ keys, is }) => {
    expect(['a', 'b.c'].map(keys.includes)).toEqual(is)
  })

  it('NC-PRO-02 a bad entry is named and ignored, the others count', () => {
    const keys = keysOf('*.port a*b good', 'x*y')
    expect(keys.bad).toEqual(['*.port', 'a*b', 'x*y'])
    expect(['server.port', 'good'].map(keys.includes)).toEqual([false, true])
    expect(keysOf('*.port').includes('spring.config.import')).toBe(false)
  })

  it('are found in a source with their lines, an escaped blank around them as well', () => {
    const source = '# server.port=1\nb=2\r\nserver.port=3\n\\ server.port\\t=4\n'
    expect(protectedEntries(source, keysOf('server.port')).map(({ line }) => line)).toEqual([3, 4])
  })
})
