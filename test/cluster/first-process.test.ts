import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { fileOf } from '../support/folders.ts'

/** The kernel keeps signals from the first process of a container, unless it asks for them. */
const CONTAINER = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc']
const PORTS = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0']

function started(...words: readonly string[]) {
  const command = [...CONTAINER, 'node_modules/.bin/node', 'src/bin/launch.js', ...words]
  const child = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended: once(child, 'exit') }
}

/** By the number that it has outside. */
function tell({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')), signal)
}

async function lineIn(stream: ChildProcess['stdout'], words: string): Promise<void> {
  if (stream === null) return
  for await (const line of createInterface(stream)) if (line.includes(words)) return
}

it('a webhook that is the first process of its container ends at once on a second signal (SV-10)', async () => {
  const { child, ended } = started('webhook', '--cluster=memory', ...PORTS, '--drain-seconds=60')
  await lineIn(child.stdout, '"event":"ready"')
  tell(child, 'SIGTERM')
  await lineIn(child.stderr, '"msg":"stopping"')
  tell(child, 'SIGTERM')
  expect(await ended).toEqual([143, null])
})

it('any other command ends on the first', async () => {
  const { child, ended } = started('check', '--wait=60', '--kubeconfig', fileOf(NOWHERE))
  await lineIn(child.stderr, 'waiting')
  tell(child, 'SIGINT')
  expect(await ended).toEqual([130, null])
})

const NOWHERE = JSON.stringify({
  clusters: [{ name: 'nowhere', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'nobody', user: {} }],
  contexts: [{ name: 'there', context: { cluster: 'nowhere', user: 'nobody' } }],
  'current-context': 'there',
})
