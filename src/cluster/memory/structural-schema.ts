import { childSchema, isTree, type JsonSchema } from '../../schema.ts'

// What the API server does to an object by its schema. A value of a wrong type has no schema any more from there on.

export function pruned(value: unknown, schema: Known): unknown {
  return mapped(value, schema, (child, known, key) =>
    known === undefined && typeof key === 'string' ? GONE : pruned(child, known),
  )
}

/** A null that may not be one counts as absent; where there is a default, it is left for that. */
export function withoutNulls(value: unknown, schema: Known): unknown {
  return mapped(value, schema, (child, known, key) => {
    const isAbsent = isWrongNull(child, known) && known?.default === undefined
    return isAbsent && typeof key === 'string' ? GONE : withoutNulls(child, known)
  })
}

/** A default counts wherever the object around it is there, also inside another default. */
export function defaulted(value: unknown, schema: Known): unknown {
  const whole = isTree(value) ? { ...defaultsFor(value, schema), ...value } : value
  return mapped(whole, schema, (child, known) => {
    const isLeftOut = isWrongNull(child, known) && known?.default !== undefined
    return defaulted(isLeftOut ? known.default : child, known)
  })
}

type Known = JsonSchema | undefined

function defaultsFor(value: object, { properties = {} }: Partial<JsonSchema> = {}) {
  const missing = Object.entries(properties).filter(([name]) => !Object.hasOwn(value, name))
  const usual = missing.map(([name, field]) => [name, field.default] as const)
  return Object.fromEntries(usual.filter(([, value]) => value !== undefined))
}

function isWrongNull(value: unknown, schema: Known): boolean {
  return value === null && schema !== undefined && schema.nullable !== true
}

const GONE = Symbol('gone')
type ChangeChild = (child: unknown, schema: Known, key: string | number) => unknown

/** A copy with every child changed; keys such as `__proto__` stay data. */
function mapped(value: unknown, schema: Known, change: ChangeChild): unknown {
  if (Array.isArray(value)) return value.map((item, i) => change(item, childSchema(schema, i), i))
  if (!isTree(value)) return value
  const children = Object.entries(value).map(
    ([key, child]) => [key, change(child, childSchema(schema, key), key)] as const,
  )
  return Object.fromEntries(children.filter(([, child]) => child !== GONE))
}
