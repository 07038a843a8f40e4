import type { Clock } from '../../certs/clock.ts'

interface Timer {
  readonly due: number
  readonly act: () => void
}

/** Stands still until it is moved on; then whatever falls due on the way is called, in its order. */
export class HandClock implements Clock {
  #wall: number
  #ticked = 0
  readonly #timers = new Set<Timer>()

  constructor(start: Date) {
    this.#wall = start.getTime()
  }

  now = (): Date => new Date(this.#wall + this.#ticked)

  after = (ms: number, act: () => void): (() => void) => {
    const timer = { due: this.#ticked + ms, act }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  random = (): number => 0

  forward(ms: number): void {
    const end = this.#ticked + ms
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#timers.delete(next)
      this.#ticked = next.due
      next.act()
    }
    this.#ticked = end
  }

  /** The wall clock alone, as when a machine wakes up: no timer has run meanwhile. */
  leap(ms: number): void {
    this.#wall += ms
  }

  get waiting(): number {
    return this.#timers.size
  }

  #nextUntil(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end)
    return due.toSorted((one, other) => one.due - other.due)[0]
  }
}
