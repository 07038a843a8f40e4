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

export const LIMITS: Limits = {
  outputBytes: 16 * MIB,
  valueBytes: 16 * MIB,
  madeBytes: 256 * MIB,
  calls: 1_000,
  steps: 5_000_000,
  cpuMs: 2_000,
  cpuMsNow: cpuMsOfProcess,
}

export const MOST_SOURCE_BYTES = MIB

/** A rendering is synchronous: what the process computes meanwhile is the rendering. */
function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
