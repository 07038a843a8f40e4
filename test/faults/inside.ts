import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Loaded into a process that is watched, with `node --expose-gc --import`: a line every so often on what it holds. */
export interface Inside {
  readonly seconds: number
  /** Bytes that are in use after a collection. */
  readonly heap: number
  readonly external: number
  /** The longest that the event loop was away since the last line, in milliseconds; not while we collect. */
  readonly gapMs: number
}

const RESOLUTION_MS = 10
const { TARS_FAULTS_INSIDE: file, TARS_FAULTS_EVERY_MS: everyMs = '5000' } = process.env
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
setInterval(look, Number(everyMs)).unref()

function look(): void {
  delay.disable()
  globalThis.gc?.()
  globalThis.gc?.() // what the first one only found unreachable
  const { heapUsed: heap, external } = process.memoryUsage()
  const gapMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
  const line: Inside = { seconds: performance.now() / 1_000, heap, external, gapMs }
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
  delay.reset()
  setImmediate(() => delay.enable())
}
