import fc from 'fast-check'

/** Something that holds whatever comes, and the cases by which somebody tries to show that it does not. */
export interface Target {
  /** A fact. */
  readonly name: string
  /** Of a hundred cases of a run, so many. */
  readonly share: number
  /** Its cases are reviews, and count as such. */
  readonly ofReviews: boolean
  /** Nothing if all went well; otherwise what did not, with the seed and the path by which it comes again. */
  check(runs: Runs, begun?: () => void): Promise<string | undefined>
}

export interface Runs {
  readonly seed: number
  readonly runs: number
  /** Of a case that failed, as its report says. */
  readonly path?: string
}

interface Parts<T> {
  readonly name: string
  readonly share: number
  readonly ofReviews?: boolean
  readonly cases: fc.Arbitrary<T>
  /** Throws if it does not hold. */
  readonly holds?: (given: T) => unknown
  /** The same, of something that is opened first. */
  readonly open?: () => Promise<Opened<T>>
}
export interface Opened<T> {
  readonly holds: (given: T) => unknown
  readonly close: () => PromiseLike<unknown>
}

/** One case takes milliseconds; nobody waits for one that computes for seconds, or that never comes to an end. */
const MOST_CPU_MS = 2_000
const LONGEST_MS = 30_000

export function target<T>({ name, share, ofReviews = false, cases, holds, open }: Parts<T>): Target {
  async function check({ seed, runs, path = '' }: Runs, begun: () => void = () => {}): Promise<string | undefined> {
    const opened = await open?.()
    const hold = opened?.holds ?? holds ?? (() => {})
    const property = fc.asyncProperty(cases, async (given) => {
      begun()
      const before = process.threadCpuUsage()
      await hold(given)
      const { user, system } = process.threadCpuUsage(before)
      must(user + system < MOST_CPU_MS * 1_000, `took ${Math.round((user + system) / 1_000)} ms of computing`)
    })
    const details = await fc.check(property, { seed, path, numRuns: runs, timeout: LONGEST_MS })
    await opened?.close()
    return details.failed ? `${details.errorInstance}\n${fc.defaultReportMessage(details)}` : undefined
  }
  return { name, share, ofReviews, check }
}

/** What must hold of a case, in words for whoever reads its report. */
export function must(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words)
}
