import type { Clock } from '../timing/clock.ts'

export interface WriteLimits {
  readonly perSecond: number
  /** How many may come at once: a share of a second's writes when absent. */
  readonly burst?: number
  readonly inFlight?: number
}
const IN_FLIGHT = 16
const SHARE_AT_ONCE = 0.1

/** How many writes are in flight, and how many a second (WR-1). They come in the order in which they were asked for. */
export class WriteBudget {
  readonly #clock: Clock
  readonly #perSecond: number
  readonly #most: number
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #inFlight = 0
  #left: number
  #filledAt: number
  #isTimed = false

  constructor(clock: Clock, { perSecond, burst = perSecond * SHARE_AT_ONCE, inFlight = IN_FLIGHT }: WriteLimits) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#most = Math.max(1, burst)
    this.#atOnce = inFlight
    this.#left = this.#most
    this.#filledAt = clock.tick()
  }

  /** Resolves with the function that ends the write. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    this.#admit()
    await promise
    return () => {
      this.#inFlight -= 1
      this.#admit()
    }
  }

  #admit(): void {
    this.#fill()
    while (this.#left >= 1 && this.#inFlight < this.#atOnce) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#left -= 1
      this.#inFlight += 1
      next()
    }
    if (this.#waiting.length > 0 && this.#left < 1) this.#comeBack()
  }

  #fill(): void {
    const now = this.#clock.tick()
    this.#left = Math.min(this.#most, this.#left + ((now - this.#filledAt) / 1_000) * this.#perSecond)
    this.#filledAt = now
  }

  #comeBack(): void {
    if (this.#isTimed) return
    this.#isTimed = true
    this.#clock.after(Math.ceil(((1 - this.#left) / this.#perSecond) * 1_000), () => {
      this.#isTimed = false
      this.#admit()
    })
  }
}
