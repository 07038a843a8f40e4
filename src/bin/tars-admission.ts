import { writeSync } from 'node:fs'
import { constants } from 'node:os'
import type { Stop, World } from '../commands/command.ts'
import { run } from '../commands/run.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** What the next signal does. Left to itself, the first process of a container would not hear of any. */
let onSignal = (signal: (typeof SIGNALS)[number]): void => process.exit(128 + constants.signals[signal])
for (const signal of SIGNALS) process.on(signal, () => onSignal(signal))

/** A second signal, whichever it is, ends the process at once. */
function untilStopped(): Promise<Stop> {
  const { promise, resolve } = Promise.withResolvers<Stop>()
  const end = onSignal
  onSignal = (signal) => {
    onSignal = end
    resolve({ why: signal, code: 0 })
  }
  for (const fault of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(fault, (error: unknown) => {
      writeSync(2, `tars-admission: ${fault}: ${placeOf(error)}\n`)
      resolve({ why: fault, code: 1 }) // an unknown state is left behind
    })
  }
  return promise
}

/** Where it happened; what it says may quote an object. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? []
  return [error.name, ...frames].join('\n')
}

let stopped: Promise<Stop> | undefined
const world: World = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  get stopped() {
    stopped ??= untilStopped()
    return stopped
  },
}
process.stdout.on('error', () => process.exit(1)) // whoever read it has gone, as `| head` does
const code = await run(process.argv.slice(2), world)
process.stdout.write('', (gone) => process.exit(gone ? 1 : code)) // nobody waits for what is still under way
