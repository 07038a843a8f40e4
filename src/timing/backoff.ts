import type { Clock } from './clock.ts'

/** Both in milliseconds. */
export interface Backoff {
  readonly first: number
  readonly most: number
}

/** Doubles with each failure, with a jitter of half the delay, so that replicas do not return all at once. */
export function backoffMs({ first, most }: Backoff, failures: number, { random }: Pick<Clock, 'random'>): number {
  return Math.min(most, first * 2 ** failures) * (0.5 + random() / 2)
}
