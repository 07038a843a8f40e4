import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Clock } from '../../timing/clock.ts'
import type { Command, Ran, RunCommand, RunOptions } from './commands.ts'
import { codeOf } from './error-code.ts'

const MOST_OUTPUT = 65_536
/** Between the signal that asks it to end and the one that ends it (SY-FAIL-9). */
const GRACE_MS = 5_000
/** How long after its end something it started may still write. */
const DRAIN_MS = 50

/** Each command is a process group of its own, so that what it starts ends with it. */
export const realCommands =
  (clock: Clock): RunCommand =>
  async (command, options) => {
    try {
      return await ranBy(start(command, options.env), options, clock)
    } catch (error) {
      return { ok: false, why: cannotRun(error), output: '' } // spawn throws on what can be no command line
    }
  }

async function ranBy(child: ChildProcess, { timeoutMs, signal }: RunOptions, clock: Clock): Promise<Ran> {
  const output = tailOf([child.stdout, child.stderr])
  const ended = endOf(child)
  const stop = new Stopping(child.pid, clock)
  const callOff = clock.after(timeoutMs, () => stop.now(`took longer than its timeout of ${timeoutMs} ms`))
  const abort = () => stop.now('was ended, since this process ends')
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const why = await ended
  callOff()
  signal.removeEventListener('abort', abort)
  await drained(child, clock)
  stop.done()
  const said = stop.why || why
  return { ok: said === '', why: said, output: output() }
}

function start(command: Command, env: Readonly<Record<string, string>>): ChildProcess {
  const [program = '', ...args] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  return spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program (ENOENT); name it with its path',
  EACCES: 'this user may not run it (EACCES)',
  E2BIG: 'its words and the environment are too long together (E2BIG); shorten them',
  EAGAIN: 'there are too many processes (EAGAIN)',
}
function cannotRun(error: unknown): string {
  const code = codeOf(error)
  return `cannot be run: ${HINTS[code] ?? code}`
}

/** Empty when it went well. */
function endOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  child.on('error', (error) => resolve(cannotRun(error)))
  child.on('exit', (code, signal) => {
    if (code === 0) resolve('')
    else resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`)
  })
  return promise
}

/** Ends a command that takes too long: first asked, then killed. */
class Stopping {
  readonly #pid: number | undefined
  readonly #clock: Clock
  #callOff = () => {}
  /** Empty while nothing has ended it. */
  why = ''

  constructor(pid: number | undefined, clock: Clock) {
    this.#pid = pid
    this.#clock = clock
  }

  now(why: string): void {
    if (this.why !== '') return
    this.why = why
    signalTo(this.#pid, 'SIGTERM')
    this.#callOff = this.#clock.after(GRACE_MS, () => signalTo(this.#pid, 'SIGKILL'))
  }

  /** What it left behind goes too, if it was ended. */
  done(): void {
    this.#callOff()
    if (this.why !== '') signalTo(this.#pid, 'SIGKILL')
  }
}

function signalTo(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // the group has ended already
  }
}

/** Keeps the end alone, so that a flood takes no memory. */
function tailOf(streams: readonly (Readable | null)[]): () => string {
  let kept: Buffer[] = []
  let bytes = 0
  for (const stream of streams) {
    stream?.on('data', (chunk: Buffer) => {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes <= 2 * MOST_OUTPUT) return
      kept = [Buffer.concat(kept).subarray(-MOST_OUTPUT)]
      bytes = MOST_OUTPUT
    })
  }
  return () => Buffer.concat(kept).subarray(-MOST_OUTPUT).toString()
}

/** A program that it left running may hold the streams for ever: they are read on and keep nothing alive. */
async function drained(child: ChildProcess, clock: Clock): Promise<void> {
  const streams = [child.stdout, child.stderr]
  const { promise, resolve } = Promise.withResolvers<void>()
  child.on('close', () => resolve())
  if (streams.every((stream) => stream === null || stream.closed)) resolve()
  const callOff = clock.after(DRAIN_MS, resolve)
  await promise
  callOff()
  for (const stream of streams) if (stream instanceof Socket) stream.unref()
}
