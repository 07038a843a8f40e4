import { isTree, type JsonSchema } from '../../schema.ts'
import { childSchema } from '../../schema-check.ts'

// What the API server does to an object because of its schema. Below a value of a wrong type the schema no longer applies.

export function pruned(value: unknown, schema: KnownSchema): unknown {
  return mapped(value, schema, (child, known, key) =>
    known === undefined && typeof key === 'string' ? GONE : pruned(child, known),
  )
}

/** Removes nulls of fields that are not nullable; a field with a default keeps it, so that the default replaces it. */
export function withoutNulls(value: unknown, schema: KnownSchema): unknown {
  return mapped(value, schema, (child, known, key) => {
    const isAbsent = isWrongNull(child, known) && known?.default === undefined
    return isAbsent && typeof key === 'string' ? GONE : withoutNulls(child, known)
  })
}

/** Applies a default wherever its parent object exists, also inside another default. */
export function defaulted(value: unknown, schema: KnownSchema): unknown {
  const whole = isTree(value) ? { ...defaultsFor(value, schema), ...value } : value
  return mapped(whole, schema, (child, known) => {
    const isLeftOut = isWrongNull(child, known) && known?.default !== undefined
    return defaulted(isLeftOut ? known.default : child, known)
  })
}

type KnownSchema = JsonSchema | undefined

function defaultsFor(value: object, { properties = {} }: Partial<JsonSchema> = {}) {
  const missing = Object.entries(properties).filter(([name]) => !Object.hasOwn(value, name))
  const usual = missing.map(([name, field]) => [name, field.default] as const)
  return Object.fromEntries(usual.filter(([, value]) => value !== undefined))
}

function isWrongNull(value: unknown, schema: KnownSchema): boolean {
  return value === null && schema !== undefined && schema.nullable !== true
}

const GONE = Symbol('gone')
type ChangeChild = (child: unknown, schema: KnownSchema, key: string | number) => unknown

/** Copies a value with every child changed. Keys such as `__proto__` stay data. */
function mapped(value: unknown, schema: KnownSchema, change: ChangeChild): unknown {
  if (Array.isArray(value)) return value.map((item, i) => change(item, childSchema(schema, i), i))
  if (!isTree(value)) return value
  const children = Object.entries(value).map(
    ([key, child]) => [key, change(child, childSchema(schema, key), key)] as const,
  )
  return Object.fromEntries(children.filter(([, child]) => child !== GONE))
}
