import { Fault } from '../../../faults.ts'
import type { Clock } from '../../../timing/clock.ts'
import { type Fuse, fuse } from '../../../timing/fuse.ts'

const AT_FIRST = 2
/** Two pods then leave some of the 245 that an API server works on at once for all service accounts, as it comes. */
const AT_MOST = 96
const LONG_MS = 50
/** The share of its time that a call waits for a turn: most of it is left for the answer. */
const WAITING_SHARE = 0.4

/**
 * How many calls are under way at once, and so how many connections they take, one carrying one at a time.
 * Two suffice while the API server is quick. A call that waits for long adds one turn, however many wait with it; when
 * all is quiet it is two again.
 */
export class Turns {
  readonly #clock: Clock
  readonly #server: string
  readonly #waiting = new Set<() => void>()
  #limit = AT_FIRST
  #taken = 0

  constructor(clock: Clock, server: string) {
    this.#clock = clock
    this.#server = server
  }

  /** Resolves with the function that releases the turn. */
  async take(patience: Fuse): Promise<() => void> {
    if (this.#taken < this.#limit) this.#taken += 1
    else await this.#queue(patience)
    return () => this.#giveBack()
  }

  /** A call has its turn before it leaves the queue, so no other call can overtake it. */
  async #queue(patience: Fuse): Promise<void> {
    patience.signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waitMs = patience.left() * WAITING_SHARE
    const { signal, release } = fuse(this.#clock, waitMs, () => this.#tooMany(), patience.signal)
    const leave = () => {
      this.#waiting.delete(resolve)
      reject(signal.reason)
    }
    this.#waiting.add(resolve)
    signal.addEventListener('abort', leave)
    const callOff = this.#clock.after(LONG_MS, () => this.#widen())
    await promise.finally(() => {
      callOff()
      release()
    })
  }

  #tooMany(): Fault {
    return new Fault('DEADLINE', `too many requests to the API server at ${this.#server} are under way already`)
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
