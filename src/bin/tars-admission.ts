import { writeSync } from 'node:fs'
import type { Stop } from '../commands/command.ts'
import { run } from '../commands/run.ts'

/** A fault that nobody caught leaves an unknown state behind, so the process ends as on a signal, but as failed. */
const stopped = new Promise<Stop>((stop) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop({ why: signal, code: 0 }))
  for (const fault of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(fault, (error: unknown) => {
      writeSync(2, `tars-admission: ${fault}: ${error instanceof Error ? error.stack : String(error)}\n`)
      stop({ why: fault, code: 1 })
    })
  }
})

const world = {
  env: process.env,
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  stopped,
}
process.exitCode = await run(process.argv.slice(2), world)
