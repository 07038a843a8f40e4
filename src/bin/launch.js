#!/usr/bin/env node
// In a clone the sources run as they are; a packed package holds the bundle alone (Node strips no types under node_modules).
import { existsSync } from 'node:fs'
import module from 'node:module'

const OLDEST = 24
const sources = new URL('./tars-admission.ts', import.meta.url)
const bundle = new URL('../../dist/tars-admission.js', import.meta.url)
const program = [sources, bundle].find((each) => existsSync(each))

const [major] = process.versions.node.split('.')
if (Number(major) < OLDEST) {
  fail(`needs Node ${OLDEST} or later, this is ${process.versions.node}; npx takes the one that came with the package`)
} else if (program === undefined) {
  fail('was packed without its bundle: "npm pack" makes it, unless it is told to ignore scripts')
} else {
  module.enableCompileCache() // a command that is typed again starts sooner
  await import(program.href)
}

function fail(why) {
  process.stderr.write(`tars-admission: ${why}\n`)
  process.exitCode = 1
}
