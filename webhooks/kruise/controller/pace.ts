interface Recurrence {
  readonly count: number
  readonly untilMs: number
}
/** How often something happened, and until when it does not happen again. */
export type Recurrences = ReadonlyMap<string, Recurrence>

interface Moment {
  readonly nowMs: number
  /** How long nothing happens before it counts from the beginning. */
  readonly restMs: number
}

const [FIRST_MS, LONGEST_MS] = [1_000, 900_000]

/** Zero or less when it may happen. */
const waitMs = (pace: Recurrences, key: string, nowMs: number): number => (pace.get(key)?.untilMs ?? 0) - nowMs

/** What happened now waits 1 s, then 2 s, … 15 min before it happens again; what has rested is forgotten. */
export function paced(pace: Recurrences, happened: readonly string[], { nowMs, restMs }: Moment): Recurrences {
  const next = new Map([...pace].filter(([, { untilMs }]) => untilMs + restMs > nowMs))
  for (const key of happened) {
    const { count } = next.get(key) ?? { count: 0 }
    next.set(key, { count: count + 1, untilMs: nowMs + Math.min(FIRST_MS * 2 ** count, LONGEST_MS) })
  }
  return next
}

/** What may happen now, and how long the others wait. */
export function due<T>(all: readonly T[], keyOf: (each: T) => string, pace: Recurrences, nowMs: number) {
  const waits = all.map((each) => ({ each, wait: waitMs(pace, keyOf(each), nowMs) }))
  return {
    now: waits.flatMap(({ each, wait }) => (wait <= 0 ? [each] : [])),
    waits: waits.flatMap(({ wait }) => (wait > 0 ? [wait] : [])),
  }
}
