import { constants } from 'node:os'
import { text as textOf } from 'node:stream/consumers'
import type { Signals, Stop, Uncaught, World } from '../commands/command.ts'
import { run } from '../commands/run.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** What the next signal does. Left to itself, the first process of a container would not hear of any. */
let onSignal = (signal: (typeof SIGNALS)[number]): void => process.exit(128 + constants.signals[signal])
for (const signal of SIGNALS) process.on(signal, () => onSignal(signal))

/** A second signal, whichever it is, ends the process at once. */
function untilStopped(uncaught: Uncaught, signals?: Signals): Promise<Stop> {
  const { promise, resolve } = Promise.withResolvers<Stop>()
  const end = onSignal
  onSignal = (signal) => {
    if (signals !== undefined && signal === 'SIGHUP') return signals.hangup()
    onSignal = signals === undefined ? end : () => process.exit(signals.again)
    resolve({ why: signal, code: 0 })
  }
  for (const why of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(why, (error: unknown) => {
      uncaught(why, error)
      resolve({ why, code: 1 }) // an unknown state is left behind
    })
  }
  return promise
}

const world: World = {
  env: process.env,
  stdin: () => textOf(process.stdin),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  untilStopped,
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => process.exit(1)) // the reader has closed it, as `| head` does
}
const code = await run(process.argv.slice(2), world)
process.stdout.write('', (gone) => process.exit(gone ? 1 : code)) // what is still running is not awaited
