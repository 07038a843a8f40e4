import { type Config, VERSION } from '../config.ts'
import { type Log, logTo } from '../telemetry/log.ts'
import { Meter, type ProcessMetrics, processMetrics } from '../telemetry/metrics.ts'
import { type ProcessPart, type Ready, started } from './running.ts'

/** The services that all parts of a process share. */
export interface ProcessContext {
  readonly config: Config
  readonly log: Log
  readonly meter: Meter
  readonly metrics: ProcessMetrics
}

/** What a process may touch of the world outside. */
export interface Outside {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Resolves once, when the process is to end. A second signal ends it at once, and a command that never asks is ended by the first. */
  readonly untilStopped: (uncaught: Uncaught, signals?: Signals) => Promise<Stop>
}
/** What a command makes of signals where it differs from the others. */
export interface Signals {
  /** Called for each SIGHUP, which then stops nothing. */
  readonly hangup: () => void
  /** The exit code of a second signal that stops. */
  readonly again: number
}
/** Hears of each error that is not caught, by Node's name for it. The first of them stops the process. */
export type Uncaught = (why: string, error: unknown) => void
export interface Stop {
  readonly why: string
  readonly code: 0 | 1
}

export interface ProcessOptions {
  readonly config: Config
  /** The prefix of its metrics. */
  readonly prefix: string
  /** What the parts share, a cluster for one, is opened here, and so closes after all of them. */
  readonly parts: (context: ProcessContext, opened: AsyncDisposableStack) => Promise<readonly ProcessPart[]>
  readonly onReady?: (ready: Ready) => void
}

/** Runs until a signal stops it. The exit code is that of the stop. */
export async function runProcess(options: ProcessOptions, outside: Outside): Promise<Stop['code']> {
  const { config, prefix, parts, onReady } = options
  const context = contextOf(config, prefix, outside)
  const stopped = outside.untilStopped(uncaughtIn(context))
  await using opened = new AsyncDisposableStack()
  const running = started(context, await parts(context, opened), opened)
  const announced = running.ready.then((ready) => {
    outside.out(readyLine(ready))
    onReady?.(ready)
    return stopped
  })
  try {
    const { why, code } = await Promise.race([stopped, announced])
    context.log.info({ signal: why }, 'stopping')
    return code
  } finally {
    await running.stop()
  }
}

function contextOf(config: Config, prefix: string, { err }: Outside): ProcessContext {
  const log = logTo({ write: err }, config.logLevel)
  const meter = new Meter(prefix)
  const metrics = processMetrics(meter)
  const build = { version: VERSION, node: process.versions.node }
  log.info(build, 'starting')
  metrics.buildInfo.set(build, 1)
  meter.collectProcess()
  return { config, log, meter, metrics }
}

function uncaughtIn({ log, metrics }: ProcessContext): Uncaught {
  return (why, err) => {
    metrics.handlerErrors.inc({ kind: '', class: why })
    log.error({ class: why, err }, 'nobody caught an error')
  }
}

function readyLine({ address, identity, health, metrics, ca }: Ready): string {
  return `${JSON.stringify({ event: 'ready', version: VERSION, address, identity, health, metrics, ca })}\n`
}
