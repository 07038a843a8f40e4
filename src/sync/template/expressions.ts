import type { Bytes } from './bytes.ts'
import { CallArguments, type CallWords, checkCount, type Piped } from './call-arguments.ts'
import { Failure } from './failure.ts'
import type { Func, Funcs } from './func.ts'
import type { CostMeter } from './meter.ts'
import { methodOf } from './methods.ts'
import type { CommandPart, Located, Operand, Pipe } from './node.ts'
import { nodeText } from './node.ts'
import { ideal, type Param } from './params.ts'
import { quoted } from './quoting.ts'
import type { Surroundings } from './surroundings.ts'
import { Boxed, Dict, type Evaluated, KeyValue, staticTypeName, unboxed } from './values.ts'
import type { Variables } from './variables.ts'

/** What an expression sees. */
export interface ExpressionScope {
  readonly dot: Evaluated
  readonly variables: Variables
}

interface ExpressionParts {
  readonly functions: Funcs
  readonly surroundings: Surroundings
  readonly meter: CostMeter
  readonly isStrict: boolean
}

/** Evaluates pipelines, step by step as Go does, so that its errors are those of Go. */
export class Expressions {
  private readonly functions: Funcs
  private readonly surroundings: Surroundings
  private readonly meter: CostMeter
  private readonly isStrict: boolean
  /** Where an error is. */
  at: Located | undefined

  constructor({ functions, surroundings, meter, isStrict }: ExpressionParts) {
    this.functions = functions
    this.surroundings = surroundings
    this.meter = meter
    this.isStrict = isStrict
  }

  pipeline(scope: ExpressionScope, pipe: Pipe): Evaluated {
    this.goTo(pipe)
    let piped: Piped | undefined
    for (const command of pipe.commands) piped = { value: unboxedTop(this.command(scope, command, piped)) }
    const value = piped?.value
    for (const name of pipe.declared) {
      if (pipe.assigns) scope.variables.set(name, value)
      else scope.variables.push(name, value)
    }
    return value
  }

  private goTo(node: Located): void {
    this.meter.step()
    this.at = node
  }

  private command(scope: ExpressionScope, command: CommandPart, piped: Piped | undefined): Evaluated {
    const [first, ...args] = command.operands
    switch (first.is) {
      case 'function':
        return this.functionCall(scope, first.name, { node: command, at: first, args, piped })
      case 'field':
      case 'chain':
      case 'variable':
        return this.path(scope, first, { args, piped })
      default:
        return this.lone(scope, first, args.length > 0 || piped !== undefined)
    }
  }

  /** A word that takes no arguments. */
  private lone(scope: ExpressionScope, operand: Operand, hasArguments: boolean): Evaluated {
    if (operand.is !== 'pipe') this.goTo(operand)
    if (hasArguments) throw new Failure(`can't give argument to non-function ${nodeText(operand)}`)
    if (operand.is === 'nil') throw new Failure('nil is not a command')
    return this.operand(scope, operand)
  }

  private operand(scope: ExpressionScope, operand: Operand): Evaluated {
    switch (operand.is) {
      case 'pipe':
        return this.pipeline(scope, operand)
      case 'function':
        return this.functionCall(scope, operand.name, { node: operand, at: operand, args: [], piped: undefined })
      case 'field':
      case 'chain':
      case 'variable':
        return this.path(scope, operand, { args: [], piped: undefined })
      case 'dot':
        return scope.dot
      case 'nil':
        return undefined
      default:
        return ideal(operand)
    }
  }

  private path(
    scope: ExpressionScope,
    operand: Operand & { readonly path: readonly Bytes[] },
    given: CallWords,
  ): Evaluated {
    this.goTo(operand)
    const [from, last] = [this.startOf(scope, operand), operand.path.at(-1)]
    if (last === undefined) {
      if (given.args.length > 0 || given.piped !== undefined) {
        throw new Failure(`can't give argument to non-function ${nodeText(operand)}`)
      }
      return from
    }
    const none: CallWords = { args: [], piped: undefined }
    const before = operand.path.slice(0, -1)
    const receiver = before.reduce<Evaluated>((of, name) => this.field(scope, of, name, operand, none), from)
    return this.field(scope, receiver, last, operand, given)
  }

  private startOf(scope: ExpressionScope, operand: Operand): Evaluated {
    if (operand.is === 'variable') return scope.variables.get(operand.name)
    if (operand.is !== 'chain') return scope.dot
    if (operand.of.is === 'nil') throw new Failure(`indirection through explicit nil in ${nodeText(operand)}`)
    this.goTo(operand.of)
    return this.operand(scope, operand.of)
  }

  private field(scope: ExpressionScope, of: Evaluated, name: Bytes, node: Operand, given: CallWords): Evaluated {
    this.meter.step()
    if (of === undefined) return this.missing(`nil data; no entry for key ${quoted(name)}`)
    const receiver = unboxed(of)
    if (receiver === undefined) throw new Failure(`nil pointer evaluating interface {}.${name}`)
    const method = methodOf(receiver, name)
    if (method !== undefined) return this.call(scope, method, name, { ...given, node })
    const hasArguments = given.args.length > 0 || given.piped !== undefined
    if (receiver instanceof KeyValue && (name === 'Key' || name === 'Value')) {
      if (hasArguments) throw new Failure(`${name} has arguments but cannot be invoked as function`)
      return name === 'Key' ? receiver.key : receiver.value
    }
    if (!(receiver instanceof Dict)) throw new Failure(`can't evaluate field ${name} in type ${staticTypeName(of)}`)
    if (hasArguments) throw new Failure(`${name} is not a method but has arguments`)
    const held = receiver.entries.get(name)
    return held === undefined ? this.missing(`map has no entry for key ${quoted(name)}`) : new Boxed(held)
  }

  /** SY-TPL-12, and SY-TPL-14 where it is strict. */
  private missing(reason: string): undefined {
    if (this.isStrict) throw new Failure(reason)
    return undefined
  }

  private functionCall(
    scope: ExpressionScope,
    name: Bytes,
    given: CallWords & { readonly node: Located; readonly at: Operand },
  ) {
    this.goTo(given.at)
    const func = this.functions.get(name)
    if (func === undefined) throw new Failure(`${quoted(name)} is not a defined function`)
    return this.call(scope, func, name, given)
  }

  private call(
    scope: ExpressionScope,
    func: Func,
    name: Bytes,
    given: CallWords & { readonly node: Located },
  ): Evaluated {
    checkCount(func, name, given)
    const { surroundings, meter } = this
    const evaluate = <T>(operand: Operand, param: Param<T>) => this.argument(scope, operand, param)
    const args = new CallArguments(given, evaluate, { surroundings, meter })
    try {
      return func.call(args)
    } catch (failure) {
      if (!(failure instanceof Failure) || args.isTaking || failure.isFatal) throw failure
      this.goTo(given.node)
      throw failure.within(`error calling ${name}`)
    }
  }

  /** An argument for a parameter of a type. */
  private argument<T>(scope: ExpressionScope, operand: Operand, param: Param<T>): T {
    this.goTo(operand)
    switch (operand.is) {
      case 'bool':
      case 'string':
      case 'number':
        return param.takeConstant(operand)
      case 'nil':
        return param.takeNil()
      default:
        return param.take(this.operand(scope, operand))
    }
  }
}

/** A value that is known to be nil is none, once its command is through. */
const unboxedTop = (value: Evaluated): Evaluated => (value instanceof Boxed ? unboxed(value) : value)
