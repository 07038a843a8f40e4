import { _, Ajv, type ErrorObject, type KeywordCxt, type Options, type ValidateFunction } from 'ajv'
import { type Field, isTree, type JsonSchema } from './schema.ts'

/**
 * Reduces a schema to its types, which a mutation relies on. Values that are too long or out of range reach the mutations
 * unchanged, and the schema refuses them afterwards (W-4).
 */
export const draftOf = (schema: JsonSchema) => only(TYPES, schema)
/** Keeps types and required fields, without limits. */
export const outlineOf = (schema: JsonSchema) => only([...TYPES, 'required'], schema)

const TYPES = ['type', 'nullable', 'anyOf'] as const

function only(words: readonly (keyof JsonSchema)[], whole: JsonSchema): JsonSchema {
  return rebuilt<JsonSchema>(whole, (schema) =>
    Object.fromEntries(words.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]]))),
  )
}

/** Refuses unknown fields. A schema without fields belongs to a kind of others, and accepts all. */
export const closed = (whole: JsonSchema) =>
  rebuilt<object>(whole, (schema) => (namesFields(schema) ? { ...schema, additionalProperties: false } : schema))
export const namesFields = ({ properties = {} }: JsonSchema) => Object.keys(properties).length > 0

/** Applies the same change at every depth. */
export function rebuilt<T extends object>(schema: JsonSchema, change: (schema: JsonSchema) => T): T {
  const { items, properties, additionalProperties } = schema
  return {
    ...change(schema),
    ...(items && { items: rebuilt(items, change) }),
    ...(additionalProperties && { additionalProperties: rebuilt(additionalProperties, change) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, rebuilt(field, change)])),
    }),
  }
}

/** Below an object with any fields everything is kept, nulls too. */
const ANYTHING: JsonSchema = { nullable: true, 'x-kubernetes-preserve-unknown-fields': true }

/** The schema of a field or an item; undefined where there is none. */
export function childSchema(schema: Partial<JsonSchema> = {}, key: string | number): JsonSchema | undefined {
  const { properties = {}, additionalProperties, items } = schema
  const anything = schema['x-kubernetes-preserve-unknown-fields'] && ANYTHING
  if (typeof key === 'number') return items ?? anything
  return Object.hasOwn(properties, key) ? properties[key] : (additionalProperties ?? anything)
}

/** Compiles on first use, so that a command that only prints a schema pays nothing. */
export function validator(schema: object): (value: unknown) => boolean {
  const compiled = compiledOnce(schema)
  return (value) => compiled()(value)
}

/** Unknown becomes T; what has more fields than T is one, too. */
export function guardOf<T>({ json }: Field<T>): (value: unknown) => value is T {
  const fits = validator(json)
  return (value): value is T => fits(value)
}

/** The path of the first error: `spec.parts[0].name`, or empty for the value itself. */
export function misfitFinder(schema: JsonSchema): (value: unknown) => string | undefined {
  const compiled = compiledOnce(schema)
  return (value) => {
    const check = compiled()
    const [error] = check(value) ? [] : (check.errors ?? [])
    return error && fieldOf([...stepsOf(error), ...stepTo(error)], value, schema)
  }
}

const stepTo = ({ params: { missingProperty } }: ErrorObject): readonly string[] =>
  missingProperty === undefined ? [] : [missingProperty]

const compiledOnce = (schema: object): (() => ValidateFunction) => lazily(() => compiler().compile(schema))

/** Makes it on first use. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export function stepsOf({ instancePath }: ErrorObject): readonly string[] {
  const steps = instancePath.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** `spec.parts[0].name`; a key that looks like a number is no index. With a schema that knows the maps, `metadata.labels[a/b]`. */
export function fieldOf(steps: readonly string[], root: unknown, schema?: JsonSchema): string {
  let [holder, known, field] = [root, schema, '']
  for (const step of steps) {
    const isItem = Array.isArray(holder)
    field += isItem || known?.additionalProperties !== undefined ? `[${step}]` : `.${step}`
    known = childSchema(known, isItem ? Number(step) : step)
    holder = Array.isArray(holder) ? holder[Number(step)] : isTree(holder) ? holder[step] : undefined
  }
  return field.slice(1)
}

/** The paths in the form and order of the API server. */
export function unknownFields(value: unknown, schema: JsonSchema | undefined, at = ''): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((item, i) => unknownFields(item, childSchema(schema, i), `${at}[${i}]`))
  if (!isTree(value)) return []
  const found = Object.entries(value).flatMap(([key, child]) => {
    const path = at === '' ? key : `${at}.${key}`
    const known = childSchema(schema, key)
    return known === undefined ? [path] : unknownFields(child, known, path)
  })
  return found.sort()
}

/** One for all schemas, since Ajv takes longer to begin than to compile a small schema. */
const compiler = lazily(() =>
  new Ajv({ ...AS_CRDS, meta: false, validateSchema: false })
    .removeKeyword('maxLength')
    .addKeyword(MAX_LENGTH)
    .removeKeyword('oneOf')
    .addKeyword(ONE_OF),
)

/** Adapts Ajv to the schemas of CustomResourceDefinitions, which differ from JSON schema. */
export const AS_CRDS: Options = {
  strictTypes: false,
  strictRequired: false,
  formats: { password: true },
  keywords: [
    'says',
    'x-kubernetes-int-or-string',
    'x-kubernetes-list-type',
    'x-kubernetes-list-map-keys',
    'x-kubernetes-preserve-unknown-fields',
  ],
  code: { optimize: false, regExp: Object.assign(patternOf, { code: 'patternOf' }) },
}

/** Patterns are written for Go, which calls a script by its name alone. */
function patternOf(pattern: string, flags: string): RegExp {
  return new RegExp(goPattern(pattern), flags)
}
export const goPattern = (pattern: string) => pattern.replaceAll('\\p{Han}', '\\p{Script=Han}')

/** Counts code points, as the API server does. A string never has more of them than units, so most need no count. */
const MAX_LENGTH = {
  keyword: 'maxLength',
  before: 'pattern', // a pattern does not run on a string that is too long
  type: 'string' as const,
  code(cxt: KeywordCxt) {
    const { gen, data, schema: most } = cxt
    const characters = gen.scopeValue('func', { ref: charactersIn })
    cxt.fail(_`${data}.length > ${most} && ${characters}(${data}) > ${most}`)
  },
}

/** Replaces Ajv's own keyword, which records why each alternative fails and takes longer than all the rest. */
const ONE_OF = {
  keyword: 'oneOf',
  type: 'object' as const,
  code(cxt: KeywordCxt) {
    const branches: NonNullable<JsonSchema['oneOf']> = cxt.schema
    const isThere = branches.map(({ required: [name] }) => _`(${cxt.data}[${name}] !== undefined)`)
    cxt.fail(_`${isThere.reduce((sum, each) => _`${sum} + ${each}`)} !== 1`)
  },
}

/** Counts code points in place, since an array of three million would take too long. */
function charactersIn(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) pairs += 1
  }
  return text.length - pairs
}
const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000
