import { Failure } from './failure.ts'
import { printf } from './format/printf.ts'
import type { Arguments, Func } from './func.ts'
import { Imaginary } from './number-literal.ts'
import { VALUE } from './params.ts'
import { Dict, type GoValue, KeyValue, Sized, Slice, typeName, unboxed } from './values.ts'

type Basic = 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'string'
type Compared = GoValue | undefined

const UINT64 = 64

/** What Go compares by value. */
function basicKind(value: Compared): Basic | undefined {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float'
  if (typeof value === 'boolean') return 'bool'
  if (value instanceof Sized) return value.type === 'uint8' ? 'uint' : 'int'
  return value instanceof Imaginary ? 'complex' : undefined
}

const take = (given: Arguments): Compared => unboxed(given.take(VALUE))

export const EQ: Func = {
  arity: 1,
  isVariadic: true,
  call(given) {
    const first = take(given)
    const others = given.rest(VALUE).map(unboxed)
    if (others.length === 0) throw new Failure('missing argument for comparison')
    return others.some((other) => areEqual(first, other, given))
  },
}

export const NE: Func = { arity: 2, call: (given) => !areEqual(take(given), take(given), given) }
export const LT: Func = { arity: 2, call: (given) => isLess(take(given), take(given)) }
export const LE: Func = { arity: 2, call: (given) => isAtMost(given) }
export const GT: Func = { arity: 2, call: (given) => !isAtMost(given) }
export const GE: Func = { arity: 2, call: (given) => !isLess(take(given), take(given)) }

function isAtMost(given: Arguments): boolean {
  const [first, second] = [take(given), take(given)]
  return isLess(first, second) || areEqual(first, second, given)
}

function areEqual(first: Compared, second: Compared, given: Arguments): boolean {
  const [one, other] = [basicKind(first), basicKind(second)]
  if (one === undefined && other === undefined) return areOthersEqual(first, second, given)
  if (one !== other && !areIntegers(one, other)) {
    if (first === undefined || second === undefined) return false
    throw incompatible(first, second)
  }
  if (first instanceof Imaginary && second instanceof Imaginary) {
    return first.real === second.real && first.imaginary === second.imaginary
  }
  return plain(first) === plain(second)
}

/** Structures, and whether lists and maps are nil. */
function areOthersEqual(first: Compared, second: Compared, given: Arguments): boolean {
  const isComparable = first === undefined || second === undefined || kindOf(first) === kindOf(second)
  if (!isComparable) throw differentKinds(first, second, given)
  if (isNil(first) || isNil(second)) return isNil(first) === isNil(second)
  if (second instanceof Slice || second instanceof Dict) throw notComparable(second, given)
  if (first instanceof KeyValue && second instanceof KeyValue)
    return first.key === second.key && first.value === second.value
  return first === second
}

function differentKinds(first: GoValue, second: GoValue, { meter }: Arguments): Failure {
  const [one, other] = [typeName(first), typeName(second)]
  const shown = printf('%s: %s, %s: %v', [first, one, other, second], meter)
  return new Failure(`non-comparable types ${shown}`, `non-comparable types ${one}, ${other}`)
}

function notComparable(value: GoValue, { meter }: Arguments): Failure {
  const type = typeName(value)
  return new Failure(`non-comparable type ${printf('%s', [value], meter)}: ${type}`, `non-comparable type ${type}`)
}

function isNil(value: Compared): boolean {
  return value === undefined || ((value instanceof Slice || value instanceof Dict) && value.isNil)
}

function kindOf(value: GoValue): 'slice' | 'map' | 'struct' {
  if (value instanceof Slice) return 'slice'
  return value instanceof Dict ? 'map' : 'struct'
}

function isLess(first: Compared, second: Compared): boolean {
  const [one, other] = [basicKind(first), basicKind(second)]
  if (first === undefined || second === undefined || one === undefined || other === undefined) throw badType()
  if (one !== other && !areIntegers(one, other)) throw incompatible(first, second)
  if (one === 'bool' || one === 'complex') throw badType()
  const [a, b] = [plain(first), plain(second)]
  return a !== undefined && b !== undefined && a < b
}

const areIntegers = (one: Basic | undefined, other: Basic | undefined) => isInteger(one) && isInteger(other)
const isInteger = (kind: Basic | undefined) => kind === 'int' || kind === 'uint'

function plain(value: Compared): string | bigint | number | boolean | undefined {
  if (value instanceof Sized) return value.type === 'uint8' ? BigInt.asUintN(UINT64, value.value) : value.value
  return typeof value === 'object' ? undefined : value
}

const badType = () => new Failure('invalid type for comparison')

function incompatible(first: GoValue, second: GoValue): Failure {
  return new Failure(`incompatible types for comparison: ${typeName(first)} and ${typeName(second)}`)
}
