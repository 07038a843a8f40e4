import type { Cause } from '../kube/status.ts'

// The words of kube-apiserver: field.Error of apimachinery, and what kube-openapi says of a value that does not fit.

export function required(field: string, detail?: string): Cause {
  return { field, reason: 'FieldValueRequired', message: ['Required value', detail].filter(Boolean).join(': ') }
}

export function invalid(field: string, value: unknown, detail: string): Cause {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${detail}` }
}

export function forbidden(field: string, detail: string): Cause {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${detail}` }
}

export function tooLong(field: string, limit: number): Cause {
  return { field, reason: 'FieldValueTooLong', message: `Too long: may not be more than ${many(limit, 'byte')}` }
}

export function tooMany(field: string, count: number, limit: number): Cause {
  return { field, reason: 'FieldValueTooMany', message: `Too many: ${count}: must have at most ${many(limit, 'item')}` }
}

export function unsupported(field: string, value: unknown, allowed: readonly string[]): Cause {
  const supported = allowed.map((each) => JSON.stringify(each)).join(', ')
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`
  return { field, reason: 'FieldValueNotSupported', message }
}

/** A number that is no integer is told twice, the second time of no field at all. */
export function wrongType(field: string, value: unknown, type: string): readonly Cause[] {
  const given = typeName(value)
  const message = `Invalid value: "${given}": ${field} in body must be of type ${type}: "${given}"`
  const cause = { field, reason: 'FieldValueTypeInvalid', message }
  if (given !== 'number' || type !== 'integer') return [cause]
  return [cause, invalid('<nil>', '', `Checked value must be of type integer (default format) in ${field}`)]
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
