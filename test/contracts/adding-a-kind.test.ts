import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { copyOfRepository } from './page-copy.ts'

const PAGE = readFileSync('docs/adding-a-kind.md', 'utf8')
const FILES = [...PAGE.matchAll(/^`(\S+)`:\n\n```ts\n([\s\S]*?)```/gm)].map(([, path = '', code = '']) => ({
  path,
  code,
}))
const [, family = '', imports = ''] = /^The head of `(\S+)`:\n\n```ts\n([\s\S]*?)```/m.exec(PAGE) ?? []
const [, rightsTest = '', rights = ''] =
  /^`(\S+)`, in place of the line of TTemplates:\n\n```ts\n([\s\S]*?)```/m.exec(PAGE) ?? []
const LISTED = [...PAGE.matchAll(/`(\w+)` in `(\w+)`/g)]
const [, printing = '', status = ''] = /^\$ (.*) && npm test\n\$ git status --short\n([\s\S]*?)```/m.exec(PAGE) ?? []

/** `npm run format` without its lint, which `npm run check` does once more. */
const FORMAT = 'npx biome check --write --linter-enabled=false .'
const OWN = ['test/webhooks/tars/ttrial', '--coverage', '--coverage.include=webhooks/tars/ttrial/**']
/** Of `npm test` what knows all kinds, beside its own tests. */
const OF_ALL_KINDS = [
  ...['kinds', 'prints', 'rules-page', 'rights', 'settings', 'imports'].map((name) => `test/contracts/${name}.test.ts`),
  ...['test/src/print', 'test/webhooks/tars/overruled.test.ts'],
]

/** A reader who follows the page in this repository has its files already, and `npm test` runs what they hold. */
describe.skipIf(existsSync('webhooks/tars/ttrial'))('docs/adding-a-kind.md, done in a copy of the repository', () => {
  const { read, write, edit, shell, tested } = copyOfRepository()

  it('its tests fail as long as the family does not list the kind', async () => {
    await shell(
      'git init -q && git add -A && git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -qm a',
    )
    for (const { path, code } of FILES) write(path, code)
    expect(await tested(...OWN)).toMatch(/Tests +\d+ failed/)
  }, 60_000)

  it('with the names in the lists of the family they pass, and all of the folder is covered', async () => {
    const named = LISTED.map(([, name = '', list = '']) => ({ name, list: new RegExp(`( ${list}: [^[]*\\[)`) }))
    edit(family, (text) => imports + named.reduce((all, { name, list }) => all.replace(list, `$1${name}, `), text))
    edit(rightsTest, (text) => text.replace(/ *'ttemplates\.k8s\.tars\.io': .*\n/, rights))
    const summary = await tested(...OWN)
    expect(summary).toMatch(/Tests +\d+ passed \(\d+\)/)
    expect(summary).toMatch(/Functions +: 100% .*\nLines +: 100% /)
  }, 60_000)

  it('it formats, prints and checks well, and what has changed is what the page says: nothing in src', async () => {
    expect(await shell(`(${printing.replace('npm run format', FORMAT)}) 2>&1 && echo all is well`)).toMatch(
      /all is well\n$/,
    )
    expect(await shell('git status --short')).toBe(status)
    expect(status).not.toMatch(/ src\//)
    for (const { path, code } of FILES) expect(read(path)).toBe(code)
  }, 300_000)

  it('what holds for all kinds holds for it', async () => {
    expect(await tested(...OF_ALL_KINDS)).toMatch(/Tests +\d+ passed \(\d+\)/)
  }, 300_000)
})
