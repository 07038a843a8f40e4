import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../../src/bin/tars-admission.ts')

export type LogLine = Readonly<Record<string, unknown>>

export interface SyncProcess {
  readonly pid: number
  out(): string
  err(): string
  /** The whole lines of its log. */
  log(): readonly LogLine[]
  readonly ended: Promise<number | null>
  signal(signal: NodeJS.Signals): void
}

/** `tars-admission sync` as a process of its own. It ends with the test. */
export function syncProcess(args: readonly string[], env: Readonly<Record<string, string>> = {}): SyncProcess {
  const child = spawn(process.execPath, [PROGRAM, 'sync', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (text) => {
    said.out += text
  })
  child.stderr.on('data', (text) => {
    said.err += text
  })
  const ended = once(child, 'close').then(([code]) => code)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    pid: child.pid ?? 0,
    out: () => said.out,
    err: () => said.err,
    log: () => linesOf(said.err),
    ended,
    signal: (signal) => void child.kill(signal),
  }
}

export async function ranSync(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { ended, out, err } = syncProcess(args, env)
  return { code: await ended, out: out(), err: err() }
}

function linesOf(err: string): readonly LogLine[] {
  const lines = err.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}
