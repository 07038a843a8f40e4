import { type Backoff, backoffMs } from '../timing/backoff.ts'
import type { Cancel, Clock } from '../timing/clock.ts'
import type { Key, Watch } from './controller.ts'

export interface Wake {
  /** A change of an object goes before a resync. */
  readonly urgency?: 'edit' | 'resync'
  readonly afterMs?: number
  readonly gather?: Watch['gather']
}

interface QueuedKey {
  readonly id: string
  readonly key: Key
  /** When it is due; the earliest time that was asked for. */
  at: number
  /** Changes that are gathered: since when, and until when. */
  gathered?: { readonly since: number; readonly until: number }
  urgency: 'edit' | 'resync'
  failures: number
  isRunning: boolean
  isHeld: boolean
  cancel: Cancel
}

const BACKOFF: Backoff = { first: 5, most: 300_000 }
const NOTHING = () => {}
const NEVER = Number.POSITIVE_INFINITY
/** A timer of Node for more than 24 days runs at once. */
const LONGEST_MS = 86_400_000

/** The fields never run into each other, whatever they hold (TC-R6). */
export function idOf({ namespace, name, group = [] }: Key): string {
  return JSON.stringify([namespace, name, ...group])
}

/**
 * The keys of one controller that are due now or later, each once. A key that runs is not handed out until it has
 * finished; what wakes it meanwhile is kept (WR-1). The queue holds no more than the keys that were woken or failed.
 */
export class KeyQueue {
  readonly #clock: Clock
  readonly #onReady: () => void
  readonly #entries = new Map<string, QueuedKey>()
  readonly #ready = { edit: new Map<string, QueuedKey>(), resync: new Map<string, QueuedKey>() }

  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock
    this.#onReady = onReady
  }

  /** The keys that are due and do not run. */
  get depth(): number {
    return this.#ready.edit.size + this.#ready.resync.size
  }

  wake(key: Key, { urgency = 'edit', afterMs = 0, gather }: Wake = {}): void {
    const entry = this.#entryOf(key)
    const now = this.#clock.tick()
    if (gather === undefined) entry.at = Math.min(entry.at, now + afterMs)
    else entry.gathered = gatheredAt(now, gather, entry.gathered?.since)
    if (urgency === 'edit') entry.urgency = 'edit'
    this.#schedule(entry)
  }

  /** The next key, which runs until it has finished. */
  next(): Key | undefined {
    const [entry] = [...this.#ready.edit.values().take(1), ...this.#ready.resync.values().take(1)]
    if (entry === undefined) return undefined
    this.#unready(entry)
    Object.assign(entry, { isRunning: true, at: NEVER, urgency: 'resync', gathered: undefined })
    return entry.key
  }

  failuresOf(key: Key): number {
    return this.#entries.get(idOf(key))?.failures ?? 0
  }

  finished(key: Key): void {
    const entry = this.#entryOf(key)
    Object.assign(entry, { isRunning: false, failures: 0 })
    this.#schedule(entry)
  }

  /** It has finished, and comes back after the time that it was given, which counts as no failure. */
  postponed(key: Key, afterMs: number): void {
    const entry = this.#entryOf(key)
    entry.at = Math.min(entry.at, this.#clock.tick() + afterMs)
    entry.isRunning = false
    this.#schedule(entry)
  }

  /** It has finished, and comes back after its backoff. */
  failed(key: Key): void {
    const entry = this.#entryOf(key)
    entry.at = Math.min(entry.at, this.#clock.tick() + backoffMs(BACKOFF, entry.failures, this.#clock))
    Object.assign(entry, { isRunning: false, failures: entry.failures + 1 })
    this.#schedule(entry)
  }

  /** Keeps the key back, whatever wakes it. */
  hold(key: Key): void {
    const entry = this.#entryOf(key)
    entry.isHeld = true
    this.#schedule(entry)
  }

  release(key: Key): void {
    const entry = this.#entryOf(key)
    entry.isHeld = false
    this.#schedule(entry)
  }

  /** Forgets every key that does not run. */
  clear(): void {
    for (const entry of this.#entries.values()) {
      Object.assign(entry, { at: NEVER, gathered: undefined, failures: 0 })
      this.#schedule(entry)
    }
  }

  #entryOf(key: Key): QueuedKey {
    const id = idOf(key)
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    const entry: QueuedKey = {
      ...{ id, key, at: NEVER, urgency: 'resync', failures: 0, isRunning: false, isHeld: false },
      cancel: NOTHING,
    }
    this.#entries.set(id, entry)
    return entry
  }

  #schedule(entry: QueuedKey): void {
    entry.cancel()
    const isKept = entry.isRunning || entry.isHeld
    const waitMs = Math.min(entry.at, entry.gathered?.until ?? NEVER) - this.#clock.tick()
    if (!isKept && waitMs <= 0) {
      this.#isDue(entry)
      return
    }
    this.#unready(entry)
    if (isKept) return
    if (waitMs === NEVER) this.#entries.delete(entry.id)
    else entry.cancel = this.#clock.after(Math.min(waitMs, LONGEST_MS), () => this.#schedule(entry))
  }

  #unready({ id }: QueuedKey): void {
    this.#ready.edit.delete(id)
    this.#ready.resync.delete(id)
  }

  #isDue(entry: QueuedKey): void {
    if (entry.urgency === 'edit') this.#ready.resync.delete(entry.id)
    this.#ready[entry.urgency].set(entry.id, entry)
    this.#onReady()
  }
}

function gatheredAt(now: number, { quietMs, atMostMs }: NonNullable<Watch['gather']>, since = now) {
  return { since, until: Math.min(now + quietMs, since + atMostMs) }
}
