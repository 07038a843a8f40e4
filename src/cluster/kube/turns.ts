import type { Clock } from '../../clock.ts'

const AT_FIRST = 2
const AT_MOST = 32
const SLOW_MS = 250

/**
 * How many calls are under way at once, and so how many connections they take, one carrying one at a time.
 * Two suffice while the API server is quick. A slow call earns the others a connection more, so that nobody waits
 * behind it for long; when all is quiet it is two again.
 */
export class Turns {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  #limit = AT_FIRST
  #taken = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns what gives the turn back. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#taken < this.#limit) this.#taken += 1
    else await this.#queue(signal)
    const callOff = this.#clock.after(SLOW_MS, () => this.#widen())
    return () => {
      callOff()
      this.#giveBack()
    }
  }

  /** Whoever leaves the queue for its turn has it already: nobody can slip in between. */
  async #queue(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      this.#waiting.delete(resolve)
      reject(signal.reason)
    }
    this.#waiting.add(resolve)
    signal.addEventListener('abort', leave)
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }

  #widen(): void {
    if (this.#limit === AT_MOST) return
    this.#limit += 1
    this.#taken += 1
    this.#giveBack()
  }

  #giveBack(): void {
    const [next] = this.#waiting
    if (next !== undefined) {
      this.#waiting.delete(next)
      next()
    } else {
      this.#taken -= 1
      if (this.#taken === 0) this.#limit = AT_FIRST
    }
  }
}
