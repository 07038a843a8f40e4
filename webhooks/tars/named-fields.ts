import { type Field, isTree } from '../kit/schema.ts'

/** The fields of a value that its schema names, and no others, as an API server stores them. Null counts as absent. */
export const namedFields = ({ json }: Field<unknown>, value: unknown): unknown => named(json, value)

function named({ properties, items }: Field<unknown>['json'], value: unknown): unknown {
  if (items !== undefined && Array.isArray(value)) return value.map((item) => named(items, item))
  if (properties === undefined || !isTree(value)) return value
  const fields = Object.entries(properties).map(([name, field]) => [name, named(field, value[name])] as const)
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined && field !== null))
}
