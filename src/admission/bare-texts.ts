import { childSchema, isTree, type JsonSchema, type Tree } from '../schema.ts'

/** A number or a boolean where a text belongs: YAML takes for one what is not in quotes. */
export interface BareText {
  readonly path: string
  readonly type: 'number' | 'boolean'
}
export const inQuotes = ({ type }: BareText) => `is a ${type}, and a text belongs there; write it in quotes`

/** A copy in which they are texts. What has a format stays: for a password a rule has its own words. */
export function quoted(tree: Tree, schema: JsonSchema, tell: (bare: BareText) => void, within = ''): Tree {
  const children = Object.entries(tree).map(([key, child]) => {
    const step = schema.additionalProperties === undefined ? `.${key}` : `[${key}]`
    const path = within === '' ? key : `${within}${step}`
    return [key, quotedAt(path, child, childSchema(schema, key), tell)] as const
  })
  return Object.fromEntries(children)
}

function quotedAt(
  path: string,
  value: unknown,
  schema: JsonSchema | undefined,
  tell: (bare: BareText) => void,
): unknown {
  if (schema === undefined) return value
  if (Array.isArray(value))
    return value.map((item: unknown, i) => quotedAt(`${path}[${i}]`, item, childSchema(schema, i), tell))
  if (isTree(value)) return quoted(value, schema, tell, path)
  const type = typeof value
  if ((type !== 'number' && type !== 'boolean') || !isForTexts(schema, value)) return value
  tell({ path, type })
  return String(value)
}

/** Or for integers too, and this is none: `cpu: 1.5`. */
function isForTexts({ type, format, ...schema }: JsonSchema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string']) return !Number.isInteger(value)
  return type === 'string' && format === undefined
}
