import { availableParallelism, cpus } from 'node:os'

/** One figure: what was measured, beside what, in one run. */
export interface Row {
  readonly id: string
  readonly what: string
  readonly goal: string
  readonly measured: string
  /** What it was measured beside, in its own figure. */
  readonly beside: string
}

export function tableOf(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cellsOf = ({ id, what, goal, measured, beside }: Row) => [id, what, goal, measured, beside]
  const head = [line(['id', 'what', 'goal', 'measured', 'beside']), line(Array(5).fill('---')).replaceAll(' ', '')]
  return [...head, ...rows.map(cellsOf).map(line)].join('\n')
}

/** A row without a figure: Go or the registry is missing here. */
export function notMeasured(id: string, cause: unknown, what = ''): Row {
  const [why = ''] = String(cause instanceof Error ? cause.message : cause).split('\n')
  return { id, what, goal: '–', measured: 'not measured', beside: why }
}

export function whereAndWhen(now: Date): string {
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), which drivers and baselines share`
  return `${now.toISOString().slice(0, 10)}, Node ${process.versions.node}, ${machine}`
}

/** Median, least and most. */
export function spreadOf(values: readonly number[], digits = 2, unit = ''): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN).toFixed(digits)
  return `${at(0.5)}${unit} (${at(0)} … ${at(1)})`
}

export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(share * values.length)] ?? Number.NaN
}

export function quotients(those: readonly number[], these: readonly number[]): readonly number[] {
  return those.map((value, i) => value / (these[i] ?? Number.NaN))
}

export const MEGA = 1_048_576
