/** What one template may cost (SY-LIM-1). */
export interface Limits {
  readonly outputBytes: number
  /** Template calls inside each other. */
  readonly calls: number
  /** Evaluated nodes. */
  readonly steps: number
  readonly cpuMs: number
}

export const LIMITS: Limits = { outputBytes: 16 * 1024 * 1024, calls: 1_000, steps: 5_000_000, cpuMs: 2_000 }

export const MOST_SOURCE_BYTES = 1024 * 1024
