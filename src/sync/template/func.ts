import type { Bytes } from './bytes.ts'
import type { CostMeter } from './meter.ts'
import type { Param } from './params.ts'
import type { Surroundings } from './surroundings.ts'
import type { Evaluated } from './values.ts'

/** A function of templates. */
export interface Func {
  /** The parameters that must be given. */
  readonly arity: number
  readonly isVariadic?: true
  /** Throws a Failure. It takes its arguments in order, and all before it fails by itself. */
  readonly call: (given: Arguments) => Evaluated
}

export type Funcs = ReadonlyMap<Bytes, Func>

/** What a function is called with. An argument is evaluated when it is taken. */
export interface Arguments {
  /** The next one. */
  take<T>(param: Param<T>): T
  /** All that are left. */
  rest<T>(param: Param<T>): readonly T[]
  /** How many are left. */
  readonly left: number
  /** The first argument as the template has it. */
  readonly firstText: Bytes
  readonly surroundings: Surroundings
  readonly meter: CostMeter
}
