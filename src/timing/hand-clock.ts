import type { Cancel, Clock } from './clock.ts'

/** A clock that stands still until it is told to go on to what is due next. */
export class HandClock implements Clock {
  readonly #start: number
  readonly #timers = new Set<{ readonly at: number; readonly act: () => void }>()
  #now = 0

  constructor(start: Date) {
    this.#start = start.getTime()
  }

  now = (): Date => new Date(this.#start + this.#now)
  tick = (): number => this.#now
  random = (): number => 0

  after = (ms: number, act: () => void): Cancel => {
    const timer = { at: this.#now + ms, act }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Runs what is due next, if it is so within this time since the start. */
  goOn(withinMs: number): boolean {
    const [next] = [...this.#timers].sort((one, other) => one.at - other.at)
    if (next === undefined || next.at > withinMs) return false
    this.#timers.delete(next)
    this.#now = next.at
    next.act()
    return true
  }
}
