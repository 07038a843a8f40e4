import type { Draft, Field, JsonSchema } from '../schema.ts'
import { closed, draftOf, misfitFinder, namesFields, outlineOf, unknownFields, validator } from '../schema-check.ts'
import { metadata } from './object-metadata.ts'
import type { Gvr, KubeObject, Resource } from './port.ts'

export function resource<T>(names: Gvr, { json }: Field<T>): Resource<KubeObject & T> {
  const outline = outlineOf(withMetadata(json))
  const fits = validator(withMetadata(closed(json)))
  const fitsAsDraft = validator(draftOf(withMetadata(json)))
  const fitsAsOutline = validator(outline)
  return {
    ...names,
    schema: json,
    is: (value): value is KubeObject & T => fits(value),
    isDraft: (value): value is Draft<KubeObject & T> => fitsAsDraft(value),
    isOutline: (value): value is KubeObject & T => fitsAsOutline(value),
    misfitIn: misfitFinder(outline),
    unknownIn: ({ metadata: _, ...body }) => (namesFields(json) ? unknownFields(body, withTypeMeta(json)) : []),
  }
}

const fitsAsMetadata = validator(outlineOf(withMetadata({})))
/** Whatever else it is. */
export const isObject = (value: unknown): value is KubeObject => fitsAsMetadata(value)

/** The fields that every object has without its schema saying so. */
export function withTypeMeta<S extends JsonSchema>(json: S) {
  const text = { type: 'string' } as const
  return { ...json, properties: { ...json.properties, apiVersion: text, kind: text } }
}
function withMetadata<S extends JsonSchema>(json: S) {
  const { properties, ...whole } = withTypeMeta(json)
  return {
    ...whole,
    properties: { ...properties, metadata: metadata.json },
    required: [...(json.required ?? []), 'metadata'],
  }
}
