import type { JsonSchema } from '../schema.ts'
import { childSchema } from '../schema-check.ts'
import { nearest } from './nearest.ts'

/** Guesses which field an unknown one stands for: a sibling with a similar name, or a field of that name elsewhere. */
export function nearestField(schema: JsonSchema, path: string): string | undefined {
  const steps = path.split('.')
  const [name = ''] = steps.slice(-1)
  const holder = steps.slice(0, -1)
  const beside = nearest(name, Object.keys(schemaAt(schema, holder)?.properties ?? {}))
  if (beside !== undefined) return [...holder, beside].join('.')
  return pathsIn(schema).find((each) => each.split('.').at(-1) === name)
}

export function schemaAt(schema: JsonSchema, steps: readonly string[]): JsonSchema | undefined {
  return steps.reduce(within, schema)
}

/** Splits `servants[0]` into a field and its item. */
function within(schema: JsonSchema | undefined, step: string): JsonSchema | undefined {
  const [name = '', ...indexes] = step.split('[')
  return indexes.reduce<JsonSchema | undefined>((list) => list?.items, childSchema(schema, name))
}

/** Finds all fields with the name, outer ones first. */
function pathsIn({ properties = {}, items }: JsonSchema): readonly string[] {
  if (items !== undefined) return pathsIn(items)
  const children = Object.entries(properties)
  const inner = children.flatMap(([name, child]) =>
    pathsIn(child).map((path) => `${name}${child.items === undefined ? '' : '[]'}.${path}`),
  )
  return [...children.map(([name]) => name), ...inner]
}
