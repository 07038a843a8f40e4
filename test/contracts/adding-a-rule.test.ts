import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PAGE = readFileSync('docs/adding-a-rule.md', 'utf8')
const [, printing = ''] = /^\$ (.*) && npm test$/m.exec(PAGE) ?? []
const [RULE = '', TEST = ''] = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)

const RULES = 'webhooks/tars/tserver/validate.ts'
const TESTS = 'test/webhooks/tars/tserver/validate.test.ts'
const LIST = 'export const rules: readonly Rule<TServer>[] = [\n'

/** Whoever has followed the page already, or begun with a rule of another kind, has its id. */
const ID = 'TS-V9090'
const renamed = (code: string) => code.replaceAll('TS-V90', ID)
const [rule, test] = [renamed(RULE), renamed(TEST)]

/** Of `npm test` what a rule can turn red; the rest runs on nothing of a kind, or is this file. */
const SUITES = ['test/webhooks', 'test/src/print', 'test/contracts']
const WITHOUT = ['adding-a-rule', 'bundle', 'package', 'no-private-keys'].map(
  (name) => `--exclude=test/contracts/${name}.test.ts`,
)

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tars-admission-rule-'))
  const others = ['.git', 'node_modules', 'dist', 'coverage']
  cpSync('.', copy, { recursive: true, filter: (path) => !others.includes(path) })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  edit(RULES, (text) => text.replace(RULE, ''))
  edit(TESTS, (text) => text.replace(`\n${TEST}`, ''))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function edit(path: string, edited: (text: string) => string): void {
  const file = join(copy, path)
  writeFileSync(file, edited(readFileSync(file, 'utf8')))
}

async function said(command: string, ...args: readonly string[]): Promise<string> {
  const ran = promisify(execFile)(command, args, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } })
  const { stdout } = await ran.catch((failed: { stdout: string }) => failed)
  return stdout
}
const tested = (...args: readonly string[]) =>
  said(process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--config=.config/vitest.ts', ...args)

describe('docs/adding-a-rule.md, done in a copy of the repository', () => {
  it('its test fails as long as there is no rule', async () => {
    edit(TESTS, (text) => `${text}\n${test}`)
    expect(await tested(TESTS, `--testNamePattern=${ID}`)).toMatch(/Tests +\d+ failed/)
  }, 60_000)

  it('its rule makes the test pass', async () => {
    expect(readFileSync(join(copy, RULES), 'utf8')).toContain(LIST)
    edit(RULES, (text) => text.replace(LIST, LIST + rule))
    expect(await tested(TESTS, `--testNamePattern=${ID}`)).toMatch(/Tests +\d+ passed/)
  }, 60_000)

  it('what it prints and checks at the end is well, and nothing else was touched', async () => {
    expect(await said('sh', '-c', `(${printing}) 2>&1 && echo all is well`)).toMatch(/all is well\n$/)
    expect(await tested(...SUITES, ...WITHOUT)).toMatch(/Tests +\d+ passed \(\d+\)/)
  }, 300_000)
})
