/** What lets writes out until it is closed, and never again then. */
export interface Fence {
  /** Aborts when the fence closes: a request that waits, or is under way, is given up. */
  readonly closed: AbortSignal
  /** Throws if the fence is closed, also before the signal has noticed: asked right before each request leaves. */
  check(): void
}
export interface FencedOptions {
  readonly fence?: Fence
}
