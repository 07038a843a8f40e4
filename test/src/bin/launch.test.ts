import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf } from '../../support/folders.ts'
import { OLDER, TERMINAL } from '../../support/older-node.ts'

const NODE = 'node_modules/.bin/node'
const LAUNCHER = 'src/bin/launch.js'
const PORTS = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0']
const WEBHOOK = ['webhook', '--cluster=memory', '--log-level=silent', ...PORTS]
const BROUGHT = `node-of-a-test-${process.platform}-${process.arch}`
const BRINGING = { optionalDependencies: { [BROUGHT]: '24.0.0' } }

/** It leads a process group, as what a shell starts does. */
function started(words: readonly string[], ...preloads: readonly string[]) {
  const child = spawn(NODE, [...preloads, ...words], { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  onTestFinished(() => endGroup(child))
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { child, ended: ended.then(([out, err, [code, signal]]) => ({ out, err, code, signal })) }
}
function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-Number(pid), 'SIGKILL')
  } catch {
    // all of it has ended
  }
}

/** The launcher in a package of these files. */
function launcherIn(files: Readonly<Record<string, string>>, manifest: object = {}): string {
  const own = {
    [LAUNCHER]: readFileSync(LAUNCHER, 'utf8'),
    'package.json': JSON.stringify({ type: 'module', ...manifest }),
  }
  return join(folderOf({ ...own, ...files }), LAUNCHER)
}

describe('what cannot start ends with 3, for 1 would say that something is refused', () => {
  it('without its bundle', async () => {
    const { err, code } = await started([launcherIn({})]).ended
    expect(err).toBe(
      'tars-admission: was packed without its bundle: "npm pack" makes it, unless it is told to ignore scripts\n',
    )
    expect(code).toBe(3)
  })
  it('with half of its bundle', async () => {
    const { err, code } = await started([launcherIn({ 'dist/tars-admission.js': 'import "./gone.js"' })]).ended
    expect(err).toMatch(/^tars-admission: cannot be loaded: .*gone\.js/)
    expect(code).toBe(3)
  })
  it.each([
    {
      name: 'where none came with the package',
      manifest: {},
      why: / none came with the package for \S+: install Node 24$/,
    },
    {
      name: 'where the one that came does not run',
      manifest: BRINGING,
      why: / the one that came with the package does not run: spawn \S+ EACCES$/,
    },
  ])('under an older Node, $name', async ({ manifest, why }) => {
    const launcher = launcherIn({ [`node_modules/${BROUGHT}/bin/node`]: 'no program' }, manifest)
    const { err, code } = await started([launcher], OLDER).ended
    expect(err).toMatch(/^tars-admission: needs Node 24 or later, this is 20\.20\.2, and/)
    expect(err.trim()).toMatch(why)
    expect(code).toBe(3)
  })
})

describe('under an older Node', { timeout: 30_000 }, () => {
  it('the Node of the package runs it, and its exit code counts', async () => {
    expect(await started([LAUNCHER, 'manifests', '--set=nothing'], OLDER).ended).toMatchObject({ code: 2, out: '' })
  })
  it.each([
    { name: 'SIGTERM to the launcher', signal: 'SIGTERM', preloads: [OLDER], to: 1 },
    { name: 'SIGINT to the launcher', signal: 'SIGINT', preloads: [OLDER], to: 1 },
    { name: 'SIGINT to both, as a terminal sends it', signal: 'SIGINT', preloads: [OLDER, TERMINAL], to: -1 },
  ] as const)('$name is one signal to what serves', async ({ signal, preloads, to }) => {
    const { child, ended } = started([LAUNCHER, ...WEBHOOK, '--drain-seconds=1'], ...preloads)
    await once(createInterface(child.stdout), 'line')
    process.kill(to * Number(child.pid), signal)
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })
  it('a signal that ends its Node ends the launcher in the same way', async () => {
    const brought = `node_modules/${BROUGHT}/bin/node`
    const launcher = launcherIn({ [brought]: '#!/bin/sh\nkill -TERM $$\n' }, BRINGING)
    chmodSync(join(dirname(launcher), '../..', brought), 0o755)
    expect(await started([launcher], OLDER).ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  })
})
