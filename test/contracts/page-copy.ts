import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'

/** What a page tells its reader to write, and to run at the end. */
export function pageParts(page: string) {
  const text = readFileSync(page, 'utf8')
  const files = [...text.matchAll(/^`(\S+)`:\n\n```ts\n([\s\S]*?)```/gm)]
  const [, family = '', imports = ''] = /^The head of `(\S+)`:\n\n```ts\n([\s\S]*?)```/m.exec(text) ?? []
  const listed = [...text.matchAll(/`(\w+)` in `(\w+)`/g)].map(([, name = '', list = '']) => ({ name, list }))
  const [, printing = '', status = ''] = /^\$ (.*) && npm test\n\$ git status --short\n([\s\S]*?)```/m.exec(text) ?? []
  return {
    text,
    files: files.map(([, path = '', code = '']) => ({ path, code })),
    family,
    /** The file of the family, with what the page adds to it. */
    inFamily: (before: string) =>
      listed.reduce(
        (all, { name, list }) => all.replace(new RegExp(`( ${list}: [^[]*\\[)`), `$1${name}, `),
        imports + before,
      ),
    /** `npm run format` without its lint, which `npm run check` does once more. */
    printing: printing.replace('npm run format', 'npx biome check --write --linter-enabled=false .'),
    status,
  }
}

const LEFT_OUT = ['.git', 'node_modules', 'dist', 'coverage']

/** A copy of the repository, to do there what a page says. It goes when the tests of the file are over. */
export function copyOfRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'tars-admission-copy-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('.', folder, { recursive: true, filter: (path) => !LEFT_OUT.includes(path) })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))

  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  function write(path: string, content: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  /** What a command writes to stdout, whether it fails or not. */
  async function output(command: string, ...args: readonly string[]): Promise<string> {
    const ran = promisify(execFile)(command, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
    const { stdout } = await ran.catch((failed: { stdout: string }) => failed)
    return stdout
  }
  return {
    read,
    write,
    edit: (path: string, edited: (text: string) => string) => write(path, edited(read(path))),
    shell: (line: string) => output('sh', '-c', line),
    /** So that `git status` says what has changed. */
    committed: () =>
      output(
        'sh',
        '-c',
        'git init -q && git add -A && git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -qm a',
      ),
    tested: (...args: readonly string[]) =>
      output(process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--config=.config/vitest.ts', ...args),
  }
}
