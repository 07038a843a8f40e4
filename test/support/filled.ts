import { isTree, type JsonSchema, type Tree } from '../../src/schema.ts'
import { validator } from '../../src/schema-check.ts'

/** A field of a schema, by the steps that lead there. */
export interface Place {
  readonly steps: readonly string[]
  readonly schema: JsonSchema
}
/** The step into a list or a map. */
export const ITEM = '[]'

/** Every field, at any depth. */
export function placesIn(schema: JsonSchema, steps: readonly string[] = []): readonly Place[] {
  const { items, additionalProperties = items, properties = {} } = schema
  const inner = Object.entries({ ...properties, ...(additionalProperties && { [ITEM]: additionalProperties }) })
  return [{ steps, schema }, ...inner.flatMap(([name, field]) => placesIn(field, [...steps, name]))]
}
export const nameOf = ({ steps }: Place) => steps.join('.').replaceAll(`.${ITEM}`, ITEM)

/** Of which an author writes any text. */
export const isText = ({ schema }: Place) => schema.anyOf !== undefined || (schema.type === 'string' && !schema.enum)
export const isList = ({ schema }: Place) => schema.type === 'array'

export interface Wish {
  readonly steps: readonly string[]
  readonly value: unknown
}

/** An object that has what it must, and these values where they are wished for. */
export function filled(schema: JsonSchema, ...wishes: readonly Wish[]): unknown {
  const own = wishes.find(({ steps }) => steps.length === 0)
  if (own !== undefined) return own.value
  const { items, additionalProperties } = schema
  const below = (name: string) =>
    wishes.filter(({ steps }) => steps[0] === name).map(({ steps, value }) => ({ steps: steps.slice(1), value }))
  if (items !== undefined) return [filled(items, ...below(ITEM))]
  if (additionalProperties !== undefined) return { a: filled(additionalProperties, ...below(ITEM)) }
  if (schema.type !== 'object') return leafOf(schema)
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => isDue(schema, name, wishes))
  return Object.fromEntries(fields.map(([name, field]) => [name, filled(field, ...below(name))]))
}

function isDue({ required = [], oneOf = [] }: JsonSchema, name: string, wishes: readonly Wish[]): boolean {
  const wished = wishes.map(({ steps }) => steps[0])
  const choices = oneOf.map((one) => one.required[0])
  const chosen = choices.find((each) => wished.includes(each)) ?? choices[0]
  return choices.includes(name) ? chosen === name : required.includes(name) || wished.includes(name)
}

const LEAVES = [1, 'a', 'aa', 'm', 'x'.repeat(60), '2026-11-18T12:00:00Z', 10, 180, true, false]

const leaves = new Map<JsonSchema, unknown>()
function leafOf(schema: JsonSchema): unknown {
  const leaf = leaves.get(schema) ?? newLeafOf(schema)
  leaves.set(schema, leaf)
  return leaf
}

function newLeafOf(schema: JsonSchema): unknown {
  const fits = validator(schema)
  const leaf = [schema.default, ...(schema.enum ?? []), ...LEAVES].find((each) => each !== undefined && fits(each))
  if (leaf === undefined) throw new Error(`nothing fits ${JSON.stringify(schema)}`)
  return leaf
}

/** So many items, all alike; and so many with texts and numbers of their own, counted from there. */
export function itemsOf({ items = {} }: JsonSchema, many: number, from = 0) {
  const whole = filled(items)
  const alike = Array.from({ length: many }, () => whole)
  return { alike, different: alike.map((item, at) => numbered(item, items, from + at)) }
}

function numbered(value: unknown, schema: JsonSchema, at: number): unknown {
  if (isTree(value)) return withNumbers(value, schema, at)
  if (schema.enum !== undefined || Array.isArray(value)) return value
  if (typeof value === 'string') return `a${at}`
  return typeof value === 'number' ? Math.min(value + at, schema.maximum ?? at) : value
}
const withNumbers = (tree: Tree, { properties = {} }: JsonSchema, at: number) =>
  Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, numbered(value, properties[name] ?? {}, at)]))
