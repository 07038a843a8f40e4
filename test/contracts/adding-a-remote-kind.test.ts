import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { copyOfRepository, pageParts } from './page-copy.ts'

const { text: PAGE, files: FILES, printing, status } = pageParts('docs/adding-a-remote-kind.md')
const [, contract = '', row = ''] = /^`CONTRACT` in `(\S+)`:\n\n```ts\n([\s\S]*?)```/m.exec(PAGE) ?? []
const [, table = '', right = ''] = /at the head of `(\S+)`, .*:\n\n```md\n([\s\S]*?)```/.exec(PAGE) ?? []
const [, scoped = '', list = '', builder = ''] = /`('\w+')` stands in `(\w+)` of\n`(\S+)`/.exec(PAGE) ?? []
const LINES = [...PAGE.matchAll(/^\| `(\S+)` \| `(.*?)` \| `(.*)` \|$/gm)].map(
  ([, path = '', below = '', line = '']) => ({
    path,
    below: `${below}\n`,
    line: `${line}\n`,
  }),
)

const OF_ALL_KINDS = [
  ...['access-group', 'engine/contract', 'engine/foreign', 'engine/killed'].map(
    (name) => `test/webhooks/cloudflare/${name}.test.ts`,
  ),
  ...['cloudflare-page', 'imports', 'kinds', 'prints', 'rights', 'sizes', 'type-names'].map(
    (name) => `test/contracts/${name}.test.ts`,
  ),
]

/** A reader who follows the page in this repository has its files already, and `npm test` runs what they hold. */
describe.skipIf(existsSync('webhooks/cloudflare/accessgroup'))('docs/adding-a-remote-kind.md, done in a copy', () => {
  const { read, write, edit, shell, committed, tested } = copyOfRepository()

  it('each line has its place', async () => {
    await committed()
    for (const { path, code } of FILES) write(path, code)
    for (const { path, below, line } of LINES) {
      expect(read(path).split(below), below).toHaveLength(2)
      edit(path, (text) => text.replace(below, () => below + line))
    }
    edit(contract, (text) => text.replace(/^export const CONTRACT.*\n/m, (head) => head + row))
    edit(table, (text) => text.replace(/^\|(---\|)+\n/m, (head) => head + right))
    edit(builder, (text) => text.replace(`const ${list} = [`, (head) => `${head}${scoped}, `))
    expect(read(builder)).toContain(`[${scoped}, `)
    expect(read(contract)).toContain(row)
  }, 60_000)

  it('it formats, prints and checks well, and what has changed is what the page says: nothing in src', async () => {
    expect(await shell(`(${printing}) 2>&1 && echo all is well`)).toMatch(/all is well\n$/)
    expect(await shell('git status --short')).toBe(status)
    expect(status).not.toMatch(/ src\/| webhooks\/cloudflare\/engine/)
    for (const { path, code } of FILES) expect(read(path)).toBe(code)
  }, 300_000)

  it('what holds for all kinds of Cloudflare holds for it', async () => {
    const covered = ['--coverage', '--coverage.include=webhooks/cloudflare/accessgroup/**']
    const summary = await tested(...OF_ALL_KINDS, ...covered)
    expect(summary).toMatch(/Tests +\d+ passed \(\d+\)/)
    expect(summary).toMatch(/Functions +: 100% .*\nLines +: 100% /)
  }, 300_000)
})
