import { chmodSync, chownSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import type { FakeStore } from '../../../support/fakes/store.ts'
import { aStore, ONE, once, reasonsIn, TEMPLATES, withLines } from '../../../support/sync/once.ts'
import { aSync } from '../../../support/sync/running.ts'

describe('one pass writes what the store says', () => {
  it('SY-EXIT-1 SY-PIPE-9 the target appears with mode 0644, and nothing beside it', async () => {
    const { sync, out, content, path } = await once()
    expect(await sync.start()).toBe(0)
    expect(content('a.conf')).toBe('v=1\n')
    expect(statSync(path('a.conf')).mode & 0o7777).toBe(0o644)
    expect(readdirSync(out)).toEqual(['.keep', 'a.conf'])
  })

  it('SY-SEED-4 the mode is the one that is asked for, whatever the umask is', async () => {
    const { sync, path } = await once({ conf: withLines('mode = "0666"') })
    expect(await sync.start()).toBe(0)
    expect(statSync(path('a.conf')).mode & 0o7777).toBe(0o666)
  })

  it('SY-PIPE-2 all resources share one read', async () => {
    const store = aStore({ '/k': '1', '/other/b': '2' })
    const conf = { ...ONE, 'b.toml': 'src = "b"\ndest = "OUT/b"\nkeys = ["/other"]' }
    const { sync, content } = await once({ conf, store, templates: { ...TEMPLATES, b: '{{getv "/other/b"}}' } })
    expect(await sync.start()).toBe(0)
    expect(store.reads).toEqual([
      [
        { path: '/k', childrenOnly: false },
        { path: '/other', childrenOnly: false },
      ],
    ])
    expect(content('b')).toBe('2')
  })

  it('SY-PIPE-3 a template sees its own keys alone, without the prefix', async () => {
    const store = aStore({ '/p/k': '1', '/p/kk': '2', '/k': '3' })
    const templates = { a: '{{range ls "/"}}{{.}} {{end}}{{getv "/k"}}' }
    const { sync, content } = await once({ store, templates, args: ['-prefix', '/p'] })
    expect(await sync.start()).toBe(0)
    expect(content('a.conf')).toBe('k 1')
  })

  it('values that are no UTF-8, and one of 8 MB, arrive byte by byte', async () => {
    const store = aStore({ '/k': `\x00\xff${'x'.repeat(8_000_000)}` })
    const { sync, path } = await once({ store })
    expect(await sync.start()).toBe(0)
    const bytes = await realFiles.read(path('a.conf'))
    expect(bytes?.subarray(0, 5)).toEqual(Buffer.from([0x76, 0x3d, 0x00, 0xff, 0x78]))
    expect(bytes).toHaveLength(8_000_005)
  })
})

describe('SY-PIPE-1 and SY-PIPE-6 what is there is compared with what is to be there', () => {
  it.each([
    { name: 'all the same', mode: 0o644, lines: '', content: 'v=1\n', differs: [] },
    { name: 'the mode of an existing target stays', mode: 0o600, lines: '', content: 'v=1\n', differs: [] },
    {
      name: 'another mode',
      mode: 0o600,
      lines: 'mode = "0640"',
      content: 'v=1\n',
      differs: ['has mode 0600, should be 0640'],
    },
    { name: 'other bytes', mode: 0o640, lines: '', content: 'v=2\n', differs: ['has other content'] },
    { name: 'another length', mode: 0o640, lines: '', content: '', differs: ['has other content'] },
  ])('$name', async ({ mode, lines, content, differs }) => {
    const found = await once({ conf: withLines(lines) })
    writeFileSync(found.path('a.conf'), content)
    chmodSync(found.path('a.conf'), mode)
    const before = statSync(found.path('a.conf')).ino
    expect(await found.sync.start()).toBe(0)
    expect(reasonsIn(found.lines, 'target is out of sync')).toEqual(differs)
    const after = statSync(found.path('a.conf'))
    expect(after.ino === before).toBe(differs.length === 0)
    expect(after.mode & 0o7777).toBe(lines === '' ? mode : 0o640)
  })

  it.runIf(process.getuid?.() === 0)('another owner is set right, and given to uid and gid', async () => {
    const { sync, path, lines } = await once({ conf: withLines('uid = 1234\ngid = 1235') })
    writeFileSync(path('a.conf'), 'v=1\n')
    chownSync(path('a.conf'), 99, 98)
    expect(await sync.start()).toBe(0)
    expect(statSync(path('a.conf'))).toMatchObject({ uid: 1234, gid: 1235 })
    expect(reasonsIn(lines, 'target is out of sync')).toEqual([
      'has uid 99, should be 1234, has gid 98, should be 1235',
    ])
  })

  it('SY-PIPE-5 SY-FAIL-13 what cannot be given away is an error, and nothing is swapped', async () => {
    const files = { ...realFiles, create: () => Promise.reject(Object.assign(new Error(), { code: 'EPERM' })) }
    const { sync, out, lines } = await once({ conf: withLines('uid = 1'), host: { files } })
    expect(await sync.start()).toBe(1)
    expect(readdirSync(out)).toEqual(['.keep'])
    expect(reasonsIn(lines, 'pass has failed')).toEqual([expect.stringContaining('may not give it to uid and gid')])
  })
})

describe('SY-PIPE-8 the check looks at the stage file before it goes live', () => {
  it('it is told the paths, in its words and in its environment', async () => {
    const check = `check_cmd = "grep -q v=1 {{.src}} && test \\"$CONFD_SRC\\" = {{.src}} && echo {{.dest}} $CONFD_DEST > OUT/log"`
    const { sync, said, path } = await once({ conf: withLines(check) })
    expect(await sync.start()).toBe(0)
    expect(said()).toEqual([`${path('a.conf')} ${path('a.conf')}`])
  })

  it('it is a template of the functions of Go, each word of a list too', async () => {
    const text = `check_cmd = '{{if eq .dest "OUT/a.conf"}}grep -q {{"v=1" | print}} {{printf "%q" .src}}{{else}}false{{end}}'`
    const { sync, said } = await once({
      conf: withLines(`${text}\nreload_cmd = ["sh", "-c", 'echo "$1" >> OUT/log', "", '{{len .dest}} {{"{{"}}']`),
    })
    expect(await sync.start()).toBe(0)
    expect(said()).toEqual([expect.stringMatching(/^\d+ \{\{$/)])
  })

  it('a list runs without a shell', async () => {
    const { sync } = await once({ conf: withLines('check_cmd = ["grep", "-q", "v=1", "{{.src}}"]') })
    expect(await sync.start()).toBe(0)
  })

  it('what it refuses never goes live: the target, its inode and no stage file stay; its words are logged', async () => {
    const { sync, path, content, out, lines } = await once({ conf: withLines('check_cmd = "echo no good; exit 3"') })
    writeFileSync(path('a.conf'), 'old')
    const { ino } = statSync(path('a.conf'))
    expect(await sync.start()).toBe(1)
    expect(content('a.conf')).toBe('old')
    expect(statSync(path('a.conf')).ino).toBe(ino)
    expect(readdirSync(out)).toEqual(['.keep', 'a.conf'])
    expect(lines).toContainEqual(
      expect.objectContaining({ reason: 'check_cmd: Config check failed: it ended with code 3', output: 'no good\n' }),
    )
  })

  it('it does not run on a target that is in sync', async () => {
    const { sync, path } = await once({ conf: withLines('check_cmd = "false"') })
    writeFileSync(path('a.conf'), 'v=1\n')
    expect(await sync.start()).toBe(0)
  })
})

describe('SY-PIPE-11 the reload runs after the swap, and only then', () => {
  const reload = 'reload_cmd = "cat {{.src}} >> OUT/log"'
  it('once, on the new target', async () => {
    const { sync, said } = await once({ conf: withLines(reload) })
    expect(await sync.start()).toBe(0)
    expect(said()).toEqual(['v=1'])
  })

  it('not when nothing changes', async () => {
    const { sync, said, path } = await once({ conf: withLines(reload) })
    writeFileSync(path('a.conf'), 'v=1\n')
    expect(await sync.start()).toBe(0)
    expect(said()).toEqual([])
  })

  it('SY-FAIL-8 one that fails is owed: the next run makes up for it without a change', async () => {
    const conf = withLines('reload_cmd = "test -e OUT/well && echo done >> OUT/log"')
    const store = aStore()
    const first = await once({ conf, store })
    expect(await first.sync.start()).toBe(1)
    expect(readdirSync(first.out)).toEqual(['.a.conf.reload', '.keep', 'a.conf'])
    first.lay('out/well', '')
    const { sync: second } = await again(first.folder, store)
    expect(await second.start()).toBe(0)
    expect(first.said()).toEqual(['done'])
    expect(readdirSync(first.out)).toEqual(['.keep', 'a.conf', 'log', 'well'])
  })

  it('SY-FAIL-9 identical reloads of several resources run once, one that looks at CONFD_DEST once for each', async () => {
    const conf = {
      'a.toml': `${ONE['a.toml']}reload_cmd = "echo all >> OUT/log"`,
      'b.toml': 'src = "a"\ndest = "OUT/b"\nkeys = ["/k"]\nreload_cmd = "echo all >> OUT/log"',
      'c.toml': 'src = "a"\ndest = "OUT/c"\nkeys = ["/k"]\nreload_cmd = "basename $CONFD_DEST >> OUT/log"',
      'd.toml': 'src = "a"\ndest = "OUT/d"\nkeys = ["/k"]\nreload_cmd = "basename $CONFD_DEST >> OUT/log"',
    }
    const { sync, said } = await once({ conf })
    expect(await sync.start()).toBe(0)
    expect(said()).toEqual(['all', 'c', 'd'])
  })
})

/** Another run on the same folder. */
async function again(folder: string, store: FakeStore) {
  return aSync({ store, args: ['-onetime', '-confdir', folder] })
}

describe('modes of one pass', () => {
  it('SY-PIPE-7 noop says what would change and changes nothing, not even beside the target', async () => {
    const { sync, out, lines } = await once({ conf: withLines('reload_cmd = "touch OUT/log"'), args: ['-noop'] })
    expect(await sync.start()).toBe(0)
    expect(readdirSync(out)).toEqual(['.keep'])
    expect(lines.map(({ msg }) => msg)).toContain('noop: target would change')
  })

  it('sync-only writes, and runs neither check nor reload', async () => {
    const conf = withLines('check_cmd = "false"\nreload_cmd = "touch OUT/log"')
    const { sync, out } = await once({ conf, args: ['-sync-only'] })
    expect(await sync.start()).toBe(0)
    expect(readdirSync(out)).toEqual(['.keep', 'a.conf'])
  })

  it('SY-PIPE-12 keep-stage-file leaves what was rendered, also after a check that failed', async () => {
    const { sync, out, content } = await once({ conf: withLines('check_cmd = "false"'), args: ['-keep-stage-file'] })
    expect(await sync.start()).toBe(1)
    expect(readdirSync(out)).toEqual(['.a.conf.staged', '.keep'])
    expect(content('.a.conf.staged')).toBe('v=1\n')
  })

  it('SY-PIPE-12 stage files go when they are older than an hour, or of a process that runs no more', async () => {
    const { sync, out, lay, path } = await once({ host: { isOther: (pid) => pid === 7 } })
    const [old, ended, running] = ['.a.conf.000007aaaaaa', '.a.conf.000008aaaaaa', '.a.conf.000007bbbbbb']
    const others = ['.a.conf.x', '.b.conf.000008aaaaaa']
    for (const name of [old, ended, running, ...others]) lay(`out/${name}`, '')
    for (const name of [old, ...others]) utimesSync(path(name), 0, 0)
    expect(await sync.start()).toBe(0)
    expect(readdirSync(out).sort()).toEqual([running, ...others, '.keep', 'a.conf'].sort())
  })
})
