import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Program {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The last lines it printed. */
  readonly words: string
}

/**
 * Processes that end with ours, however ours ends. Their pids stand in `FOLDER/NAME.pid`, their output in
 * `LOGS/NAME.log`.
 */
export interface Processes {
  run(program: Program): Promise<Ended>
  /** To the one that runs under this name, if it still does. */
  signal(name: string, signal: NodeJS.Signals): void
  /** Runs on and on: what a signal ended is started again, as a kubelet would; what ended by itself has failed. */
  keep(program: Program): void
  /** Aborted when a kept program has failed; the reason tells which, and its last words. */
  readonly failed: AbortSignal
  /** Kills them all and removes the folder. */
  close(): Promise<void>
}

/** Reads until the pipe from us closes, which it does even after SIGKILL, and leaves nothing behind. */
const WATCHDOG = `
  read _
  for pid in "$0"/*.pid; do [ -e "$pid" ] && kill -s KILL -- -"$(cat "$pid")"; done
  rm -rf "$0" || { sleep 1; rm -rf "$0"; }
`

export function processesIn(folder: string, logs: string): Processes {
  // Groups of their own, here and below: Ctrl-C in a terminal must not end a control plane under its suites.
  const watchdog = spawn('sh', ['-c', WATCHDOG, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const watchdogGone = once(watchdog, 'exit')
  const running = new Set<Promise<unknown>>()
  const failure = new AbortController()
  let closing = false

  async function run({ name, command, args, cwd, env }: Program): Promise<Ended> {
    const log = join(logs, `${name}.log`)
    const output = openSync(log, 'a')
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output], detached: true })
    closeSync(output)
    const ended = once(child, 'exit') // rejects when there is no such command
    const pidFile = join(folder, `${name}.pid`)
    if (child.pid !== undefined) writeFileSync(pidFile, String(child.pid))
    running.add(ended)
    try {
      await ended
    } finally {
      running.delete(ended)
      rmSync(pidFile, { force: true })
    }
    return { code: child.exitCode, signal: child.signalCode, words: lastLines(log) }
  }

  async function keep(program: Program): Promise<void> {
    for (;;) {
      const { code, signal, words } = await run(program)
      if (closing) return
      if (signal !== null) continue
      failure.abort(new Error(`${program.name} ended with code ${code}:\n${words}`))
      return
    }
  }

  return {
    run,
    signal(name, signal) {
      const pid = pidIn(folder, name)
      if (pid !== undefined) process.kill(pid, signal)
    },
    keep: (program) => void keep(program).catch((cause) => failure.abort(cause)),
    failed: failure.signal,
    async close() {
      closing = true
      watchdog.stdin.end()
      await Promise.allSettled([watchdogGone, ...running])
    },
  }
}

/** Undefined when it does not run. */
export function pidIn(folder: string, name: string): number | undefined {
  const file = join(folder, `${name}.pid`)
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-20).join('\n')
}
