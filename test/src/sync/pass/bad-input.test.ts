import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import { once, reasonsIn } from '../../../support/sync/once.ts'

const BESIDE = { 'a-first.toml': 'src = "z"\ndest = "OUT/first"', 'z-last.toml': 'src = "z"\ndest = "OUT/last"' }
const TEMPLATES = { a: 'v={{getv "/k"}}\n', z: 'fine' }
const LEAST = 'src = "a"\ndest = "OUT/a.conf"\nkeys = ["/k"]\n'

/** One pass of a resource with others before and after it. */
async function beside(resource: string, more: Parameters<typeof once>[0] = {}) {
  const found = await once({ conf: { ...BESIDE, 'm.toml': resource }, templates: TEMPLATES, ...more })
  const { sync, content, lines, path } = found
  writeFileSync(path('a.conf'), 'last good')
  expect(await sync.start()).toBe(1)
  expect([content('first'), content('last')]).toEqual(['fine', 'fine'])
  return { ...found, errors: lines.filter(({ level }) => level === 'error') }
}

describe('SY-EXIT-3 a resource file that cannot be used is named, with the key and the remedy; the others are passed', () => {
  it.each([
    { name: 'no TOML', resource: 'src = [', why: /^is no TOML: line \d+, column \d+: / },
    { name: 'no src', resource: 'dest = "OUT/x"', why: /^src: empty src template; name a file of templates$/ },
    { name: 'no dest', resource: 'src = "a"', why: /^dest: it is empty; name the file to write$/ },
    { name: 'a wrong mode', resource: `${LEAST}mode = "rw-r--r--"`, why: /^mode: it takes an octal number.* "0644"$/ },
    { name: 'a number for mode', resource: `${LEAST}mode = 420`, why: /^mode: it takes a string, such as .*"0644"$/ },
    ...['owner', 'group', 'min_reload_interval', 'group_commit', 'rollback', 'backup', 'raw_key'].map((key) => ({
      name: `${key}, which is for later`,
      resource: `${LEAST}${key} = true`,
      why: new RegExp(`^${key} is not supported yet: leave it out$`),
    })),
    {
      name: 'a check with {{',
      resource: `${LEAST}check_cmd = "a {{"`,
      why: /^check_cmd: template: .*unclosed action; a {{ that the command itself is to see is written /,
    },
    {
      name: 'a reload with {{',
      resource: `${LEAST}reload_cmd = ["{{.x}}"]`,
      why: /^reload_cmd: .*no entry for key "x"$/,
    },
    {
      name: 'the target of another',
      resource: 'src = "z"\ndest = "OUT/./first"',
      why: /^dest: \S+\/first is the target of a-first\.toml already$/,
    },
  ])('$name', async ({ resource, why }) => {
    const { errors, content } = await beside(resource)
    expect(errors).toEqual([expect.objectContaining({ resource: 'm.toml', reason: expect.stringMatching(why) })])
    expect(content('a.conf')).toBe('last good')
  })
})

describe('SY-FAIL-11 a pass that fails names its resource, the file or key, and the remedy; the others are passed', () => {
  it.each([
    {
      name: 'a check that hangs',
      more: 'check_cmd = "sleep 60"\ncheck_cmd_timeout = "200ms"',
      why: /^check_cmd: .* timeout of 200 ms$/,
    },
    {
      name: 'a check that floods',
      more: 'check_cmd = "yes secret | head -c 9000000; exit 4"',
      why: /^check_cmd: .* code 4$/,
    },
    { name: 'a check that is killed', more: 'check_cmd = "kill -9 $$"', why: /^check_cmd: .* ended by SIGKILL$/ },
    { name: 'a check that there is not', more: 'check_cmd = ["/no"]', why: /^check_cmd: .*no such program .*name it/ },
  ])('$name', async ({ more, why }) => {
    const { errors, content } = await beside(LEAST + more)
    expect(errors).toEqual([expect.objectContaining({ resource: 'm.toml', reason: expect.stringMatching(why) })])
    expect(content('a.conf')).toBe('last good')
  })

  it.each([
    { name: 'hangs', more: 'reload_cmd = "sleep 60"\nreload_cmd_timeout = "200ms"', why: /timeout of 200 ms$/ },
    { name: 'floods', more: 'reload_cmd = "yes secret | head -c 9000000; exit 4"', why: /ended with code 4$/ },
    { name: 'is killed', more: 'reload_cmd = "kill -9 $$"', why: /was ended by SIGKILL$/ },
    {
      name: 'there is not',
      more: 'reload_cmd = ["/no"]',
      why: /there is no such program \(ENOENT\); name it with its path$/,
    },
  ])('a reload that $name', async ({ more, why }) => {
    const { lines, content } = await beside(LEAST + more)
    expect(reasonsIn(lines, 'reload has failed')).toEqual([expect.stringMatching(/^reload_cmd: it /)])
    expect(reasonsIn(lines, 'reload has failed')).toEqual([expect.stringMatching(why)])
    expect(content('a.conf')).toBe('v=1\n')
  })

  it.each([
    { name: 'a device', dest: '/dev/null', why: /^\/dev\/null is no regular file; dest names one$/ },
    { name: 'of a name that is too long', dest: `OUT/${'x'.repeat(300)}`, why: /\(ENAMETOOLONG\)/ },
  ])('a target that is $name', async ({ dest, why }) => {
    const { errors } = await beside(`src = "a"\ndest = "${dest}"\nkeys = ["/k"]`)
    expect(errors).toEqual([expect.objectContaining({ resource: 'm.toml', reason: expect.stringMatching(why) })])
  })

  it.each([
    { code: 'EACCES', why: /may not write in its folder \(EACCES\); give it the right, or name another dest$/ },
    { code: 'EROFS', why: /its file system is read-only \(EROFS\); name another dest$/ },
    { code: 'ENOSPC', why: /its file system is full \(ENOSPC\); make room$/ },
  ])('SY-TEST-4 a target whose folder refuses with $code', async ({ code, why }) => {
    const create: typeof realFiles.create = (path, ...given) =>
      path.includes('.a.conf.')
        ? Promise.reject(Object.assign(new Error(), { code }))
        : realFiles.create(path, ...given)
    const { errors, content } = await beside(LEAST, { host: { files: { ...realFiles, create } } })
    expect(errors).toEqual([expect.objectContaining({ resource: 'm.toml', reason: expect.stringMatching(why) })])
    expect(content('a.conf')).toBe('last good')
  })
})
