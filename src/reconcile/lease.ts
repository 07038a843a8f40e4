import { type Ref, Refused, type Stored } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import type { Log } from '../telemetry/log.ts'
import type { Cancel, Clock } from '../timing/clock.ts'
import { pause } from '../timing/pause.ts'
import { type Leadership, notLeading } from './leadership.ts'
import {
  claimedLease,
  LEASE,
  LEASE_SECONDS,
  type LeaseClient,
  type LeaseRecord,
  leaseAt,
  newLease,
  recordOf,
  releasedLease,
} from './lease-record.ts'

export interface ElectionParts {
  readonly lease: Ref
  readonly identity: string
  readonly client: LeaseClient
  readonly clock: Clock
  readonly log: Log
}

const LEASE_MS = LEASE_SECONDS * 1_000
/** Without a renewal for so long the leader stops, five seconds before another can lead. */
const RENEW_DEADLINE_MS = 10_000
const RETRY_MS = 2_000
/** A standby sees a renewal so much later at most: with 15 s and two calls, 17 s pass until it leads (RL-7). */
const LOOK_MS = 1_500
const NEVER = Number.NEGATIVE_INFINITY

/**
 * Leader election on a Lease (WR-2), as client-go does it. Another holder's time has run out when its record has not
 * changed for 15 s of the local monotonic clock: the times in the record, and its duration, are not believed.
 */
export class Election implements Leadership {
  readonly identity: string
  readonly #lease: Ref
  readonly #client: LeaseClient
  readonly #clock: Clock
  readonly #log: Log
  readonly #listeners: ((leads: boolean) => void)[] = []
  readonly #stopping = new AbortController()
  #running = Promise.resolve()
  #leads = false
  #term = new AbortController()
  /** The fence: 10 s after the last successful renewal was sent. */
  #mayWriteUntil = NEVER
  /** Until then another may lead. */
  #othersUntil = NEVER
  #seen: string | undefined
  /** As we renewed it last: it is renewed again without a look. */
  #ours: Stored | undefined
  #claims = 0
  #endOfLead: Cancel = () => undefined

  constructor({ lease, identity, client, clock, log }: ElectionParts) {
    this.identity = identity
    this.#lease = lease
    this.#client = client
    this.#clock = clock
    this.#log = log
  }

  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  mayWrite(): boolean {
    return this.#leads && this.#clock.tick() < this.#mayWriteUntil
  }

  get term(): AbortSignal {
    return this.#term.signal
  }

  onChange(tell: (leads: boolean) => void): void {
    this.#listeners.push(tell)
    tell(this.#leads)
  }

  /** Nothing may be written any more. Resolves when the Lease is released, or cannot be. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#follow('this process is about to end')
    await this.#running
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = this.#clock.tick()
      await this.#attempt()
      await pause(this.#clock, Math.max(0, Math.ceil(this.#next(began) - this.#clock.tick())), signal)
    }
    if (this.#claims > 0) await this.#release()
  }

  /** When to look, or to renew, again: exactly when another's time runs out. */
  #next(began: number): number {
    if (this.#leads) return began + RETRY_MS
    const look = began + LOOK_MS
    return this.#othersUntil > this.#clock.tick() ? Math.min(look, this.#othersUntil) : look
  }

  async #attempt(): Promise<void> {
    const ours = this.#ours
    this.#ours = undefined
    try {
      if (ours !== undefined && (await this.#claim(ours))) return
      await this.#look()
    } catch (err) {
      this.#log.warn({ ...this.#lease, err }, 'the Lease of the leader cannot be read or written')
    }
  }

  async #look(): Promise<void> {
    const isFirst = this.#seen === undefined
    const lease = await leaseAt(this.#lease, this.#client)
    if (lease !== undefined) this.#observe(recordOf(lease))
    if (this.#stopping.signal.aborted) return
    if (lease === undefined && !isFirst && !this.mayWrite()) await this.#replant()
    else if (lease === undefined || this.#isFree(recordOf(lease))) await this.#claim(lease)
  }

  #observe({ text, holder, isReleased }: LeaseRecord): void {
    const isOurs = holder === this.identity
    if (holder !== '' && !isOurs) this.#follow('another process holds the Lease')
    if (text === this.#seen) return
    this.#seen = text
    this.#othersUntil = isReleased || isOurs ? NEVER : this.#clock.tick() + LEASE_MS
  }

  /** A leader takes one that was emptied back at once, before the time of the others has come. */
  #isFree({ holder }: LeaseRecord): boolean {
    return this.#clock.tick() >= this.#othersUntil || (holder === '' && this.mayWrite())
  }

  /**
   * A Lease that was deleted may still have a leader. One without a holder gives it the time to take it back, and shows
   * whether it has, which no absence does.
   */
  async #replant(): Promise<void> {
    const lease = newLease(this.#lease, { ...this.#nextClaim(), identity: '' })
    await this.#client.writer.create(LEASE, lease).catch(unlessOvertaken)
  }

  /** Answers whether the Lease is ours now; not if another writer came first. */
  async #claim(lease: Stored | undefined): Promise<boolean> {
    const sentAt = this.#clock.tick()
    this.#seen ??= ''
    const stored = await this.#stored(lease).catch(unlessOvertaken)
    if (stored === undefined) return false
    this.#ours = stored
    this.#observe(recordOf(stored))
    this.#lead(sentAt + RENEW_DEADLINE_MS)
    return true
  }

  #stored(lease: Stored | undefined): Promise<Stored> {
    const { writer } = this.#client
    const claim = this.#nextClaim()
    if (lease === undefined) return writer.create(LEASE, newLease(this.#lease, claim))
    return writer.replace(LEASE, claimedLease(lease, claim))
  }

  #nextClaim() {
    this.#claims += 1
    return { identity: this.identity, at: this.#clock.now(), count: this.#claims }
  }

  /** A renewal that took too long to be answered renews the Lease, and not the right to write. */
  #lead(until: number): void {
    const leftMs = until - this.#clock.tick()
    if (this.#stopping.signal.aborted || leftMs <= 0) return
    this.#mayWriteUntil = until
    this.#endOfLead()
    this.#endOfLead = this.#clock.after(leftMs, () => this.#follow('the Lease is not renewed in time'))
    if (!this.#leads) this.#change(true, 'holds the Lease')
  }

  #follow(reason: string): void {
    this.#endOfLead()
    if (this.#leads) this.#change(false, reason)
  }

  #change(leads: boolean, reason: string): void {
    this.#leads = leads
    if (leads) this.#term = new AbortController()
    else this.#term.abort(notLeading())
    const holder = this.identity
    this.#log.info(
      { ...this.#lease, holder, reason },
      leads ? 'this process leads' : 'this process does not lead any more',
    )
    for (const tell of this.#listeners) tell(leads)
  }

  /** Reads first, since a claim may have been stored without an answer. */
  async #release(): Promise<void> {
    try {
      const lease = await leaseAt(this.#lease, this.#client)
      if (lease === undefined || recordOf(lease).holder !== this.identity) return
      await this.#client.writer.replace(LEASE, releasedLease(lease, this.#nextClaim()))
    } catch (err) {
      this.#log.warn(
        { ...this.#lease, err },
        'the Lease is not released: the next leader waits until its time has run out',
      )
    }
  }
}

/** Another writer came first. */
function unlessOvertaken(cause: unknown): undefined {
  const isTwin = cause instanceof Refused && cause.status.reason === 'AlreadyExists'
  const isStale = cause instanceof Fault && (cause.code === 'CONFLICT' || cause.code === 'GONE')
  if (!isTwin && !isStale) throw cause
}
