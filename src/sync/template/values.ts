import type { Bytes } from './bytes.ts'
import { GoTime } from './moment.ts'
import { Imaginary } from './number-literal.ts'

/** A value of a template. A string is Bytes, an int is a bigint and a float64 a number. */
export type GoValue = Bytes | bigint | number | boolean | Sized | Imaginary | Slice | Dict | KeyValue | GoTime

/** What an interface{} of Go holds: the elements of a JSON array and of a map. */
export type AnyValue = GoValue | null

/** What an expression gives. Undefined is Go's invalid value: a missing key, and `nil` where a value of its own is asked. */
export type Evaluated = GoValue | Boxed | undefined

/** What came out of an interface{}: Go tells it from a value whose type is known, in messages and for nil. */
export class Boxed {
  readonly held: AnyValue

  constructor(held: AnyValue) {
    this.held = held
  }
}

/** Integers that are no int. */
export class Sized {
  readonly type: 'int64' | 'uint8' | 'time.Month' | 'time.Weekday'
  readonly value: bigint

  constructor(type: Sized['type'], value: bigint) {
    this.type = type
    this.value = value
  }
}

export type SliceType = '[]string' | '[]int' | '[]interface {}' | '[]memkv.KVPair' | 'memkv.KVPairs'

export class Slice {
  readonly type: SliceType
  readonly items: readonly AnyValue[]
  /** What `slice` finds beyond the end: Go's capacity. */
  readonly reserve: readonly AnyValue[]
  readonly isNil: boolean

  constructor(type: SliceType, items: readonly AnyValue[], reserve: readonly AnyValue[] = [], isNil = false) {
    this.type = type
    this.items = items
    this.reserve = reserve
    this.isNil = isNil
  }

  as(type: SliceType): Slice {
    return type === this.type ? this : new Slice(type, this.items, this.reserve, this.isNil)
  }
}

/** A map[string]interface {}. A Map, so that `constructor` and `__proto__` are keys like others. */
export class Dict {
  readonly entries: ReadonlyMap<Bytes, AnyValue>
  readonly isNil: boolean

  constructor(entries: ReadonlyMap<Bytes, AnyValue>, isNil = false) {
    this.entries = entries
    this.isNil = isNil
  }

  /** In the order of the bytes of their keys. */
  get sorted(): readonly (readonly [Bytes, AnyValue])[] {
    return [...this.entries].sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

/** A memkv.KVPair. */
export class KeyValue {
  readonly key: Bytes
  readonly value: Bytes

  constructor(key: Bytes, value: Bytes) {
    this.key = key
    this.value = value
  }
}

/** As Go names the type, with %T and in messages. */
export function typeName(value: AnyValue): string {
  if (value === null) return '<nil>'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'boolean') return 'bool'
  if (value instanceof Sized || value instanceof Slice) return value.type
  if (value instanceof Dict) return 'map[string]interface {}'
  if (value instanceof KeyValue) return 'memkv.KVPair'
  return value instanceof GoTime ? 'time.Time' : 'complex128'
}

export const staticTypeName = (value: GoValue | Boxed) => (value instanceof Boxed ? 'interface {}' : typeName(value))

/** Without its interface: a nil in it becomes the invalid value. */
export const unboxed = (value: Evaluated): GoValue | undefined =>
  value instanceof Boxed ? (value.held ?? undefined) : value

export const heldOf = (value: Evaluated): AnyValue => unboxed(value) ?? null

/** SY-TPL-10. */
export function isTrue(evaluated: Evaluated): boolean {
  const value = unboxed(evaluated)
  if (value === undefined) return false
  if (typeof value === 'bigint') return value !== 0n
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'string' || typeof value === 'boolean') return value !== '' && value !== false
  if (value instanceof Sized) return value.value !== 0n
  if (value instanceof Slice) return value.items.length > 0
  if (value instanceof Dict) return value.entries.size > 0
  return !(value instanceof Imaginary) || value.real !== 0 || value.imaginary !== 0
}
