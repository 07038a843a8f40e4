import type { Clock } from '../../timing/clock.ts'

/** The calls that the API counts together: of one token, from all its users together (CF-API-03). */
const WINDOW_MS = 300_000
const BURST = 60
/** So many calls of the window are left to others when the API says how many there are. */
const SPARED = 20
/** A call that would wait longer is answered at once with the time when it may come again. */
const MOST_WAIT_MS = 5_000
const LONGEST_PAUSE_MS = 600_000

/** Of one credential: a bucket of calls that fills evenly, and a pause of all calls when the API asks for one. */
export class Limiter {
  readonly #clock: Clock
  readonly #burst: number
  readonly #eachMs: number
  /** When the bucket is full. */
  #fullAt: number
  #pausedUntil = Number.NEGATIVE_INFINITY
  #promised = Number.NEGATIVE_INFINITY

  constructor(requestsPerFiveMinutes: number, clock: Clock) {
    this.#clock = clock
    this.#burst = Math.max(1, Math.min(BURST, Math.floor(requestsPerFiveMinutes / 2)))
    this.#eachMs = WINDOW_MS / Math.max(1, requestsPerFiveMinutes - this.#burst)
    this.#fullAt = clock.tick()
  }

  /**
   * Takes one call from the bucket, and answers the milliseconds until it may leave; or takes none, and answers the time
   * after which the work may begin again. A write waits however long the bucket takes: what it rests on was just read.
   */
  take(isWrite: boolean): { readonly waitMs: number } | { readonly retryAfterMs: number } {
    const now = this.#clock.tick()
    const pauseMs = Math.max(0, this.#pausedUntil - now)
    if (pauseMs > MOST_WAIT_MS) return { retryAfterMs: pauseMs * (1 + this.#clock.random() / 10) }
    const behindMs = Math.max(this.#fullAt, now) - now - (this.#burst - 1) * this.#eachMs
    const waitMs = Math.max(pauseMs, Math.floor(behindMs))
    if (waitMs > MOST_WAIT_MS && !isWrite) return { retryAfterMs: this.#promise(now + waitMs) - now }
    this.#fullAt = Math.max(this.#fullAt, now) + this.#eachMs
    return { waitMs }
  }

  /** Those that come again do so one after the other, each with time for two calls. */
  #promise(at: number): number {
    this.#promised = Math.min(Math.max(this.#promised, at) + 2 * this.#eachMs, at + WINDOW_MS)
    return this.#promised
  }

  /** Answers how long it is (429). */
  pause(ms: number): number {
    const bounded = Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS)
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.tick() + bounded)
    return bounded
  }

  /** The header `Ratelimit: "default";r=12;t=34` is a hint: few calls are left of the window. */
  hear(header: string | null): void {
    const [, left, seconds] = /;r=(\d{1,9});t=(\d{1,9})/.exec(header?.slice(0, 200) ?? '') ?? []
    if (left !== undefined && Number(left) < SPARED) this.pause(Number(seconds) * 1_000)
  }
}
