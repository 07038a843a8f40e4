import { isTree } from '../schema.ts'

/** JSON of RFC 8785: keys by UTF-16 code unit, no space; equal for every way to write the same value (PATCH-HASH-1). */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isTree(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value).filter((key) => value[key] !== undefined)
  const members = fields.sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${members.join(',')}}`
}
