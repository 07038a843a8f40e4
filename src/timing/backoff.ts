import type { Clock } from './clock.ts'

/** Both in milliseconds. */
export interface Backoff {
  readonly first: number
  readonly most: number
  /** Between which parts of the delay the pause lies. Absent: half of it, and all. */
  readonly jitter?: readonly [least: number, most: number]
}

/** Doubles with each failure, with a jitter, so that replicas do not return all at once. */
export function backoffMs(
  { first, most, jitter: [low, high] = [0.5, 1] }: Backoff,
  failures: number,
  { random }: Pick<Clock, 'random'>,
): number {
  return Math.min(most, first * 2 ** failures) * (low + random() * (high - low))
}
