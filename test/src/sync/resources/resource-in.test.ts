import { describe, expect, it } from 'vitest'
import { shownPath } from '../../../../src/sync/resources/paths.ts'
import { resourceIn } from '../../../../src/sync/resources/resource-in.ts'
import { optionsFor, type Situation } from '../options/settling.ts'

const LEAST = 'src = "a.tmpl"\ndest = "/out/a.conf"\n'

async function foundIn(template: string, situation: Situation = {}) {
  return resourceIn({ name: 'a.toml', text: `[template]\n${template}` }, await optionsFor(situation))
}
async function whyBroken(template: string) {
  const { resource } = await foundIn(template)
  return 'why' in resource ? resource.why : 'it is fine'
}
async function fieldsOf(template: string, situation?: Situation) {
  const { resource } = await foundIn(template, situation)
  if ('why' in resource) throw new Error(resource.why)
  return resource
}

describe('a resource file', () => {
  it('SY-RES-4 has one table; what is outside counts for nothing', async () => {
    const text = `x = 1\n[template]\n${LEAST}[other]\ny = 2\n`
    const { resource, warnings } = resourceIn({ name: 'a.toml', text }, await optionsFor({}))
    expect(resource).toMatchObject({ name: 'a.toml', dest: '/out/a.conf', keys: [], mode: undefined, prefix: '/' })
    expect(warnings).toEqual([])
  })

  it.each([
    { src: 'a.tmpl', path: '/etc/confd/templates/a.tmpl' },
    { src: 'sub/a.tmpl', path: '/etc/confd/templates/sub/a.tmpl' },
    { src: '/abs.tmpl', path: '/etc/confd/templates/abs.tmpl' },
    { src: '../out.tmpl', path: '/etc/confd/out.tmpl' },
  ])('SY-RES-3 src $src is $path', async ({ src, path }) => {
    expect((await fieldsOf(`src = "${src}"\ndest = "/x"`)).src).toBe(path)
  })

  it('a relative dest is below the working directory', async () => {
    expect((await fieldsOf('src = "a"\ndest = "x/../y"')).dest).toBe(`${process.cwd()}/y`)
  })

  it('-1 is no uid, and an empty command is none', async () => {
    const found = await fieldsOf(`${LEAST}uid = -1\ngid = 7\ncheck_cmd = ""\nreload_cmd = ["a", "b"]`)
    expect(found).toMatchObject({ uid: undefined, gid: 7, check: undefined })
    expect(found.reload).toEqual({ command: ['a', 'b'], timeoutMs: 60_000 })
  })

  it('its own durations win over the general ones', async () => {
    const own = 'check_cmd = "x"\ncheck_cmd_timeout = "1s"\ndebounce = 0\nstrict = true\ncreate_dir = true\n'
    const found = await fieldsOf(LEAST + own, { args: ['-check-cmd-timeout', '9s', '-debounce', '9s'] })
    expect(found).toMatchObject({ debounceMs: 0, strict: true, createDir: true })
    expect(found.check).toEqual({ command: 'x', timeoutMs: 1_000 })
  })
})

describe('a resource file that cannot be used says the key and the remedy', () => {
  it.each([
    { name: 'no TOML', template: 'src = ', why: /^is no TOML: line 2, column \d+: / },
    { name: 'no src', template: 'dest = "/x"', why: /^src: empty src template; name a file of templates$/ },
    { name: 'an empty dest', template: 'src = "a"\ndest = ""', why: /^dest: it is empty; name the file to write$/ },
    { name: 'a NUL in src', template: 'src = "a\\u0000"\ndest = "/x"', why: /^src: it has a NUL, which no path can$/ },
    { name: 'a NUL in dest', template: 'src = "a"\ndest = "/\\u0000"', why: /^dest: it has a NUL, which no path can$/ },
    {
      name: 'a number for mode',
      template: `${LEAST}mode = 420`,
      why: /^mode: it takes a string, such as mode = "0644"$/,
    },
    { name: 'a mode that is no TOML', template: `${LEAST}mode = 0644`, why: /^is no TOML: line 4, / },
    { name: 'a mode that is none', template: `${LEAST}mode = "rw"`, why: /^mode: it takes an octal number/ },
    { name: 'a mode with a sign', template: `${LEAST}mode = "-1"`, why: /^mode: it takes an octal number/ },
    { name: 'a mode of too many bits', template: `${LEAST}mode = "010000"`, why: /^mode: it has more bits than 07777/ },
    { name: 'keys that are no list', template: `${LEAST}keys = "/a"`, why: /^keys: it takes a list of strings$/ },
    { name: 'a uid that is no number', template: `${LEAST}uid = "root"`, why: /^uid: it takes an integer$/ },
    { name: 'a uid out of range', template: `${LEAST}uid = -2`, why: /^uid: it takes 0 to 4294967294$/ },
    {
      name: 'a check that may take no time',
      template: `${LEAST}check_cmd_timeout = 0`,
      why: /^check_cmd_timeout: it takes more than 0$/,
    },
    {
      name: 'a reload that may take no time',
      template: `${LEAST}reload_cmd_timeout = "0s"`,
      why: /^reload_cmd_timeout: it takes more than 0$/,
    },
    {
      name: 'an option of later',
      template: `${LEAST}rollback = true`,
      why: /^rollback is not supported yet: leave it out$/,
    },
    { name: 'several at once', template: 'uid = "a"\nowner = "b"', why: /^uid: .*; owner is .*; src: .*; dest: .*$/ },
  ])('$name', async ({ template, why }) => {
    expect(await whyBroken(template)).toMatch(why)
  })

  it.each(['', 'template = 1', '[[template]]'])('without its table: %s', async (text) => {
    const { resource } = resourceIn({ name: 'a', text }, await optionsFor({}))
    expect(resource).toEqual({ name: 'a', why: '[template] is missing' })
  })

  it('an unknown key is a warning', async () => {
    expect((await foundIn(`${LEAST}what = 1`)).warnings).toEqual(['unknown key "what": mend its name, or leave it out'])
  })
})

describe('SY-RES-8 mode is a literal whose prefix says the base', () => {
  it.each([
    { text: '0644', mode: 0o644 },
    { text: '0o600', mode: 0o600 },
    { text: '0x1A4', mode: 0o644 },
    { text: '0b110_000_000', mode: 0o600 },
    { text: '04755', mode: 0o755 },
    { text: '420', mode: 0o644, warns: 'mode: "420" is decimal and gives 0644; write "0420" for octal' },
    { text: '644', mode: 0o204, warns: 'mode: "644" is decimal and gives 0204; write "0644" for octal' },
    { text: '489', mode: 0o751 },
  ])('$text', async ({ text, mode, warns }) => {
    const { resource, warnings } = await foundIn(`${LEAST}mode = "${text}"`)
    expect(resource).toMatchObject({ mode })
    expect(warnings).toEqual(warns === undefined ? [] : [warns])
  })
})

describe('SY-RES-6 and SY-RES-7 prefix and keys', () => {
  const keyed = (own: string) => `${LEAST}prefix = "${own}"\nkeys = ["/k"]`
  it.each([
    { name: 'its own', own: 'app', args: [], path: '/app/k' },
    { name: 'the global one in its place', own: '/app', args: ['-prefix', 'all'], path: '/all/k' },
    { name: 'both when they are joined', own: '/app', args: ['-prefix', '/all', '-prefix-join'], path: '/all/app/k' },
    { name: 'a prefix that is not clean', own: '//a/./b//', args: [], path: '/a/b/k' },
    { name: 'none', own: '', args: [], path: '/k' },
  ])('$name', async ({ own, args, path }) => {
    expect((await fieldsOf(keyed(own), { args })).keys).toEqual([{ path, childrenOnly: false }])
  })

  it.each([
    { key: '/a', path: '/p/a', childrenOnly: false },
    { key: 'a', path: '/p/a', childrenOnly: false },
    { key: '/a/', path: '/p/a', childrenOnly: true },
    { key: '/', path: '/p', childrenOnly: false },
    { key: '', path: '/p', childrenOnly: false },
    { key: '/a/../b', path: '/p/b', childrenOnly: false },
    { key: '/é', path: '/p/Ã©', childrenOnly: false },
  ])('$key', async ({ key, path, childrenOnly }) => {
    expect((await fieldsOf(`${LEAST}prefix = "/p"\nkeys = ["${key}"]`)).keys).toEqual([{ path, childrenOnly }])
  })

  it.each([
    { prefix: '/', path: '/a/b', shown: '/a/b' },
    { prefix: '/app', path: '/app/a', shown: '/a' },
    { prefix: '/app', path: '/app', shown: '/' },
    { prefix: '/app', path: '/app//a/', shown: '/a' },
  ])('SY-RES-9 a template knows $path below $prefix as $shown', ({ prefix, path, shown }) => {
    expect(shownPath(prefix, path)).toBe(shown)
  })
})
