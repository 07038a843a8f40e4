import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { outputWithout } from '../../../../src/sync/pass/output-without.ts'
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

  it('what a command wrote keeps the words of the template and its own', () => {
    const output = 'nginx: [emerg] unknown directive "hunter22" in /out/.a.conf:3'
    expect(outputWithout(output, ['password hunter22 nginx'], ['nginx -t -c /out/.a.conf'])).toBe(
      'nginx: [emerg] unknown directive "…" in /out/.a.conf:3',
    )
  })
})
