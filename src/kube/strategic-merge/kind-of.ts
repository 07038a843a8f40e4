/** The types that the Go library tells apart. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return value === undefined ? 'absent' : typeof value
}
