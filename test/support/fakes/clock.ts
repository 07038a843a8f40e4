import type { Clock } from '../../../src/timing/clock.ts'

interface Timer {
  readonly ms: number
  readonly at: number
  readonly run: () => void
}

/** Stands still until a test moves it; what is random is what the test says. */
export class ManualClock implements Clock {
  #wall: number
  readonly #timers = new Set<Timer>()
  readonly #watchers = new Set<() => void>()
  #now = 0
  chance = 0

  constructor(start = new Date(0)) {
    this.#wall = start.getTime()
  }

  now = (): Date => new Date(this.#wall + this.#now)
  tick = (): number => this.#now
  random = (): number => this.chance

  after = (ms: number, run: () => void): (() => void) => {
    const timer = { ms, at: this.#now + ms, run }
    this.#timers.add(timer)
    for (const look of this.#watchers) look()
    return () => {
      this.#timers.delete(timer)
      for (const look of this.#watchers) look()
    }
  }

  get isWaitedFor(): boolean {
    return this.#timers.size > 0
  }
  get waiting(): number {
    return this.#timers.size
  }

  /** The wall clock alone, as when a machine wakes up: no timer has run meanwhile. */
  leap(ms: number): void {
    this.#wall += ms
  }

  /** Somebody has begun to wait for just that long, and has not ended yet. */
  waitFor(ms: number): Promise<void> {
    return this.#until(() => this.#hasTimer(ms))
  }

  /** Nobody waits for just that long, or not any more. */
  notWaitedFor(ms: number): Promise<void> {
    return this.#until(() => !this.#hasTimer(ms))
  }

  /** Everything that falls due on the way runs, in order. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
      if (next === undefined) break
      this.#timers.delete(next)
      this.#now = next.at
      next.run()
    }
    this.#now = end
  }

  /** To what falls due first. */
  toNext(): void {
    this.advance(Math.min(...[...this.#timers].map(({ at }) => at)) - this.#now)
  }

  /** Waits until somebody waits for that long, and lets that time pass. */
  async pass(ms: number): Promise<void> {
    await this.waitFor(ms)
    this.advance(ms)
  }

  #hasTimer(ms: number): boolean {
    return [...this.#timers].some((timer) => timer.ms === ms)
  }

  async #until(holds: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => holds() && resolve()
    this.#watchers.add(look)
    look()
    await promise
    this.#watchers.delete(look)
  }
}
