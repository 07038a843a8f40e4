import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'

/**
 * The published client is installed beside the libraries of the product, not among them, and only when its lock changed.
 * Then the types and the calls of the double are compared with it.
 */
const FOLDER = 'node_modules/.cache/cloudflare'
const OWN = 'test/cloudflare'

function install(): void {
  const isThere = existsSync(`${FOLDER}/node_modules`) && isSame('package-lock.json') && isSame('package.json')
  if (isThere) return
  mkdirSync(FOLDER, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(`${OWN}/${file}`, `${FOLDER}/${file}`)
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', FOLDER)
}
const isSame = (file: string) =>
  existsSync(`${FOLDER}/${file}`) &&
  readFileSync(`${FOLDER}/${file}`, 'utf8') === readFileSync(`${OWN}/${file}`, 'utf8')

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'inherit' })
}

install()
run('node_modules/.bin/tsc', '--noEmit', '-p', `${OWN}/contract/tsconfig.json`)
run('node_modules/.bin/vitest', 'run', '--config', '.config/vitest.cloudflare.ts', ...process.argv.slice(2))
