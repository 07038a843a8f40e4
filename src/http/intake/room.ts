/** Longer than an API server takes to send a body. Slower bodies are evicted when room is short. */
const SLOW_MS = 1_000

/** A body that is being read. */
export interface PendingBody {
  readonly began: number
  /** Also releases the room that the body has taken. */
  readonly evict: () => void
}

/**
 * Bounds the memory of bodies and of what is parsed from them. Only received bytes count, so a large Content-Length alone
 * takes no room, and a slow sender cannot block others.
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

  /** The share of one request, from its first byte to its answer. */
  share(): Share {
    let taken = 0
    let isOver = false
    return {
      get taken() {
        return taken
      },
      take: (bytes) => {
        if (!this.has(bytes) || isOver) return false // making room may have evicted this very body
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

  /** Registers a body that is being read, until the returned function is called. */
  coming(body: PendingBody): () => void {
    this.#coming.add(body)
    return () => void this.#coming.delete(body)
  }

  #sendAwaySlow(): void {
    const began = this.#tick() - SLOW_MS
    for (const body of [...this.#coming]) if (body.began < began) body.evict()
  }
}

export interface Share {
  readonly taken: number
  /** False when there is no room, or when this share was released already. */
  take(bytes: number): boolean
  giveBack(): void
}
