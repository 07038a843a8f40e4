import { mergedOf, SHAPES, type Shape } from './shapes.ts'

// A process of its own, so that no coverage is measured meanwhile. It prints milliseconds by the names of the shapes,
// and looks for no less than its argument.

const MOST_RUNS = 12
const enough = Number(process.argv[2])

/** Of the processor, and the least of some runs, since others work beside. */
function leastMsOf({ text }: Shape): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 1; run <= MOST_RUNS && least > enough; run += 1) {
    const before = process.cpuUsage()
    mergedOf(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

process.stdout.write(JSON.stringify(Object.fromEntries(SHAPES.map((shape) => [shape.name, leastMsOf(shape)]))))
