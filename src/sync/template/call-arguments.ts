import type { Bytes } from './bytes.ts'
import { Failure } from './failure.ts'
import type { Arguments, Func } from './func.ts'
import type { CostMeter } from './meter.ts'
import { nodeText, type Operand } from './node.ts'
import type { Param } from './params.ts'
import type { Surroundings } from './surroundings.ts'
import { type Evaluated, typeName, unboxed } from './values.ts'

/** What stands behind the word that is called. */
export interface CallWords {
  readonly args: readonly Operand[]
  readonly piped: Piped | undefined
}

/** The value that the stage before in a pipeline hands on. */
export interface Piped {
  readonly value: Evaluated
}

type Evaluate = <T>(operand: Operand, param: Param<T>) => T

/** The arguments of one call. A value that is piped in is the last one. */
export class CallArguments implements Arguments {
  private readonly words: CallWords
  private readonly evaluate: Evaluate
  private taken = 0
  readonly surroundings: Surroundings
  readonly meter: CostMeter
  /** What fails while an argument is taken is its own error, and not that of the function. */
  isTaking = false

  constructor(words: CallWords, evaluate: Evaluate, around: Pick<Arguments, 'surroundings' | 'meter'>) {
    this.words = words
    this.evaluate = evaluate
    this.surroundings = around.surroundings
    this.meter = around.meter
  }

  get left(): number {
    return countOf(this.words) - this.taken
  }

  get firstText(): Bytes {
    const { args, piped } = this.words
    return args[0] === undefined ? `<${typeName(unboxed(piped?.value) ?? null)} Value>` : nodeText(args[0])
  }

  take<T>(param: Param<T>): T {
    this.isTaking = true
    const operand = this.words.args[this.taken]
    this.taken++
    const value = operand === undefined ? param.take(this.words.piped?.value) : this.evaluate(operand, param)
    this.isTaking = false
    return value
  }

  rest<T>(param: Param<T>): readonly T[] {
    return Array.from({ length: this.left }, () => this.take(param))
  }
}

export function checkCount({ arity, isVariadic }: Func, name: Bytes, words: CallWords): void {
  const count = countOf(words)
  if (isVariadic ? count >= arity : count === arity) return
  const [wanted, got] = isVariadic ? [`at least ${arity}`, words.args.length] : [arity, count]
  throw new Failure(`wrong number of args for ${name}: want ${wanted} got ${got}`)
}

const countOf = ({ args, piped }: CallWords) => args.length + (piped === undefined ? 0 : 1)
