import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../../../src/faults.ts'
import { aStore, ONE, once, reasonsIn } from '../../../support/sync/once.ts'

describe('SY-FAIL-11 SY-PIPE-13 what is broken stops no other', () => {
  const SECOND = { 'z.toml': 'src = "z"\ndest = "OUT/z"\nkeys = ["/k"]' }
  it.each([
    {
      name: 'SY-RES-10 a template that is missing',
      templates: {},
      why: /missing template: .*\/templates\/a; put it there, or mend src$/,
    },
    { name: 'SY-PIPE-4 a template that is none', templates: { a: '{{if}}' }, why: /templates\/a: template: a:1: / },
    {
      name: 'SY-SEED-5 a crypt function, which confd has no more',
      templates: { a: '{{cgetv "/k"}}' },
      why: /function "cgetv" not defined$/,
    },
    { name: 'an unknown function', templates: { a: '{{nope}}' }, why: /function "nope" not defined$/ },
    { name: 'SY-BE-3 a key that is missing', templates: { a: '{{getv "/gone"}}' }, why: /key does not exist: \/gone$/ },
    {
      name: 'a template without an end',
      templates: { a: '{{define "x"}}{{template "x"}}{{end}}{{template "x"}}' },
      why: /templates\/a: template: a:1/,
    },
  ])('$name', async ({ templates, why }) => {
    const { sync, content, lines, path } = await once({
      conf: { ...ONE, ...SECOND },
      templates: { z: 'fine', ...templates },
    })
    writeFileSync(path('a.conf'), 'last good')
    expect(await sync.start()).toBe(1)
    expect(reasonsIn(lines, 'pass has failed')).toEqual([expect.stringMatching(why)])
    expect([content('a.conf'), content('z')]).toEqual(['last good', 'fine'])
  })

  it.each([
    { name: 'an output of 16 MiB is written', more: '', code: 0, bytes: 16_777_216 },
    { name: 'of one byte more it is not', more: '!', code: 1, bytes: 'last good'.length },
  ])('SY-LIM-1 $name', async ({ more, code, bytes }) => {
    const store = aStore({ '/k': 'x'.repeat(8_388_608) })
    const templates = { a: `{{getv "/k"}}{{getv "/k"}}${more}`, z: 'fine' }
    const { sync, content, path, lines } = await once({ store, conf: { ...ONE, ...SECOND }, templates })
    writeFileSync(path('a.conf'), 'last good')
    expect(await sync.start()).toBe(code)
    expect([statSync(path('a.conf')).size, content('z')]).toEqual([bytes, 'fine'])
    const why = expect.stringMatching(/templates\/a: template: a:1:.*an output of more than 16777216 bytes$/)
    expect(reasonsIn(lines, 'pass has failed')).toEqual(code === 0 ? [] : [why])
  })

  it('SY-EXIT-3 a resource file that cannot be used, and SY-RES-11 a second one for a target', async () => {
    const conf = { 'a.toml': 'src = ', 'c.toml': 'src = "z"\ndest = "OUT/z"', ...SECOND }
    const { sync, content, lines } = await once({ conf, templates: { z: 'fine' } })
    expect(await sync.start()).toBe(1)
    expect(lines.filter(({ msg }) => msg === 'resource file cannot be used')).toEqual([
      expect.objectContaining({ resource: 'a.toml', reason: expect.stringMatching(/^is no TOML: line 2/) }),
      expect.objectContaining({
        resource: 'z.toml',
        reason: expect.stringMatching(/^dest: .*\/z is the target of c\.toml already$/),
      }),
    ])
    expect(content('z')).toBe('fine')
  })

  it('SY-RES-1 SY-RES-2 files below, hidden ones and linked ones count; volumes, folders and dangling links do not', async () => {
    const found = await once({ conf: {}, templates: { z: 'fine' } })
    const { sync, lay, layResource, folder } = found
    layResource('sub/one.toml', 'src = "z"\ndest = "OUT/1"')
    layResource('.twotoml', 'src = "z"\ndest = "OUT/2"')
    layResource('..data/a.toml', 'src = ')
    layResource('..a.toml', 'src = ')
    layResource('no.tml', 'src = ')
    lay('elsewhere', `[template]\nsrc = "z"\ndest = "${found.path('3')}"`)
    mkdirSync(`${folder}/conf.d/folder.toml`)
    symlinkSync(`${folder}/elsewhere`, `${folder}/conf.d/three.toml`)
    symlinkSync('/nowhere', `${folder}/conf.d/gone.toml`)
    expect(await sync.start()).toBe(0)
    expect(readdirSync(found.out)).toEqual(['.keep', '1', '2', '3'])
  })
})

it('SY-TEST-5 a confdir that is a mounted ConfigMap is loaded once', async () => {
  const { sync, layResource, folder, said } = await once({ conf: {} })
  layResource('..2026/a.toml', `${ONE['a.toml']}reload_cmd = "echo once >> OUT/log"`)
  symlinkSync('..2026', `${folder}/conf.d/..data`)
  symlinkSync('..data/a.toml', `${folder}/conf.d/a.toml`)
  expect(await sync.start()).toBe(0)
  expect(said()).toEqual(['once'])
})

describe('what a run ends with when there is nothing to do', () => {
  it('SY-EXIT-5 without its confdir, 1', async () => {
    const { sync, lines } = await once({ args: ['-confdir', '/nowhere'] })
    expect(await sync.start()).toBe(1)
    expect(lines).toContainEqual(expect.objectContaining({ path: '/nowhere', msg: 'the confdir is missing' }))
  })
  it('SY-EXIT-6 without conf.d, 1', async () => {
    const { sync, folder } = await once()
    const bare = `${folder}/templates`
    expect(existsSync(bare)).toBe(true)
    const { sync: other } = await once({ args: ['-confdir', bare] })
    expect(await other.start()).toBe(1)
    expect(await sync.start()).toBe(0)
  })
  it('SY-EXIT-7 without a resource, 0 and a warning', async () => {
    const { sync, lines } = await once({ conf: {} })
    expect(await sync.start()).toBe(0)
    expect(lines.map(({ msg }) => msg)).toEqual(['conf.d has no resource'])
  })
})

describe('SY-EXIT-8 a store that is away', () => {
  it('is asked again for a while, then it ends with 1 and the target is as before', async () => {
    const store = aStore()
    store.broken = new Fault('STORE_UNREACHABLE', 'no route')
    const { sync, out } = await once({ store, args: ['-backend-timeout', '300ms'] })
    expect(await sync.start()).toBe(1)
    expect(store.reads.length).toBeGreaterThan(1)
    expect(readdirSync(out)).toEqual(['.keep'])
  })
  it('one that refuses is not asked again', async () => {
    const store = aStore()
    store.broken = new Fault('STORE_REFUSED', 'wrong password')
    const { sync } = await once({ store })
    expect(await sync.start()).toBe(1)
    expect(store.reads).toHaveLength(1)
  })
})
