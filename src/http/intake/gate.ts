import { Fault } from '../../faults.ts'
import type { Cancel, Clock } from '../../timing/clock.ts'

/** Why a review is sent away, to be sent again in a second (SV-5). */
export type Crowding =
  /** As many wait as may. */
  | 'queue'
  /** It has waited as long as one may. */
  | 'wait'
  /** Whoever sent it has not waited. */
  | 'gone'
  /** The bodies that are held take as much memory as they may. */
  | 'memory'
  /** As many passwords wait to be hashed as may. */
  | 'hash'

/** Not now; whoever sent it waits a second and sends it again (AP-4). */
export class Shed extends Fault {
  readonly crowding: Crowding

  constructor(crowding: Crowding) {
    super('OVERLOADED', 'too many reviews at once; send it again in a second')
    this.crowding = crowding
  }
}

export interface GateLimits {
  /** Reviews in flight: at most as long as the event loop comes round in time, and however late it is. */
  readonly most: number
  readonly least: number
  /** Reviews that wait for one in flight to be answered, and for how many milliseconds. */
  readonly waiting: number
  readonly waitMs: number
  /** So long one turn of the event loop may begin reviews before it looks who else has come. */
  readonly turnMs: number
  /** So long if they were kept waiting by others, mostly by those who had to be sent away. */
  readonly longTurnMs: number
  /** A turn that took longer is late: then fewer reviews may be in flight. */
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

/** Reviews get so many times as long as what kept them waiting: to be sent away must not cost those who are let in their turn. */
const SHARE = 4

export interface GateParts {
  readonly clock: Pick<Clock, 'tick' | 'after'>
  /** Runs something at the end of this turn of the event loop, when all who had come by now were heard. */
  readonly atTurnEnd: (act: () => void) => void
  readonly limits?: Partial<GateLimits>
  readonly depthChanged?: (depth: number) => void
}

interface Waiter {
  readonly letIn: () => void
  readonly callOff: Cancel
}

/**
 * How many reviews are worked on at once. Who comes when that many are has to wait, not for long, and not many can: the rest
 * are sent away at once, so that those who are let in are answered in good time however many come.
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

  /** Who came now would not even get to wait. */
  get isFull(): boolean {
    return this.#waiting.size >= this.#limits.waiting && !this.#isOpen()
  }

  /** Does the work when its turn has come, and says how long that took; or throws that it is not to come. */
  async pass<T>(work: (waitedMs: number) => Promise<T>): Promise<T> {
    const waitedMs = this.#isOpen() ? this.#begin() : await this.#wait()
    try {
      const working = work(waitedMs)
      this.#goOn() // there may be time for another in this turn
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

  /** Whoever is let in has begun already: nobody can slip in before it. */
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

  /** How long this turn has been at it. */
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
