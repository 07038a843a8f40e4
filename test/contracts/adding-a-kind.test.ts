import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { copyOfRepository, pageParts } from './page-copy.ts'

const { text: PAGE, files: FILES, family, inFamily, printing, status } = pageParts('docs/adding-a-kind.md')
const [, rightsTest = '', rights = ''] =
  /^`(\S+)`, in place of the line of TTemplates:\n\n```ts\n([\s\S]*?)```/m.exec(PAGE) ?? []
const OWN = ['test/webhooks/tars/ttrial', '--coverage', '--coverage.include=webhooks/tars/ttrial/**']
/** Of `npm test` what knows all kinds, beside its own tests. */
const OF_ALL_KINDS = [
  ...['kinds', 'prints', 'rules-page', 'rights', 'settings', 'imports'].map((name) => `test/contracts/${name}.test.ts`),
  ...['test/src/print', 'test/webhooks/tars/overruled.test.ts'],
]

/** A reader who follows the page in this repository has its files already, and `npm test` runs what they hold. */
describe.skipIf(existsSync('webhooks/tars/ttrial'))('docs/adding-a-kind.md, done in a copy of the repository', () => {
  const { read, write, edit, shell, committed, tested } = copyOfRepository()

  it('its tests fail as long as the family does not list the kind', async () => {
    await committed()
    for (const { path, code } of FILES) write(path, code)
    expect(await tested(...OWN)).toMatch(/Tests +\d+ failed/)
  }, 60_000)

  it('with the names in the lists of the family they pass, and all of the folder is covered', async () => {
    edit(family, inFamily)
    edit(rightsTest, (text) => text.replace(/ *'ttemplates\.k8s\.tars\.io': .*\n/, rights))
    const summary = await tested(...OWN)
    expect(summary).toMatch(/Tests +\d+ passed \(\d+\)/)
    expect(summary).toMatch(/Functions +: 100% .*\nLines +: 100% /)
  }, 60_000)

  it('it formats, prints and checks well, and what has changed is what the page says: nothing in src', async () => {
    expect(await shell(`(${printing}) 2>&1 && echo all is well`)).toMatch(/all is well\n$/)
    expect(await shell('git status --short')).toBe(status)
    expect(status).not.toMatch(/ src\//)
    for (const { path, code } of FILES) expect(read(path)).toBe(code)
  }, 300_000)

  it('what holds for all kinds holds for it', async () => {
    expect(await tested(...OF_ALL_KINDS)).toMatch(/Tests +\d+ passed \(\d+\)/)
  }, 300_000)
})
