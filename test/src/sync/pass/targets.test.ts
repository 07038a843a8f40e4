import { lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import { once, reasonsIn, withLines } from '../../../support/sync/once.ts'

describe('targets that are not plain', () => {
  it('SY-PIPE-9 a link is replaced by a file, and what it names stays', async () => {
    const { sync, path, lay, content } = await once()
    lay('out/real', 'old')
    symlinkSync(path('real'), path('a.conf'))
    expect(await sync.start()).toBe(0)
    expect(lstatSync(path('a.conf')).isFile()).toBe(true)
    expect(content('real')).toBe('old')
  })

  it('SY-PIPE-10 one that is busy, as a mounted file is, is written in place, and it is said once', async () => {
    const busy = (_: string, to: string) =>
      to.endsWith('a.conf') ? Promise.reject(Object.assign(new Error(), { code: 'EBUSY' })) : Promise.resolve()
    const { sync, path, out, lines } = await once({
      conf: withLines('mode = "0600"'),
      host: { files: { ...realFiles, rename: busy } },
    })
    writeFileSync(path('a.conf'), 'longer than before\n')
    const { ino } = statSync(path('a.conf'))
    expect(await sync.start()).toBe(0)
    const after = statSync(path('a.conf'))
    expect(after.ino).toBe(ino)
    expect(after.size).toBe(4)
    expect(after.mode & 0o777).toBe(0o600)
    expect(readdirSync(out)).toEqual(['.keep', 'a.conf'])
    expect(lines.filter(({ msg }) => String(msg).includes('written in place'))).toHaveLength(1)
  })

  it.each([
    { name: 'the sync of its folder', by: 'rename' as const, code: 'EIO' },
    { name: 'the sync of a file that is written in place', by: 'overwrite' as const, code: 'EBUSY' },
  ])('SY-PIPE-9 SY-FAIL-8 $name may fail: the target is new, its reload runs, and it is said', async ({ by, code }) => {
    const files = { ...realFiles }
    files.rename = async (from, to) => {
      if (by === 'rename') await realFiles.rename(from, to)
      throw Object.assign(new Error(), { code })
    }
    files.overwrite = async (path, content, owner) => {
      await realFiles.overwrite(path, content, owner)
      throw Object.assign(new Error(), { code: 'EIO' })
    }
    const { sync, path, out, lines, said } = await once({
      conf: withLines('reload_cmd = "echo r >> OUT/log"'),
      host: { files },
    })
    writeFileSync(path('a.conf'), 'old')
    expect(await sync.start()).toBe(0)
    expect(said()).toEqual(['r'])
    expect(readdirSync(out)).toEqual(['.keep', 'a.conf', 'log'])
    expect(lines.filter(({ msg }) => String(msg).includes('cannot be synced'))).toHaveLength(1)
  })

  it.each([
    { name: 'a folder', dest: 'OUT/f', why: /\/f is a folder; dest names a file$/ },
    {
      name: 'below a file',
      dest: 'OUT/.keep/x',
      why: /\.keep\/x cannot be written: a part of its path is a file \(ENOTDIR\); name another dest$/,
    },
    {
      name: 'SY-PIPE-17 in a folder that is missing',
      dest: 'OUT/no/x',
      why: /its folder is missing \(ENOENT\); make it, or set create_dir = true$/,
    },
  ])('$name is an error of its resource, and the others go on', async ({ dest, why }) => {
    const conf = {
      'a.toml': `src = "a"\ndest = "${dest}"\nkeys = ["/k"]`,
      'b.toml': 'src = "a"\ndest = "OUT/b"\nkeys = ["/k"]',
    }
    const { sync, path, content, lines } = await once({ conf })
    mkdirSync(path('f'))
    expect(await sync.start()).toBe(1)
    expect(reasonsIn(lines, 'pass has failed')).toEqual([expect.stringMatching(why)])
    expect(content('b')).toBe('v=1\n')
  })

  it('SY-PIPE-17 create_dir makes the folders', async () => {
    const conf = { 'a.toml': 'src = "a"\ndest = "OUT/x/y/a"\nkeys = ["/k"]\ncreate_dir = true' }
    const { sync, content, path } = await once({ conf })
    expect(await sync.start()).toBe(0)
    expect(content('x/y/a')).toBe('v=1\n')
    expect(statSync(path('x')).mode & 0o777).toBe(0o755)
  })

  it('one that cannot be read counts as changed, and is replaced', async () => {
    const read = (path: string) =>
      path.endsWith('a.conf') ? Promise.reject(Object.assign(new Error(), { code: 'EACCES' })) : realFiles.read(path)
    const { sync, path, lines, content } = await once({ host: { files: { ...realFiles, read } } })
    writeFileSync(path('a.conf'), 'v=0\n')
    expect(await sync.start()).toBe(0)
    expect(JSON.stringify(lines)).toContain('has other content')
    expect(content('a.conf')).toBe('v=1\n')
  })

  it('one that cannot even be looked at is an error of its resource', async () => {
    const look = (path: string) =>
      path.endsWith('a.conf') ? Promise.reject(Object.assign(new Error(), { code: 'EACCES' })) : realFiles.look(path)
    const { sync, path, lines } = await once({ host: { files: { ...realFiles, look } } })
    expect(await sync.start()).toBe(1)
    expect(reasonsIn(lines, 'pass has failed')).toEqual([
      `${path('a.conf')} cannot be looked at: this user may not enter its folder (EACCES); give it the right, or name another dest`,
    ])
  })

  it('one that is read-only is replaced', async () => {
    const { sync, path, content } = await once()
    writeFileSync(path('a.conf'), 'old', { mode: 0o444 })
    expect(await sync.start()).toBe(0)
    expect(content('a.conf')).toBe('v=1\n')
  })
})
