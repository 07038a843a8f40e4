/** What a driver has found. A row is a promise, unless it says that its figure is the machine's. */
export interface Row {
  /** Of the requirement that it shows. */
  readonly id: string
  readonly what: string
  readonly goal: string
  readonly measured: string
  readonly holds: boolean
  /** Depends on the machine and on who else uses it: a goal missed is printed, and fails nothing. */
  readonly isFigure?: true
  /** Of a figure: so far off that no machine explains it. Fails the run. */
  readonly isFar?: boolean
  /** Too little was seen for the figure to say anything, either way. */
  readonly isUnsaid?: boolean
}

export type State = 'holds' | 'missed' | 'not said' | 'FAILED'

export function stateOf({ holds, isFigure, isFar, isUnsaid }: Row): State {
  if (isUnsaid) return 'not said'
  if (isFar) return 'FAILED'
  if (holds) return 'holds'
  return isFigure ? 'missed' : 'FAILED'
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
