import type { Draft, Field, JsonSchema } from '../schema.ts'
import {
  closed,
  draftOf,
  lazily,
  misfitFinder,
  namesFields,
  outlineOf,
  unknownFields,
  validator,
} from '../schema-check.ts'
import { metadata } from './object-metadata.ts'
import type { Gvr, KubeObject, Resource } from './port.ts'

/** What derives from the schema is made when it is asked for: most processes never meet most kinds. */
export function resource<T>(names: Gvr, { json }: Field<T>): Resource<KubeObject & T> {
  const outline = lazily(() => outlineOf(withMetadata(json)))
  const fits = lazily(() => validator(withMetadata(closed(json))))
  const fitsAsDraft = lazily(() => validator(draftOf(withMetadata(json))))
  const fitsAsOutline = lazily(() => validator(outline()))
  const misfit = lazily(() => misfitFinder(outline()))
  return {
    ...names,
    schema: json,
    is: (value): value is KubeObject & T => fits()(value),
    isDraft: (value): value is Draft<KubeObject & T> => fitsAsDraft()(value),
    isOutline: (value): value is KubeObject & T => fitsAsOutline()(value),
    misfitIn: (value) => misfit()(value),
    unknownIn: ({ metadata: _, ...body }) => (namesFields(json) ? unknownFields(body, withTypeMeta(json)) : []),
  }
}

const fitsAsMetadata = lazily(() => validator(outlineOf(withMetadata({}))))
/** Whatever else it is. */
export const isObject = (value: unknown): value is KubeObject => fitsAsMetadata()(value)

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
