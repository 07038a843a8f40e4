import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { realHost } from '../../../../src/sync/host/real-host.ts'
import { once, reasonsIn, withLines } from '../../../support/sync/once.ts'

describe('commands that misbehave', () => {
  it('SY-FAIL-9 one that hangs is ended, with all that it started', async () => {
    const more = 'check_cmd = "sleep 60 & echo $! > OUT/pid; wait"\ncheck_cmd_timeout = "300ms"'
    const { sync, lines, content } = await once({ conf: withLines(more) })
    expect(await sync.start()).toBe(1)
    expect(lines).toContainEqual(
      expect.objectContaining({ reason: 'check_cmd: Config check failed: it took longer than its timeout of 300 ms' }),
    )
    expect(stateOf(content('pid').trim())).toMatch(/^[ZX]?$/)
  })

  it.each([
    { name: 'one that is killed', command: 'kill -9 $$', why: /it was ended by SIGKILL$/ },
    { name: 'one that there is not', command: '/nowhere', why: /it ended with code 127$/ },
  ])('$name', async ({ command, why }) => {
    const { sync, lines } = await once({ conf: withLines(`reload_cmd = "${command}"`) })
    expect(await sync.start()).toBe(1)
    expect(lines).toContainEqual(expect.objectContaining({ reason: expect.stringMatching(why) }))
  })

  it('a program of a list that there is not', async () => {
    const { sync, lines } = await once({ conf: withLines('check_cmd = ["/nowhere"]') })
    expect(await sync.start()).toBe(1)
    expect(lines).toContainEqual(
      expect.objectContaining({
        reason: expect.stringContaining('it cannot be run: there is no such program (ENOENT)'),
      }),
    )
  })

  it('one that floods its output: the last 64 KiB are kept', async () => {
    const { sync, lines } = await once({ conf: withLines('check_cmd = "yes word | head -c 3000000; echo end; false"') })
    expect(await sync.start()).toBe(1)
    const [{ output = '' } = {}] = lines.filter(({ msg }) => msg === 'pass has failed')
    expect(String(output)).toHaveLength(65_536)
    expect(String(output)).toMatch(/word\nend\n$/)
  })

  it('one that leaves a program running does not hold it up', async () => {
    const { sync, content } = await once({ conf: withLines('reload_cmd = "sleep 5 & echo $! > OUT/pid"') })
    const from = performance.now()
    expect(await sync.start()).toBe(0)
    expect(performance.now() - from).toBeLessThan(4_000)
    process.kill(Number(content('pid')))
  })

  it('SY-FAIL-10 a path that a shell would read as more than a path is refused before anything runs', async () => {
    const resource = (more: string) => ({ 'a.toml': `src = "a"\ndest = "OUT/a;touch x"\nkeys = ["/k"]\n${more}` })
    const wrong = await once({ conf: resource('check_cmd = "cat {{.src}}"') })
    expect(await wrong.sync.start()).toBe(1)
    expect(wrong.lines).toContainEqual(
      expect.objectContaining({
        reason: expect.stringMatching(/^check_cmd: a shell would not take the path as it is/),
      }),
    )
    const right = await once({ conf: resource('check_cmd = ["cat", "{{.src}}"]') })
    expect(await right.sync.start()).toBe(0)
  })

  it.each([
    {
      name: 'an empty program',
      lines: 'check_cmd = [""]',
      why: /^check_cmd: its first word is empty; name a program$/,
    },
    {
      name: 'a word of more than 128 KiB',
      lines: `reload_cmd = ["true", "${'x'.repeat(131_072)}"]`,
      why: /^reload_cmd: it has a word of more than 131071 bytes, .*; put it into a file$/,
    },
    {
      name: 'a text of more than 128 KiB',
      lines: `check_cmd = "true ${'x'.repeat(131_072)}"`,
      why: /^check_cmd: it has a word of more than 131071 bytes/,
    },
    { name: 'a NUL in a word', lines: 'check_cmd = ["true", "\\u0000"]', why: /^check_cmd: it has a NUL/ },
  ])('$name is refused by its file and key, and the others go on', async ({ lines: more, why }) => {
    const conf = { ...withLines(more), 'b.toml': 'src = "a"\ndest = "OUT/b"\nkeys = ["/k"]' }
    const { sync, lines, content } = await once({ conf })
    expect(await sync.start()).toBe(1)
    expect(reasonsIn(lines, 'resource file cannot be used')).toEqual([expect.stringMatching(why)])
    expect([content('a.conf'), content('b')]).toEqual(['(missing)', 'v=1\n'])
  })

  it.each([
    { name: 'more words than the system takes', command: Array(80).fill('x'.repeat(100_000)) },
    { name: 'a program without a name', command: [''] },
    { name: 'a NUL', command: ['true', '\0'] },
  ])('$name: it fails, and throws nothing', async ({ command }) => {
    const { signal } = new AbortController()
    const why = expect.stringMatching(/^cannot be run: /)
    expect(await realHost.run(command, { timeoutMs: 1_000, env: {}, signal })).toEqual({ ok: false, why, output: '' })
  })

  it.each([
    { name: 'a path that there is not', command: 'echo {{.name}}', why: 'map has no entry for key "name"' },
    { name: '{{ that is no template', command: 'echo {{', why: 'template: command:1: unclosed action' },
    { name: 'SY-FAIL-10 a function of confd', command: 'echo {{getv .src}}', why: 'function "getv" not defined' },
    { name: 'a template without an end', command: '{{range 9000000}}{{end}}', why: 'more than 10000 steps' },
    {
      name: 'more than a command line takes',
      command: '{{printf "%9999d%9999d" 1 1}}'.repeat(7),
      why: 'more than 131071',
    },
    { name: 'a NUL', command: 'echo {{"\\u0000"}}', why: 'it has a NUL, which no command line can' },
  ])('$name is refused by its file and key, in one line', async ({ command, why }) => {
    const { sync, lines, content } = await once({ conf: withLines(`reload_cmd = '${command}'`) })
    expect(await sync.start()).toBe(1)
    const refused = lines.filter(({ msg }) => msg === 'resource file cannot be used')
    expect(refused).toEqual([expect.objectContaining({ resource: 'a.toml', reason: expect.stringContaining(why) })])
    expect(refused[0]?.reason).toMatch(/^reload_cmd: [^\n]+$/)
    expect(content('a.conf')).toBe('(missing)')
  })
})

/** Empty for a process that is gone; Z for one that has ended and that nobody has asked for. */
function stateOf(pid: string): string {
  const stat = `/proc/${pid}/stat`
  return existsSync(stat) ? (readFileSync(stat, 'utf8').split(') ')[1] ?? '').slice(0, 1) : ''
}
