import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyOfRepository } from './page-copy.ts'

const PAGE = readFileSync('docs/adding-a-rule.md', 'utf8')
const [, printing = ''] = /^\$ (.*) && npm test$/m.exec(PAGE) ?? []
const [RULE = '', TEST = ''] = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)

const RULES = 'webhooks/tars/tserver/validate.ts'
const TESTS = 'test/webhooks/tars/tserver/validate.test.ts'
const LIST = 'export const rules: readonly Rule<TServer>[] = [\n'

/** A reader who follows the page already, or begins with a rule of another kind, has its id. */
const ID = 'TS-V9090'
const renamed = (code: string) => code.replaceAll('TS-V90', ID)
const [rule, test] = [renamed(RULE), renamed(TEST)]

/** Of `npm test` what a rule can turn red; the rest runs on nothing of a kind, or does what a page says. */
const SUITES = ['test/webhooks', 'test/src/print', 'test/contracts']
const PAGES = ['controller', 'kind', 'remote-kind', 'rule'].map((name) => `adding-a-${name}`)
const WITHOUT = [...PAGES, 'bundle', 'package', 'no-private-keys'].map(
  (name) => `--exclude=test/contracts/${name}.test.ts`,
)

const { read, edit, shell, tested } = copyOfRepository()
beforeAll(() => {
  edit(RULES, (text) => text.replace(RULE, ''))
  edit(TESTS, (text) => text.replace(`\n${TEST}`, ''))
})

describe('docs/adding-a-rule.md, done in a copy of the repository', () => {
  it('its test fails as long as there is no rule', async () => {
    edit(TESTS, (text) => `${text}\n${test}`)
    expect(await tested(TESTS, `--testNamePattern=${ID}`)).toMatch(/Tests +\d+ failed/)
  }, 60_000)

  it('its rule makes the test pass', async () => {
    expect(read(RULES)).toContain(LIST)
    edit(RULES, (text) => text.replace(LIST, LIST + rule))
    expect(await tested(TESTS, `--testNamePattern=${ID}`)).toMatch(/Tests +\d+ passed/)
  }, 60_000)

  it('what it prints and checks at the end is well, and nothing else was touched', async () => {
    expect(await shell(`(${printing}) 2>&1 && echo all is well`)).toMatch(/all is well\n$/)
    expect(await tested(...SUITES, ...WITHOUT)).toMatch(/Tests +\d+ passed \(\d+\)/)
  }, 300_000)
})
