import type { ExitCode, Stop, Uncaught, World } from '../../src/commands/command.ts'
import { run } from '../../src/commands/run.ts'

export interface Ran {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

type Env = World['env']
type Families = Parameters<typeof run>[2]

/** A command from its first word to its exit code, as a shell would see it. */
export async function ran(words: readonly string[], env: Env = {}, stdin = '', families?: Families): Promise<Ran> {
  const { world, shown } = worldOf(env, stdin)
  const code = await run(words, world, families)
  return { code, ...shown() }
}

export interface Running {
  /** The first line on stdout, once it is there. */
  readonly firstLine: Promise<string>
  shown(): Omit<Ran, 'code'>
  /** As a signal, or what else ends a process. */
  stop(stop?: Stop): Promise<ExitCode>
  /** As when nobody catches an error. */
  fail(error: unknown): Promise<ExitCode>
  readonly ended: Promise<ExitCode>
}

/** A command that goes on until it is stopped. */
export function running(words: readonly string[], env: Env = {}): Running {
  const { world, shown, firstLine, stop, fail } = worldOf(env)
  const ended = run(words, world)
  return {
    firstLine: Promise.race([firstLine, ended.then(() => shown().out)]),
    shown,
    ended,
    stop(why = { why: 'SIGTERM', code: 0 }) {
      stop(why)
      return ended
    },
    fail(error) {
      fail(error)
      return ended
    },
  }
}

function worldOf(env: Env, stdin = '') {
  const written = { out: '', err: '' }
  const line = Promise.withResolvers<string>()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<Stop>()
  let tell: Uncaught = () => {}
  const world: World = {
    env,
    stdin: async () => stdin,
    untilStopped(uncaught) {
      tell = uncaught
      return stopped
    },
    out(text) {
      written.out += text
      if (written.out.includes('\n')) line.resolve(written.out.slice(0, written.out.indexOf('\n')))
    },
    err(text) {
      written.err += text
    },
  }
  function fail(error: unknown): void {
    tell('unhandledRejection', error)
    stop({ why: 'unhandledRejection', code: 1 })
  }
  return { world, stop, fail, firstLine: line.promise, shown: () => ({ ...written }) }
}
