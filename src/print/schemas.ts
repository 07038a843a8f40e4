import type { Defined, Kind } from '../kind.ts'
import type { JsonSchema } from '../schema.ts'
import { goPattern, namesFields, rebuilt } from '../schema-check.ts'
import { wholeOf } from './crds.ts'

/**
 * What an editor needs to complete and check files of these kinds: one JSON Schema, which takes the schema of a kind by
 * `apiVersion` and `kind`. Objects of other kinds pass.
 */
export function schemaOf(kinds: readonly Kind[]): object {
  const ours = kinds.flatMap(({ definition, ...kind }) => (definition ? [{ ...kind, definition }] : []))
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    allOf: ours.map(choiceOf),
    definitions: Object.fromEntries(ours.map((kind) => [nameOf(kind), definitionOf(kind)])),
  }
}

const nameOf = ({ resource: { group, kind } }: Defined) => `${group}.${kind}`

function choiceOf(defined: Defined): object {
  const { group, version, kind } = defined.resource
  const versions = [version, ...(defined.definition.alsoServed ?? [])]
  const properties = { apiVersion: { enum: versions.map((each) => `${group}/${each}`) }, kind: { const: kind } }
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema, which nothing awaits
  return { if: { properties, required: ['apiVersion', 'kind'] }, then: { $ref: `#/definitions/${nameOf(defined)}` } }
}

function definitionOf({ resource, definition }: Defined): object {
  const whole = wholeOf(definition.description, resource.schema)
  return { title: resource.kind, ...rebuilt<object>(whole, ofEditor) }
}

/** Editors know neither the words of Kubernetes nor passwords as a format. An author may leave out what has a default. */
function ofEditor({ says, pattern, nullable, type, format: _, required, ...schema }: JsonSchema): object {
  const known = Object.entries(schema).filter(([word]) => !word.startsWith('x-kubernetes-'))
  const needed = required?.filter((name) => schema.properties?.[name]?.default === undefined) ?? []
  return {
    ...(type && { type: nullable ? [type, 'null'] : type }),
    ...Object.fromEntries(known),
    ...(needed.length > 0 && { required: needed }),
    ...(pattern !== undefined && { pattern: goPattern(pattern) }),
    ...(says !== undefined && { patternErrorMessage: says }),
    ...(namesFields(schema) && { additionalProperties: false }),
  }
}
