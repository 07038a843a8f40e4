import type { Bytes } from '../bytes.ts'
import { Failure } from '../failure.ts'
import type { Arguments, Func } from '../func.ts'
import { ANY, PAIRS, STRINGS } from '../params.ts'
import { type AnyValue, Boxed, Dict, KeyValue, Slice } from '../values.ts'
import { jsonArray, jsonObject } from './json.ts'

/** What an element of a list takes. */
const ELEMENT_BYTES = 16

/** A decision of ours: a copy, and of any list. */
function reversed(given: Arguments): AnyValue {
  const value = given.take(ANY)
  return value instanceof Slice ? ordered(value, value.items.toReversed(), given) : value
}

/** In a copy, and stable. */
function byLength(slice: Slice, lengthOf: (item: AnyValue) => number, given: Arguments): Slice {
  return ordered(
    slice,
    slice.items.toSorted((a, b) => lengthOf(a) - lengthOf(b)),
    given,
  )
}

function ordered({ type, isNil }: Slice, items: readonly AnyValue[], given: Arguments): Slice {
  given.meter.make(items.length * ELEMENT_BYTES)
  return new Slice(type, items, [], isNil)
}

const textLength = (item: AnyValue) => (typeof item === 'string' ? item.length : 0)
const keyLength = (item: AnyValue) => (item instanceof KeyValue ? item.key.length : 0)

function map(given: Arguments): Dict {
  const values = given.rest(ANY)
  if (values.length % 2 !== 0) throw new Failure('invalid map call')
  const entries = new Map<Bytes, AnyValue>()
  for (let i = 0; i < values.length; i += 2) {
    const key = values[i]
    if (typeof key !== 'string') throw new Failure('map keys must be strings')
    entries.set(key, values[i + 1] ?? null)
  }
  return new Dict(entries)
}

export const LISTS: readonly (readonly [Bytes, Func])[] = [
  ['json', { arity: 1, call: jsonObject }],
  ['jsonArray', { arity: 1, call: jsonArray }],
  ['map', { arity: 0, isVariadic: true, call: map }],
  ['reverse', { arity: 1, call: (given) => new Boxed(reversed(given)) }],
  ['sortByLength', { arity: 1, call: (given) => byLength(given.take(STRINGS), textLength, given) }],
  ['sortKVByLength', { arity: 1, call: (given) => byLength(given.take(PAIRS), keyLength, given) }],
]
