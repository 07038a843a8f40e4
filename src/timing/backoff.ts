import type { Clock } from './clock.ts'

/** In milliseconds. */
export interface Backoff {
  readonly first: number
  readonly most: number
}

/** Doubles with each failure. It varies between half of that and all of it, so that replicas do not return all at once. */
export function backoffMs({ first, most }: Backoff, failures: number, { random }: Pick<Clock, 'random'>): number {
  return Math.min(most, first * 2 ** failures) * (0.5 + random() / 2)
}
