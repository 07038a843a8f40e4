import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shownOutput } from '../../../../src/sync/pass/shown-output.ts'
import { aStore, once, withLines } from '../../../support/sync/once.ts'

const SECRET = 's3cretWord'

describe('SY-FAIL-12 SY-CLI-13 no value reaches a log, at any level', () => {
  it.each([
    { name: 'a pass that works', conf: withLines('reload_cmd = "cat OUT/a.conf"'), template: 'v={{getv "/k"}}' },
    {
      name: 'a check that quotes it',
      conf: withLines('check_cmd = "cat {{.src}}; false"'),
      template: 'v={{getv "/k"}}',
    },
    {
      name: 'a reload that quotes a part of it',
      conf: withLines('reload_cmd = "cut -c1-12 OUT/a.conf; false"'),
      template: '{{getv "/k"}} x',
    },
    { name: 'a function that fails on it', conf: undefined, template: '{{atoi (getv "/k")}}' },
    { name: 'JSON that is none', conf: undefined, template: '{{json (getv "/k")}}' },
    { name: 'a range over it', conf: undefined, template: '{{range getv "/k"}}{{end}}' },
    { name: 'a field of it', conf: undefined, template: '{{(getv "/k").x}}' },
    { name: 'a target that differs', conf: withLines('mode = "0600"'), template: 'v={{getv "/k"}}' },
  ])('$name', async ({ conf, template }) => {
    const laid = { store: aStore({ '/k': SECRET }), templates: { a: template } }
    const { sync, path, lines } = await once(conf === undefined ? laid : { ...laid, conf })
    writeFileSync(path('a.conf'), `old ${SECRET}`)
    await sync.start()
    expect(lines.length).toBeGreaterThan(0)
    expect(JSON.stringify(lines)).not.toContain(SECRET)
  })
})

describe('SY-FAIL-12 of what a failed command wrote, words that the operator has not written are left out', () => {
  const MARKER = 'hunter In 77\n!$Zq"\\'
  it.each([
    { name: 'as it is', command: 'cat {{.src}}' },
    { name: 'its middle', command: 'cut -c2-5 {{.src}}' },
    { name: 'a letter a line', command: 'fold -w1 {{.src}}' },
    { name: 'two letters a line', command: 'fold -w2 {{.src}}' },
    { name: 'backwards', command: 'rev {{.src}}' },
    { name: 'in upper case', command: 'tr a-z A-Z < {{.src}}' },
    { name: 'each letter by another', command: 'tr a-z b-za < {{.src}}' },
    { name: 'base64', command: 'base64 -w 6 {{.src}}' },
    { name: 'hexadecimal numbers', command: 'od -An -tx1 {{.src}}' },
    { name: 'octal numbers and letters', command: 'od -c {{.src}}' },
    { name: 'of a URL', command: 'od -An -v -tx1 {{.src}} | tr " " %' },
    { name: 'of JSON', command: "od -An -v -tx1 {{.src}} | sed 's/ / u00/g' | tr ' ' '\\\\'" },
    { name: 'as a path', command: 'printf "{{.src}}/"; tr -d "[:space:]" < {{.src}}' },
    { name: 'as the number of a line', command: 'printf "{{.src}}:"; tr -cd 7 < {{.src}}' },
  ])('$name', async ({ command }) => {
    const more = `check_cmd = ${JSON.stringify(`${command}; false`)}`
    const { sync, lines } = await once({ conf: withLines(more), store: aStore({ '/k': MARKER }) })
    expect(await sync.start()).toBe(1)
    const [{ output = '' } = {}] = lines.filter(({ msg }) => msg === 'pass has failed')
    expect(output).toContain('…')
    expect(String(output).replaceAll(/\/\S*\/\.a\.conf\.[\da-f]{12}/g, '')).toMatch(/^["'`()[\]{}<>:;,./=|…\s-]*$/)
  })

  const rendered = 'proxy_pass http://backend;\nlisten 8080;\nserver hunter22 in;\n'
  const known = {
    written: ['proxy_pass http://backend; listen 8080; server {{x}};', 'nginx -t -c /out/.a.conf.1'],
    paths: ['/out/.a.conf.1', '/out/a.conf'],
    rendered,
  }
  it.each([
    {
      name: 'a directive that is none, and its line',
      said: 'nginx: [emerg] unknown directive "hunter22" near "proxy_pass" at /out/.a.conf.1:3\n',
      shown: 'nginx: [emerg] unknown directive "…" near "proxy_pass" at /out/.a.conf.1:3\n',
    },
    {
      name: 'a word of diagnostics that a value has a part in',
      said: 'unexpected "in" in /out/a.conf: line 3: 8080',
      shown: 'unexpected "…" … /out/a.conf: line 3: 8080',
    },
    { name: 'a line that the file has not', said: '/out/a.conf:22: bad', shown: '/out/a.conf:…: bad' },
    { name: 'a path that is longer', said: '/out/a.conf2 /out/a.confx', shown: '/out/… /out/…' },
    { name: 'marks that are part of a secret', said: 'p@ss"w0rd!', shown: '…' },
    { name: 'rows and lines of secrets', said: 'x y\nz\n\t#\nerror: x, y', shown: '…\n\t…\nerror: …, …' },
  ])('$name', ({ said, shown }) => {
    expect(shownOutput(said, known)).toBe(shown)
  })

  it('of a file that cannot be read, or is too large, no more than what the operator has written', () => {
    expect(shownOutput('unknown proxy_pass', { ...known, rendered: undefined })).toBe('… proxy_pass')
  })

  it('what a hostile command writes takes linear time', () => {
    const output = `${'…"'.repeat(10_000)}${'a_'.repeat(10_000)}${' error'.repeat(4_000)}`
    const shown = shownOutput(output, { ...known, rendered: 'x'.repeat(1_000_000) })
    expect(shown).toMatch(/^….{0,60}( error){4000}$/)
  })
})
