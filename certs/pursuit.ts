import { Refused } from '../src/cluster/port.ts'
import { Fault } from '../src/faults.ts'
import { backoffMs } from '../src/timing/backoff.ts'
import type { Cancel, Clock } from '../src/timing/clock.ts'

const AFTER_FAILURE = { first: 1_000, most: 60_000 }

interface PursuitParts<T> {
  readonly act: (seen: T) => Promise<void>
  readonly failed: (error: unknown, attempt: number) => void
  readonly clock: Clock
}

/** Acts on the newest version of one object, never concurrently. Retries failures with a growing backoff. */
export class Pursuit<T> {
  readonly #parts: PursuitParts<T>
  #newest: { readonly seen: T } | undefined
  #isActing = false
  #isDue = false
  #attempt = 0
  #cancel: Cancel = () => {}

  constructor(parts: PursuitParts<T>) {
    this.#parts = parts
  }

  tell(seen: T): void {
    this.#newest = { seen }
    this.again()
  }

  /** Acts again on the same object, for a caller whose clock or wishes have changed. */
  again(): void {
    this.#isDue = true
    if (!this.#isActing) void this.#catchUp()
  }

  stop(): void {
    this.#newest = undefined
    this.#cancel()
  }

  async #catchUp(): Promise<void> {
    this.#isActing = true
    while (this.#isDue && this.#newest !== undefined) {
      this.#isDue = false
      this.#cancel()
      await this.#act(this.#newest.seen)
    }
    this.#isActing = false
  }

  async #act(seen: T): Promise<void> {
    const { act, failed, clock } = this.#parts
    try {
      await act(seen)
      this.#attempt = 0
    } catch (error) {
      if (isOvertaken(error) || this.#newest === undefined) return
      this.#attempt += 1
      failed(error, this.#attempt)
      if (!mayHeal(error)) return
      this.#cancel = clock.after(backoffMs(AFTER_FAILURE, this.#attempt - 1, clock), () => this.again())
    }
  }
}

/**
 * Another writer was first, and the watch brings what it wrote. The API server answers a failed `test` with a bare 422
 * that names no cause (measured).
 */
function isOvertaken(error: unknown): boolean {
  if (error instanceof Refused) return error.status.code === 422 && !error.status.details?.causes?.length
  return error instanceof Fault && (error.code === 'CONFLICT' || error.code === 'GONE')
}

/** A retry cannot repair a defect of the object itself. */
function mayHeal(error: unknown): boolean {
  return !(error instanceof Fault && error.code === 'CERTIFICATE')
}

/** The fields to log: our own message, but only reason and code of a refusal, whose message may quote an object. */
export function wordsOf(error: unknown): { readonly reason?: string; readonly code?: number } {
  if (error instanceof Refused) return { reason: error.status.reason, code: error.status.code }
  return error instanceof Fault ? { reason: error.message } : {}
}
