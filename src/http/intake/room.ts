/** Longer than a body takes from an API server. Whoever needs longer makes room when that is short. */
const SLOW_MS = 1_000

/** A body that is being read. */
export interface PendingBody {
  readonly began: number
  /** Gives back what it has taken. */
  readonly evict: () => void
}

/**
 * Memory for bodies and what is made of them, by what has really come: whoever announces much and sends little takes little,
 * and whoever sends slowly keeps nobody out.
 */
export class Room {
  readonly size: number
  readonly #tick: () => number
  readonly #coming = new Set<PendingBody>() // in the order in which they began
  #left: number

  constructor(bytes: number, tick: () => number) {
    this.size = bytes
    this.#left = bytes
    this.#tick = tick
  }

  has(bytes: number): boolean {
    if (bytes > this.#left) this.#sendAwaySlow()
    return bytes <= this.#left
  }

  /** For one request, from its first byte to its answer. */
  share(): Share {
    let taken = 0
    let isOver = false
    return {
      get taken() {
        return taken
      },
      take: (bytes) => {
        if (!this.has(bytes) || isOver) return false // to make room, whoever asks for it may have been sent away
        this.#left -= bytes
        taken += bytes
        return true
      },
      giveBack: () => {
        isOver = true
        this.#left += taken
        taken = 0
      },
    }
  }

  /** Until the returned is called. */
  coming(comer: PendingBody): () => void {
    this.#coming.add(comer)
    return () => void this.#coming.delete(comer)
  }

  #sendAwaySlow(): void {
    const began = this.#tick() - SLOW_MS
    for (const comer of [...this.#coming]) if (comer.began < began) comer.evict()
  }
}

export interface Share {
  readonly taken: number
  /** Whether there was room, and this share has not been given back. */
  take(bytes: number): boolean
  giveBack(): void
}
