import { Fault } from '../../faults.ts'
import type { Cancel, Clock } from '../../timing/clock.ts'

/** Why a review is shed; the API server retries it after a second (SV-5). */
export type Crowding =
  /** The queue is full. */
  | 'queue'
  /** The review has waited too long. */
  | 'wait'
  /** The caller has gone. */
  | 'gone'
  /** The bodies in memory take all the memory that they may. */
  | 'memory'
  /** The queue of passwords to hash is full. */
  | 'hash'

/** The caller must retry after a second (AP-4). */
export class Shed extends Fault {
  readonly crowding: Crowding

  constructor(crowding: Crowding) {
    super('OVERLOADED', 'too many reviews at once; send it again in a second')
    this.crowding = crowding
  }
}

export interface GateLimits {
  /** Bounds of the reviews in flight: `most` while the event loop is punctual, `least` however late it is. */
  readonly most: number
  readonly least: number
  /** How many reviews may wait for one in flight to be answered, and for how many milliseconds. */
  readonly waiting: number
  readonly waitMs: number
  /** For so long a turn of the event loop may begin reviews before it accepts new requests. */
  readonly turnMs: number
  /** The same if other work delayed the reviews, mostly the shedding of others. */
  readonly longTurnMs: number
  /** After a turn that took longer, fewer reviews may be in flight. */
  readonly lateMs: number
}

const LIMITS: GateLimits = {
  most: 256,
  least: 64,
  waiting: 128,
  waitMs: 500,
  turnMs: 5,
  longTurnMs: 50,
  lateMs: 100,
}

/** Reviews get this many times the time of the work that delayed them, so that shedding does not starve admitted reviews. */
const SHARE = 4

export interface GateParts {
  readonly clock: Pick<Clock, 'tick' | 'after'>
  /** Runs `act` at the end of this turn of the event loop, after all requests that had arrived. */
  readonly atTurnEnd: (act: () => void) => void
  readonly limits?: Partial<GateLimits>
  readonly depthChanged?: (depth: number) => void
}

interface Waiter {
  readonly letIn: () => void
  readonly callOff: Cancel
}

/**
 * Limits the reviews in flight. Beyond the limit a few reviews wait for a short time, and the rest are shed at once, so
 * that admitted reviews are answered in time under any load.
 */
export class Gate {
  readonly #parts: GateParts
  readonly #limits: GateLimits
  readonly #waiting = new Set<Waiter>()
  #limit: number
  #inFlight = 0
  #turnBegan: number | undefined
  #mayTakeMs: number
  #workedAt = 0

  constructor(parts: GateParts) {
    this.#parts = parts
    this.#limits = { ...LIMITS, ...parts.limits }
    this.#limit = this.#limits.most
    this.#mayTakeMs = this.#limits.turnMs
  }

  /** A review that arrived now would be shed without waiting. */
  get isFull(): boolean {
    return this.#waiting.size >= this.#limits.waiting && !this.#isOpen()
  }

  /** Runs the work in its turn and passes it the time that it waited; throws Shed when it gets no turn. */
  async pass<T>(work: (waitedMs: number) => Promise<T>): Promise<T> {
    const waitedMs = this.#isOpen() ? this.#begin() : await this.#wait()
    try {
      const working = work(waitedMs)
      this.#goOn() // this turn may have time for another review
      return await working
    } finally {
      this.#inFlight -= 1
      this.#goOn()
    }
  }

  #begin(): number {
    this.#inFlight += 1
    return 0
  }

  async #wait(): Promise<number> {
    if (this.#waiting.size >= this.#limits.waiting) throw new Shed('queue')
    const { clock } = this.#parts
    const began = clock.tick()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const callOff = clock.after(this.#limits.waitMs, () => {
      this.#drop(waiter)
      reject(new Shed('wait'))
    })
    const waiter = { letIn: resolve, callOff }
    this.#waiting.add(waiter)
    this.#tellDepth()
    await promise
    return clock.tick() - began
  }

  #goOn(): void {
    this.#workedAt = this.#parts.clock.tick()
    this.#letIn()
  }

  /** Counted as in flight before it resumes, so no new caller can overtake it. */
  #letIn(): void {
    const [waiter] = this.#waiting
    if (waiter === undefined || !this.#hasRoom()) return
    this.#drop(waiter)
    this.#inFlight += 1
    waiter.letIn()
  }

  #drop(waiter: Waiter): void {
    waiter.callOff()
    this.#waiting.delete(waiter)
    this.#tellDepth()
  }

  #isOpen(): boolean {
    return this.#waiting.size === 0 && this.#hasRoom()
  }

  #hasRoom(): boolean {
    return this.#inFlight < this.#limit && this.#turnMs() < this.#mayTakeMs
  }

  /** The age of this turn of the event loop. */
  #turnMs(): number {
    const { clock, atTurnEnd } = this.#parts
    const now = clock.tick()
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now
      atTurnEnd(() => this.#endTurn())
    }
    return now - this.#turnBegan
  }

  #endTurn(): void {
    const tookMs = this.#turnMs()
    const { least, most, turnMs, longTurnMs, lateMs } = this.#limits
    const keptMs = this.#parts.clock.tick() - this.#workedAt
    this.#mayTakeMs = Math.min(Math.max(keptMs * SHARE, turnMs), longTurnMs)
    this.#limit = tookMs > lateMs ? Math.max(least, Math.floor(this.#limit * 0.75)) : Math.min(most, this.#limit + 1)
    this.#turnBegan = undefined
    this.#letIn()
  }

  #tellDepth(): void {
    this.#parts.depthChanged?.(this.#waiting.size)
  }
}
