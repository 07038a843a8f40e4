interface Found {
  /** Of the requirement that it shows. */
  readonly id: string
  readonly what: string
  readonly goal: string
  readonly measured: string
  readonly holds: boolean
}

/** Fails the run when it does not hold. */
export interface Vow extends Found {
  readonly isFigure?: never
}

/** Depends on the machine and on who else uses it: a goal missed is printed, and fails nothing. */
export interface Figure extends Found {
  readonly isFigure: true
  /** So far off that no machine explains it. Fails the run; the goal says from where on. */
  readonly isFar: boolean
  /** Too little was seen for the figure to say anything, either way. */
  readonly isUnsaid?: boolean
}

/** What a driver has found. */
export type Row = Vow | Figure

export type State = 'holds' | 'missed' | 'not said' | 'FAILED'

export function stateOf(row: Row): State {
  if (row.isFigure && row.isUnsaid) return 'not said'
  if (row.isFigure && row.isFar) return 'FAILED'
  if (row.holds) return 'holds'
  return row.isFigure ? 'missed' : 'FAILED'
}

/** How long drivers take their time. */
export interface Pace {
  readonly quick: boolean
  /** How long the soak lasts after its warm-up. */
  readonly soakSeconds: number
}

export type Driver = (pace: Pace) => Promise<readonly Row[]>

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]) => percentile(values, 0.5)
export const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`
export const percent = (share: number) => `${(share * 100).toFixed(0)} %`
