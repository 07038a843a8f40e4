import { isQuantity } from '../../../src/kube/quantities.ts'
import type { FieldType } from '../../../src/kube/strategic-merge/fields.ts'
import { clipped } from './findings.ts'

const MOST_NAMED = 8
const WORDS = {
  string: 'string',
  boolean: 'boolean',
  int32: '32-bit integer',
  int64: 'integer',
  time: 'string',
  quantity: 'quantity',
  intOrString: 'integer or string',
  any: 'object',
  map: 'object',
  object: 'object',
  list: 'array',
} as const

/** PATCH-V-15; undefined where the value is of its type. What objects and lists hold is looked at elsewhere. */
export function misfit(value: unknown, type: FieldType): string | undefined {
  return fits(value, type) ? undefined : `expected ${wanted(type)}, got ${given(value, type)}`
}

function fits(value: unknown, type: FieldType): boolean {
  switch (type.is) {
    case 'object':
    case 'map':
    case 'any':
      return jsonType(value) === 'object'
    case 'list':
      return Array.isArray(value)
    case 'string':
    case 'time':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'int32':
      return Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31 - 1
    case 'int64':
      return Number.isInteger(value)
    case 'intOrString':
      return typeof value === 'string' || Number.isInteger(value)
    case 'quantity':
      return (typeof value === 'string' || typeof value === 'number') && isQuantity(value)
    case 'enum':
      return typeof value === 'string' && type.values.includes(value)
  }
}

function wanted(type: FieldType): string {
  if (type.is !== 'enum') return WORDS[type.is]
  const named = type.values.slice(0, MOST_NAMED).map((value) => JSON.stringify(value))
  return `${named.join(' or ')}${type.values.length > MOST_NAMED ? ' or another of its values' : ''}`
}

/** A text that is none of its type is shown itself: no such field is secret. */
function given(value: unknown, type: FieldType): string {
  if (typeof value === 'string' && (type.is === 'enum' || type.is === 'quantity')) return JSON.stringify(clipped(value))
  return jsonType(value)
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
