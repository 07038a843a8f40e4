import { isDeepStrictEqual } from 'node:util'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Cause } from '../../kube/status.ts'
import { isTree, type JsonSchema, type Tree } from '../../schema.ts'
import { AS_CRDS, childSchema, fieldOf, stepsOf } from '../../schema-check.ts'
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

/** The API server's objections to an object; on update, only those that the update introduces. */
export type StructuralCheck = (next: unknown, prev?: unknown) => Checked
export interface Checked {
  readonly causes: readonly Cause[]
  /** From patterns that are CEL rules, which the API server evaluates after the schema. */
  readonly worded: readonly Cause[]
}

export const NOTHING: Checked = { causes: [], worded: [] }

/** Whether the CustomResourceDefinition carries the pattern of this field in CEL. */
export function isWorded({ says, items, additionalProperties, properties = {} }: Partial<JsonSchema> = {}): boolean {
  const inner = [items, additionalProperties, ...Object.values(properties)]
  return says !== undefined || inner.some((each) => each !== undefined && isWorded(each))
}

export function structuralCheck(schema: JsonSchema): StructuralCheck {
  let compiled: ValidateFunction | undefined
  return (next, prev) => {
    compiled ??= new Ajv({ ...AS_CRDS, meta: false, validateSchema: false, allErrors: true, verbose: true }).compile(
      asChecked(schema),
    )
    const errors = compiled(next) ? [] : firstOfEachText((compiled.errors ?? []).filter(isReportedAlone))
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
 * Reads a schema as leniently as kube-openapi: a list passes where a string of some format is due. An integer-or-string
 * field is one of two types here, so that its errors can be distinguished.
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

/** The oneOf reports what its alternatives lack, and a null has only the error of its type. */
function isReportedAlone({ keyword, schemaPath, data }: ErrorObject): boolean {
  return !/\/oneOf\/\d+\/required$/.test(schemaPath) && !(keyword === 'oneOf' && data === null)
}

/** On update, duplicate keys count only if the old object had no duplicates anywhere. */
function newInLists(schema: JsonSchema, next: unknown, prev: unknown): readonly Cause[] {
  const found = listCauses(next, schema)
  return found.length > 0 && prev !== undefined && listCauses(prev, schema).length > 0 ? [] : found
}

const ON_TEXT = ['maxLength', 'minLength', 'pattern']
/** Reports only the first error of a string. */
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

/** An unchanged invalid value may stay (ratcheting); a list item counts as unchanged if its key identifies it. */
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

/** Which of the mutually exclusive fields are present, and how many. A value that is no object lacks none. */
function alternativesIn({ data, parentSchema }: ErrorObject): [number, readonly string[]] {
  const names: readonly string[] = parentSchema?.oneOf.flatMap(({ required }: { required: string[] }) => required)
  return [isTree(data) ? names.filter((name) => Object.hasOwn(data, name)).length : names.length, names]
}
