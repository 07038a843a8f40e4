import type { Bytes } from './bytes.ts'
import { Failure } from './failure.ts'
import { type Constant, nodeText } from './node.ts'
import type { NumberLiteral } from './number-literal.ts'
import { type AnyValue, type Evaluated, heldOf, Slice, staticTypeName, typeName } from './values.ts'

/** The type of a parameter: what it takes, and how it refuses the rest, in Go's words (SY-FN-1). */
export interface Param<T> {
  readonly take: (value: Evaluated) => T
  readonly takeNil: () => T
  readonly takeConstant: (constant: Constant) => T
}

export const STRING: Param<Bytes> = {
  take: (value) => typed(value, 'string', isString),
  takeNil: () => fail('cannot assign nil to string'),
  takeConstant: (constant) => (constant.is === 'string' ? constant.value : failFound('string', constant)),
}

export const INT: Param<bigint> = {
  take: (value) => typed(value, 'int', isInt),
  takeNil: () => fail('cannot assign nil to int'),
  takeConstant: (constant) => integerOf(constant) ?? failFound('integer', constant),
}

/** An interface{}. */
export const ANY: Param<AnyValue> = { take: heldOf, takeNil: () => null, takeConstant: ideal }

/** A value as it is, with its interface. */
export const VALUE: Param<Evaluated> = { take: (value) => value, takeNil: () => undefined, takeConstant: ideal }

export const STRINGS = slices('[]string', ['[]string'])
export const PAIRS = slices('[]memkv.KVPair', ['[]memkv.KVPair', 'memkv.KVPairs'])

function slices(type: Slice['type'], assignable: readonly string[]): Param<Slice> {
  const isAssignable = (value: AnyValue): value is Slice => value instanceof Slice && assignable.includes(value.type)
  const none = () => new Slice(type, [], [], true)
  return {
    take: (value) => (value === undefined ? none() : typed(value, type, isAssignable).as(type)),
    takeNil: none,
    takeConstant: (constant) => fail(`can't handle ${nodeText(constant)} for arg of type ${type}`),
  }
}

function typed<T extends AnyValue>(value: Evaluated, type: string, is: (held: AnyValue) => held is T): T {
  if (value === undefined) return fail(`invalid value; expected ${type}`)
  const held = heldOf(value)
  if (is(held)) return held
  const got = held === null ? staticTypeName(value) : typeName(held)
  return fail(`wrong type for value; expected ${type}; got ${got}`)
}

/** A constant where the type is not known. */
export function ideal(constant: Constant): Bytes | boolean | Exclude<NumberLiteral['ideal'], 'overflows'> {
  if (constant.is !== 'number') return constant.value
  const { ideal } = constant.value
  return ideal === 'overflows' ? fail(`${constant.source} overflows int`) : ideal
}

const integerOf = (constant: Constant) => (constant.is === 'number' ? constant.value.integer : undefined)
const isString = (held: AnyValue): held is Bytes => typeof held === 'string'
const isInt = (held: AnyValue): held is bigint => typeof held === 'bigint'

function failFound(type: string, constant: Constant): never {
  return fail(`expected ${type}; found ${nodeText(constant)}`)
}

function fail(reason: string): never {
  throw new Failure(reason)
}
