import type { Cause } from '../../kube/status.ts'

// The words of kube-apiserver: field.Error of apimachinery, and what kube-openapi says of a value that does not fit.

export function required(field: string, detail?: string): Cause {
  return { field, reason: 'FieldValueRequired', message: ['Required value', detail].filter(Boolean).join(': ') }
}

export function invalid(field: string, value: unknown, detail: string): Cause {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${detail}` }
}

export function duplicate(field: string, value: unknown): Cause {
  return { field, reason: 'FieldValueDuplicate', message: `Duplicate value: ${JSON.stringify(value)}` }
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

/** The API server reports a number that is no integer twice, the second time without a field. */
export function wrongType(field: string, value: unknown, type: string): readonly Cause[] {
  const cause = ofType(field, typeName(value), type)
  if (typeName(value) !== 'number' || type !== 'integer') return [cause]
  return [cause, nowhere(`Checked value must be of type integer (default format) in ${field}`)]
}

/** Neither of both, and the nearest of them, which is the first. */
export function wrongTypes(field: string, value: unknown, types: readonly string[]): readonly Cause[] {
  const [nearest = ''] = types
  const none = nowhere(`"${field}" must validate at least one schema (anyOf)`)
  return [ofType(field, typeName(value), types.join()), none, ...wrongType(field, value, nearest)]
}

/** Where a text with a format belongs, the API server names another value by its format and does not quote it. */
export function wrongFormat(field: string, value: unknown, format: string): Cause {
  if (typeof value !== 'number') return ofType(field, '', format)
  return ofType(field, Number.isInteger(value) ? 'int64' : 'float64', format)
}

/** The causes for mutually exclusive fields; the nearest alternative is the first. */
export function notOne(field: string, fitting: number, [nearest = '']: readonly string[]): readonly Cause[] {
  const found = fitting === 0 ? 'Found none valid' : `Found ${fitting} valid alternatives`
  const cause = nowhere(`"${field}" must validate one and only one schema (oneOf). ${found}`)
  return fitting === 0 ? [cause, required([field, nearest].filter(Boolean).join('.'))] : [cause]
}

const nowhere = (detail: string) => invalid('<nil>', '', detail)

function ofType(field: string, given: string, type: string): Cause {
  const json = JSON.stringify(given)
  const message = `Invalid value: ${json}: ${field} in body must be of type ${type}: ${json}`
  return { field, reason: 'FieldValueTypeInvalid', message }
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
