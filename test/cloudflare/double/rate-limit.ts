export interface RateLimit {
  readonly limit?: number
  readonly windowSeconds?: number
  readonly remaining?: number
}

/** Calls of one token in a window of time (CF-DBL-07). Limit, window and what is left are set by command. */
export class RateLimits {
  readonly #of = new Map<string, { limit: number; windowMs: number; used: number; since: number }>()

  set(token: string, { limit = 1_200, windowSeconds = 300, remaining }: RateLimit = {}): void {
    this.#of.set(token, {
      limit,
      windowMs: windowSeconds * 1_000,
      used: limit - (remaining ?? limit),
      since: Date.now(),
    })
  }

  /** The headers of each answer; with `retry-after` where the call is one too many. */
  take(token: string): { readonly isOver: boolean; readonly headers: Readonly<Record<string, string>> } {
    if (!this.#of.has(token)) this.set(token)
    const window = this.#of.get(token)
    if (window === undefined) return { isOver: false, headers: {} }
    if (Date.now() - window.since >= window.windowMs) Object.assign(window, { used: 0, since: Date.now() })
    window.used += 1
    const seconds = Math.max(1, Math.ceil((window.since + window.windowMs - Date.now()) / 1_000))
    const isOver = window.used > window.limit
    const left = Math.max(0, window.limit - window.used)
    const headers = {
      ratelimit: `"default";r=${left};t=${seconds}`,
      'ratelimit-policy': `"default";q=${window.limit};w=${window.windowMs / 1_000}`,
    }
    return { isOver, headers: isOver ? { ...headers, 'retry-after': String(seconds) } : headers }
  }
}
