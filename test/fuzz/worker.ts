import { setImmediate as turn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { targets } from './targets.ts'
import type { Job, Result } from './thread.ts'

/** A thread that tries one job after the other. Counts each case as it begins, for whoever watches whether it goes on. */
const begun = new Int32Array(workerData)
const stray: string[] = []
process.on('unhandledRejection', (reason) => stray.push(`unhandled rejection: ${wordsOf(reason)}`))
process.on('uncaughtException', (error) => stray.push(`uncaught exception: ${wordsOf(error)}`))
process.on('warning', (warning) => stray.push(`a warning: ${wordsOf(warning)}`))

parentPort?.on('message', async (job: Job) => {
  const started = performance.now()
  const found = await tried(job)
  await turn() // what was left behind comes up now
  const findings = [...(found === undefined ? [] : [found]), ...stray.splice(0)]
  const result: Result = { findings, ms: performance.now() - started }
  parentPort?.postMessage(result)
})

async function tried({ name, ...runs }: Job): Promise<string | undefined> {
  try {
    return await targets.find((each) => each.name === name)?.check(runs, () => void Atomics.add(begun, 0, 1))
  } catch (error) {
    return wordsOf(error)
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
