#!/usr/bin/env node
// In a clone the sources run as they are; a packed package holds the bundle alone (Node strips no types under node_modules).
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const OLDEST = 24
const { platform, arch, versions } = process

const [major] = versions.node.split('.')
if (Number(major) < OLDEST) await runByOwnNode()
else await start()

async function start() {
  const sources = new URL('./tars-admission.ts', import.meta.url)
  const bundle = new URL('../../dist/tars-admission.js', import.meta.url)
  const program = [sources, bundle].find((each) => existsSync(each))
  if (program === undefined)
    return fail('was packed without its bundle: "npm pack" makes it, unless it is told to ignore scripts')
  module.enableCompileCache() // a command that is typed again starts sooner
  await import(program.href).catch(({ stack }) => fail(`cannot be loaded: ${stack}`))
}

/** A link in a folder of the PATH is run by the Node of that machine; the one that the package brings takes over. */
async function runByOwnNode() {
  const needs = `needs Node ${OLDEST} or later, this is ${versions.node}`
  const node = ownNode()
  if (node === undefined) {
    return fail(`${needs}, and none came with the package for ${platform}-${arch}: install Node ${OLDEST}`)
  }
  const { spawn } = await import('node:child_process')
  const { isatty } = await import('node:tty')
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  const hasTerminal = [0, 1, 2].some((each) => isatty(each))
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  // A terminal signals the child as well, and a second signal would end it at once.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => hasTerminal || child.kill(signal))
  child.on('error', ({ message }) => fail(`${needs}, and the one that came with the package does not run: ${message}`))
  child.on('exit', endAs)
}

/** npm puts it into the package or beside it, so it is looked for as a module is. */
function ownNode() {
  const require = module.createRequire(import.meta.url)
  const names = Object.keys(require('../../package.json').optionalDependencies ?? {})
  const name = names.find((each) => each.endsWith(`-${platform}-${arch}`))
  try {
    const found = require.resolve(`${name}/bin/node`)
    return found === process.execPath ? undefined : found
  } catch {
    return undefined
  }
}

function endAs(code, signal) {
  if (signal === null) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** By a code that is no answer: 1 would say that something is refused. */
function fail(why) {
  process.stderr.write(`tars-admission: ${why}\n`)
  process.exitCode = 3
}
