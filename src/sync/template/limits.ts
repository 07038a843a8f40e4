const MIB = 1024 * 1024

/** What one rendering may cost (SY-LIM-1). */
export interface Limits {
  readonly outputBytes: number
  /** Of one value that a function makes. */
  readonly valueBytes: number
  /** Of all values that functions make. */
  readonly madeBytes: number
  /** Template calls inside each other. */
  readonly calls: number
  /** Evaluated nodes. */
  readonly steps: number
  readonly cpuMs: number
  readonly cpuMsNow: () => number
}

/** A rendering is synchronous: the time that passes is the time that it takes. */
export const LIMITS: Limits = {
  outputBytes: 16 * MIB,
  valueBytes: 16 * MIB,
  madeBytes: 256 * MIB,
  calls: 1_000,
  steps: 5_000_000,
  cpuMs: 2_000,
  cpuMsNow: () => performance.now(),
}

export const MOST_SOURCE_BYTES = MIB
