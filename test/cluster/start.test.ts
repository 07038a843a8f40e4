import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'

const NODE = 'node_modules/.bin/node'
const { folder, binaries } = theCluster()
let cluster: ChildProcessByStdio<null, Readable, Readable>
let ended: Promise<unknown>
let kubeconfig = ''
let printed: readonly string[] = []

beforeAll(async () => {
  cluster = spawn(NODE, ['test/cluster/start.ts'], { stdio: ['ignore', 'pipe', 'pipe'] })
  ended = once(cluster, 'exit')
  const [out, err] = [linesUntil(cluster.stdout, 'KUBECONFIG'), linesUntil(cluster.stderr, 'Ctrl-C')]
  ;[kubeconfig = ''] = (await out).map((line) => line.replace('export KUBECONFIG=', ''))
  printed = await err
}, 300_000) // kwok is built the first time
afterAll(async () => {
  cluster.kill('SIGINT')
  await ended
}, 60_000)

async function linesUntil(stream: Readable, last: string): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of createInterface(stream)) {
    lines.push(line)
    if (line.includes(last)) return lines
  }
  throw new Error(`it ended:\n${lines.join('\n')}`)
}

/** As a person types it in another terminal. */
async function typed(line: string): Promise<{ readonly code: number; readonly words: string }> {
  const path = `${dirname(resolve(binaries.kubectl))}:${process.env.PATH}`
  const env = { ...process.env, HOME: folder, PATH: path, KUBECONFIG: kubeconfig }
  return new Promise((tell) => {
    const child = execFile('sh', ['-c', line], { env, timeout: 55_000 }, (_error, out, err) =>
      tell({ code: child.exitCode ?? -1, words: out + err }),
    )
  })
}

/** What the comment behind a line claims of it; a line without one does what it says. */
function outcomeOf(line: string): object {
  const [, claim] = / {2}# (.*)$/.exec(line) ?? []
  if (claim === undefined) return { code: 0, words: expect.not.stringContaining('(Forbidden)') }
  const [, rule] = /is refused (\(\S+\))$/.exec(claim) ?? []
  if (rule !== undefined) return { code: 1, words: expect.stringContaining(rule) }
  return { code: 0, words: expect.stringContaining(claim) }
}

describe('npm run cluster', () => {
  it('prints lines that do what is claimed of them, in their order', async () => {
    const lines = printed.filter((line) => line.startsWith('  '))
    expect(lines).toHaveLength(8)
    for (const line of lines) expect({ line, ...(await typed(line)) }).toEqual({ line, ...outcomeOf(line) })
  })
  it('prints the lines of the README, all but the refusals', () => {
    const commands = printed
      .filter((line) => line.startsWith('  '))
      .map((line) =>
        line
          .trim()
          .split(/ {2,}#/)[0]
          ?.trim(),
      )
    const shown = [...readFileSync('README.md', 'utf8').matchAll(/^\$ (kubectl (?!-n ).*)$/gm)].map(([, line]) => line)
    expect(shown.slice(0, 6)).toEqual(commands.slice(0, 6))
  })
  it('says that nodes and pods are simulated, and that webhook and worker run', () => {
    expect(printed).toContainEqual(expect.stringMatching(/webhook at https:.*, worker \S+_[-0-9a-f]+, logs in/))
    expect(printed).toContainEqual(expect.stringContaining('Nodes and pods are simulated: nothing runs'))
  })
})
