import { isDeepStrictEqual } from 'node:util'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Cause } from '../../kube/status.ts'
import { AS_CRDS, childSchema, fieldOf, isTree, type JsonSchema, stepsOf, type Tree } from '../../schema.ts'
import {
  invalid,
  notOne,
  required,
  tooLong,
  tooMany,
  unsupported,
  wrongFormat,
  wrongType,
  wrongTypes,
} from '../api-words/causes.ts'
import { listCauses, sameItem } from './list-maps.ts'

/** What the API server has against an object; on an update, what the update brought alone. */
export type StructuralCheck = (next: unknown, prev?: unknown) => Checked
export interface Checked {
  readonly causes: readonly Cause[]
  /** By patterns in CEL, which are asked after the rest. */
  readonly worded: readonly Cause[]
}

export const NOTHING: Checked = { causes: [], worded: [] }

/** Whether a pattern of it stands in CEL. */
export function isWorded({ says, items, additionalProperties, properties = {} }: Partial<JsonSchema> = {}): boolean {
  const inner = [items, additionalProperties, ...Object.values(properties)]
  return says !== undefined || inner.some((each) => each !== undefined && isWorded(each))
}

export function structuralCheck(schema: JsonSchema): StructuralCheck {
  let compiled: ValidateFunction | undefined
  return (next, prev) => {
    compiled ??= new Ajv({ ...AS_CRDS, allErrors: true, verbose: true }).compile(asChecked(schema))
    const errors = compiled(next) ? [] : firstOfEachText((compiled.errors ?? []).filter(isToldByItself))
    if (errors.length > 0 && isDeepStrictEqual(next, prev)) return NOTHING
    const found = errors.filter((error) => !isRatcheted(stepsOf(error), next, prev, schema))
    const { worded = [], plain = [] } = Object.groupBy(found, (error) => (isOfWorded(error) ? 'worded' : 'plain'))
    return {
      causes: [...plain.flatMap((error) => causesOf(error, next)), ...newInLists(schema, next, prev)],
      worded: worded.flatMap((error) => causesOf(error, next)),
    }
  }
}

/**
 * As kube-openapi reads a schema, which is lenient: where a text of some format is due, a list will do.
 * An integer or a text is one field of two types here, so that its faults can be told apart.
 */
function asChecked({ anyOf, items, properties, additionalProperties, ...schema }: JsonSchema): Tree {
  return {
    ...schema,
    ...(schema.format && { type: ['string', 'array'] }),
    ...(anyOf && { type: anyOf.map(({ type }) => type) }),
    ...(items && { items: asChecked(items) }),
    ...(additionalProperties && { additionalProperties: asChecked(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, asChecked(field)])),
    }),
  }
}

/** What an alternative lacks is told by the whole of them, and a null has no more faults than its type. */
function isToldByItself({ keyword, schemaPath, data }: ErrorObject): boolean {
  return !/\/oneOf\/\d+\/required$/.test(schemaPath) && !(keyword === 'oneOf' && data === null)
}

/** On an update, items that are known by the same fields count only where there were none before, anywhere. */
function newInLists(schema: JsonSchema, next: unknown, prev: unknown): readonly Cause[] {
  const found = listCauses(next, schema)
  return found.length > 0 && prev !== undefined && listCauses(prev, schema).length > 0 ? [] : found
}

const ON_TEXT = ['maxLength', 'minLength', 'pattern']
/** Of a text only the first fault is told. */
function firstOfEachText(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const seen = new Set<string>()
  return errors.filter(({ keyword, instancePath }) => {
    if (!ON_TEXT.includes(keyword)) return true
    const isFirst = !seen.has(instancePath)
    seen.add(instancePath)
    return isFirst
  })
}

const isOfWorded = ({ keyword, parentSchema }: ErrorObject) => keyword === 'pattern' && parentSchema?.says !== undefined

/** What an update leaves as it was may stay wrong; of a list, items that are known by some of their fields. */
function isRatcheted(steps: readonly string[], next: unknown, prev: unknown, schema: JsonSchema | undefined): boolean {
  if (isDeepStrictEqual(next, prev)) return true
  const [step, ...rest] = steps
  if (step === undefined) return false
  if (isTree(next) && isTree(prev)) return isRatcheted(rest, next[step], prev[step], childSchema(schema, step))
  if (!Array.isArray(next) || !Array.isArray(prev)) return false
  const item: unknown = next[Number(step)]
  const before = sameItem(item, prev, schema)
  return before !== undefined && isRatcheted(rest, item, before, schema?.items)
}

function causesOf(error: ErrorObject, root: unknown): readonly Cause[] {
  const field = fieldOf(stepsOf(error), root)
  const { keyword, data, params, parentSchema } = error
  switch (keyword) {
    case 'required':
      return [required([field, params.missingProperty].filter(Boolean).join('.'))]
    case 'type':
      if (parentSchema?.format) return [wrongFormat(field, data, parentSchema.format)]
      if (parentSchema?.['x-kubernetes-int-or-string']) return wrongTypes(field, data, params.type)
      return wrongType(field, data, params.type)
    case 'oneOf':
      return notOne(field, ...alternativesIn(error))
    case 'enum':
      return [unsupported(field, data, params.allowedValues)]
    case 'maxLength':
      return [tooLong(field, params.limit)]
    case 'maxItems':
      return [tooMany(field, Array.isArray(data) ? data.length : 0, params.limit)]
    case 'minItems': {
      const count = Array.isArray(data) ? data.length : 0
      return [invalid(field, count, `${field} in body should have at least ${params.limit} items`)]
    }
    case 'pattern':
      if (isOfWorded(error)) return [invalid(field, data, parentSchema?.says)]
      return [invalid(field, data, `${field} in body should match '${params.pattern}'`)]
    default:
      return [invalid(field, data, `${field} in body should ${should(keyword, params)}`)]
  }
}

function should(keyword: string, { limit, pattern }: ErrorObject['params']): string {
  switch (keyword) {
    case 'minLength':
      return `be at least ${limit} chars long`
    case 'minimum':
      return `be greater than or equal to ${limit}`
    case 'maximum':
      return `be less than or equal to ${limit}`
    default:
      return `match '${pattern}'`
  }
}

/** How many of the fields that exclude each other are there, and which they are; what is no object lacks none. */
function alternativesIn({ data, parentSchema }: ErrorObject): [number, readonly string[]] {
  const names: readonly string[] = parentSchema?.oneOf.flatMap(({ required }: { required: string[] }) => required)
  return [isTree(data) ? names.filter((name) => Object.hasOwn(data, name)).length : names.length, names]
}
