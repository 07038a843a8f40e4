import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PAGE = readFileSync('docs/adding-a-rule.md', 'utf8')
const RULES = 'webhooks/tars/tserver/validate.ts'
const TESTS = 'test/webhooks/tars/tserver/validate.test.ts'
const LIST = 'export const rules: readonly Rule<TServer>[] = [\n'
const [rule = '', test = ''] = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tars-admission-rule-'))
  for (const path of [
    'src',
    'webhooks',
    'certs',
    'test/support',
    'test/webhooks/tars/tserver',
    '.config',
    'Dockerfile',
  ])
    cpSync(path, join(copy, path), { recursive: true })
  for (const path of ['package.json', 'tsconfig.json']) cpSync(path, join(copy, path))
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function edit(path: string, edited: (text: string) => string): void {
  const file = join(copy, path)
  writeFileSync(file, edited(readFileSync(file, 'utf8')))
}

async function tested(): Promise<string> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', TESTS, '-t', 'TS-V90']
  const ran = promisify(execFile)(process.execPath, args, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } })
  const { stdout } = await ran.catch((failed: { stdout: string }) => failed)
  return stdout
}

describe('docs/adding-a-rule.md, done in a copy of the repository', () => {
  it('its test fails as long as there is no rule', async () => {
    edit(TESTS, (text) => `${text}\n${test}`)
    expect(await tested()).toMatch(/Tests +\d+ failed/)
  }, 60_000)

  it('its rule makes the test pass, and nothing else was touched', async () => {
    expect(readFileSync(join(copy, RULES), 'utf8')).toContain(LIST)
    edit(RULES, (text) => text.replace(LIST, LIST + rule))
    expect(await tested()).toMatch(/Tests +\d+ passed/)
  }, 60_000)
})
