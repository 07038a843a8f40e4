import { Failure } from './failure.ts'
import type { Func } from './func.ts'
import { VALUE } from './params.ts'
import {
  type AnyValue,
  Boxed,
  Dict,
  type Evaluated,
  type GoValue,
  Sized,
  Slice,
  staticTypeName,
  typeName,
  unboxed,
} from './values.ts'

export const LEN: Func = { arity: 1, call: (given) => BigInt(lengthOf(given.take(VALUE))) }

export const INDEX: Func = {
  arity: 1,
  isVariadic: true,
  call(given) {
    const first = unboxed(given.take(VALUE))
    const keys = given.rest(VALUE).map(unboxed)
    if (first === undefined) throw new Failure('index of untyped nil')
    return keys.reduce<Evaluated>(indexed, first)
  },
}

export const SLICE: Func = {
  arity: 1,
  isVariadic: true,
  call(given) {
    const of = unboxed(given.take(VALUE))
    const bounds = given.rest(VALUE)
    if (of === undefined) throw new Failure('slice of untyped nil')
    if (bounds.length > 3) throw new Failure(`too many slice indexes: ${bounds.length}`)
    return sliced(of, bounds)
  },
}

function lengthOf(evaluated: Evaluated): number {
  const value = unboxed(evaluated)
  if (evaluated === undefined) throw new Failure('reflect: call of reflect.Value.Type on zero Value')
  if (value === undefined) throw new Failure('len of nil pointer')
  if (typeof value === 'string') return value.length
  if (value instanceof Slice) return value.items.length
  if (value instanceof Dict) return value.entries.size
  throw new Failure(`len of type ${typeName(value)}`)
}

function indexed(of: Evaluated, key: GoValue | undefined): Evaluated {
  const item = unboxed(of)
  if (item === undefined) throw new Failure('index of nil pointer')
  if (item instanceof Dict) return new Boxed(item.entries.get(mapKey(key)) ?? null)
  if (typeof item === 'string') return byteAt(item, positionIn(key, item.length))
  if (item instanceof Slice) return elementAt(item, positionIn(key, item.items.length))
  throw new Failure(`can't index item of type ${typeName(item)}`)
}

function mapKey(key: GoValue | undefined): string {
  if (typeof key === 'string') return key
  if (key === undefined) throw new Failure('value is nil; should be of type string')
  throw new Failure(`value has type ${typeName(key)}; should be string`)
}

function byteAt(text: string, position: number): Sized {
  if (position === text.length) throw new Failure('reflect: string index out of range')
  return new Sized('uint8', BigInt(text.charCodeAt(position)))
}

export function elementAt(slice: Slice, position: number): Evaluated {
  const element = slice.items[position]
  if (element === undefined) throw new Failure('reflect: slice index out of range')
  return elementOf(slice, element)
}

/** Elements of a list of anything come in their interface. */
export function elementOf({ type }: Slice, element: AnyValue): Evaluated {
  return type === '[]interface {}' ? new Boxed(element) : (element ?? undefined)
}

/** A key in its interface is none: `index` has taken it out, and `slice` does not, as in Go. */
function positionIn(key: Evaluated, most: number): number {
  if (key === undefined) throw new Failure('cannot index slice/array with nil')
  const position = typeof key === 'bigint' ? key : key instanceof Sized ? key.value : undefined
  if (position === undefined) throw new Failure(`cannot index slice/array with type ${staticTypeName(key)}`)
  if (position < 0n || position > BigInt(most)) throw new Failure(`index out of range: ${position}`)
  return Number(position)
}

function sliced(of: GoValue, bounds: readonly Evaluated[]): GoValue {
  const isText = typeof of === 'string'
  if (isText && bounds.length === 3) throw new Failure('cannot 3-index slice a string')
  if (!isText && !(of instanceof Slice)) throw new Failure(`can't slice item of type ${typeName(of)}`)
  const length = isText ? of.length : of.items.length
  const capacity = isText ? length : length + of.reserve.length
  const [from = 0, to = length, most = capacity] = bounds.map((bound) => positionIn(bound, capacity))
  if (from > to) throw new Failure(`invalid slice index: ${from} > ${to}`)
  if (to > most) throw new Failure(`invalid slice index: ${to} > ${most}`)
  return isText ? of.slice(from, to) : part(of, from, to, most)
}

function part({ type, items, reserve, isNil }: Slice, from: number, to: number, most: number): Slice {
  const all = reserve.length === 0 ? items : [...items, ...reserve]
  return new Slice(type, all.slice(from, to), all.slice(to, most), isNil)
}
