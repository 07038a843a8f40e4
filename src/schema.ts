import { _, Ajv, type ErrorObject, type KeywordCxt, type Options, type ValidateFunction } from 'ajv'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type Tree = { [key: string]: unknown }

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type Leaf = string | number | boolean | null | undefined
/** What arrives before the API server's schema has spoken: everything may be missing, what is there has its type. */
export type Draft<T> = T extends Leaf
  ? T
  : T extends readonly (infer E)[]
    ? readonly Draft<E>[]
    : { readonly [K in keyof T]?: Draft<T[K]> | undefined }

/** The subset of JSON schema that a CustomResourceDefinition takes. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean' // absent: an integer or a text
  readonly description?: string
  readonly default?: Json
  readonly nullable?: true
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** What it means. The CustomResourceDefinition carries the pattern in CEL then, so that an author reads this instead. */
  readonly says?: string
  readonly format?: 'password'
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema
  readonly anyOf?: readonly { readonly type: 'integer' | 'string' }[]
  readonly oneOf?: readonly { readonly required: readonly [string] }[]
  readonly 'x-kubernetes-int-or-string'?: true
  readonly 'x-kubernetes-list-type'?: 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-validations'?: readonly Validation[] // printed from rules, never stated in a field
}
export interface Validation {
  readonly rule: string
  readonly reason?: 'FieldValueInvalid'
  readonly message?: string
  readonly messageExpression?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: true
}

/** One field in the one vocabulary from which CRD, validator, type and documentation come. `holds` only carries T. */
export interface Field<T> {
  readonly json: JsonSchema
  readonly holds?: T
}

type Fields = Readonly<Record<string, Field<unknown>>>
type Held<F> = F extends Field<infer T> ? T : never
type Members<Must, May> = { readonly [K in keyof Must]: Held<Must[K]> } & {
  readonly [K in keyof May]?: Held<May[K]>
}
export type Shape<F> = Held<F>

interface Documented {
  readonly doc: string
}
type TextLimits = Documented &
  Pick<JsonSchema, 'minLength' | 'maxLength' | 'pattern' | 'says'> & {
    readonly default?: string
  }
type IntegerLimits = Documented & Pick<JsonSchema, 'minimum' | 'maximum'> & { readonly default?: number }
type ListLimits<T> = Documented &
  Pick<JsonSchema, 'minItems' | 'maxItems'> & {
    readonly default?: readonly (T & Json)[]
    /** Its items are known by these fields, so two writers may each own some (server-side apply); no two are alike. */
    readonly keys?: readonly string[]
  }

/** About what etcd takes of a whole object: the limit of a text that has no smaller one (SV-17). */
export const LONGEST_TEXT = 1_560_000

export const text = ({ doc, ...limits }: TextLimits): Field<string> => ({
  json: { type: 'string', description: doc, maxLength: LONGEST_TEXT, ...limits },
})
/**
 * A point in time, in the form of RFC 3339. Not by a `format`, where an API server takes any list, and for a `date-time`
 * also `2022-03-01T08:00:00Ztea`: nobody who reads the object in Go could. A list of them needs a `maxItems`, or the
 * expression may cost more than an API server lets it.
 */
export const moment = ({ doc }: Documented): Field<string> =>
  text({
    doc,
    maxLength: 35,
    pattern: `^(${DAYS.join('|')})T${TIME}${OFFSET}$`,
    says: 'is no time; write one in the form of RFC 3339, like "2026-03-01T08:00:00Z"',
  })
const DAYS = [
  '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])',
  '\\d{4}-(0[13-9]|1[0-2])-(29|30)',
  '\\d{4}-(0[13578]|1[02])-31',
  '(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29',
]
const TIME = '([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d{1,9})?'
const OFFSET = '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)'

/**
 * To be written and never read again. By the format a form hides it, and an API server does not tell a number that stands
 * there by mistake: of a text without format, `kubectl apply --server-side` is told the value that is none.
 */
export const secret = ({ doc, ...limits }: TextLimits): Field<string> => ({
  json: { ...text({ doc, ...limits }).json, format: 'password' },
})
/** What Kubernetes takes with or without quotes: `1`, `"500m"`. */
export const integerOrText = ({
  doc,
  ...limits
}: Documented & Pick<JsonSchema, 'maxLength' | 'pattern'>): Field<number | string> => ({
  json: {
    description: doc,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    maxLength: LONGEST_TEXT,
    ...limits,
  },
})
export const choice = <const C extends string>(
  of: readonly C[],
  { doc, ...rest }: Documented & { readonly default?: C },
): Field<C> => ({
  json: { type: 'string', description: doc, enum: of, ...rest },
})
export const integer = ({ doc, ...limits }: IntegerLimits): Field<number> => ({
  json: { type: 'integer', description: doc, ...limits },
})
export const flag = ({ doc, ...rest }: Documented & { readonly default?: boolean }): Field<boolean> => ({
  json: { type: 'boolean', description: doc, ...rest },
})
/** Of items with a time: an API server estimates the rule of each at 933, and lets all of them cost ten millions. */
export const LONGEST_LIST = 10_000
export const list = <T>(of: Field<T>, { doc, keys, ...limits }: ListLimits<T>): Field<readonly T[]> => ({
  json: {
    type: 'array',
    description: doc,
    items: of.json,
    ...limits,
    ...(keys && { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }),
  },
})
/** Keys that the author chooses, values of one kind. */
export const map = <T>(
  of: Field<T>,
  { doc, ...rest }: Documented & { readonly default?: Readonly<Record<string, T & Json>> },
): Field<Readonly<Record<string, T>>> => ({
  json: { type: 'object', description: doc, additionalProperties: of.json, ...rest },
})

/** An explicit null counts as absent. */
export const nullable = <T>({ json }: Field<T>): Field<T | null> => ({
  json: { ...json, nullable: true },
})

/** With a value of its own where the author gives none; `{}` brings the defaults of its fields. */
export const usually = <T>({ json }: Field<T>, value: Json): Field<T> => ({ json: { ...json, default: value } })

/** Of these fields an object has one, and no two. */
export const oneOf = <T>({ json }: Field<T>, names: readonly (keyof T & string)[]): Field<T> => ({
  json: { ...json, oneOf: names.map((name) => ({ required: [name] })) },
})

export function object<Must extends Fields, May extends Fields = Record<never, never>>(
  must: Must,
  may?: May,
  doc?: string,
): Field<Members<Must, May>> {
  const properties = Object.fromEntries(Object.entries({ ...must, ...may }).map(([name, { json }]) => [name, json]))
  const required = Object.keys(must)
  return {
    json: {
      type: 'object',
      ...(doc === undefined ? {} : { description: doc }),
      ...(required.length === 0 ? {} : { required }),
      properties,
    },
  }
}

/**
 * Of the same schema nothing but the types: what a mutation may meet. What is too long or out of range the mutations
 * see as it is, and the schema refuses it after them (W-4).
 */
export const draftOf = (schema: JsonSchema) => only(TYPES, schema)
/** Types, and what has to be there; limits are of no concern. */
export const outlineOf = (schema: JsonSchema) => only([...TYPES, 'required'], schema)

const TYPES = ['type', 'nullable', 'anyOf'] as const

function only(words: readonly (keyof JsonSchema)[], whole: JsonSchema): JsonSchema {
  return rebuilt<JsonSchema>(whole, (schema) =>
    Object.fromEntries(words.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]]))),
  )
}

/** Takes no field that it does not name. Where it names none, it is of a kind of others, and takes all. */
export const closed = (whole: JsonSchema) =>
  rebuilt<object>(whole, (schema) => (namesFields(schema) ? { ...schema, additionalProperties: false } : schema))
export const namesFields = ({ properties = {} }: JsonSchema) => Object.keys(properties).length > 0

/** The same change at every depth. */
function rebuilt<T extends object>(schema: JsonSchema, change: (schema: JsonSchema) => T): T {
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

/** Of a field, or of an item; none where the schema knows nothing of it. */
export function childSchema(
  { properties = {}, additionalProperties, items }: Partial<JsonSchema> = {},
  key: string | number,
): JsonSchema | undefined {
  if (typeof key === 'number') return items
  return Object.hasOwn(properties, key) ? properties[key] : additionalProperties
}

/** Compiled when first asked: a command that only prints a schema pays nothing. */
export function validator(schema: object): (value: unknown) => boolean {
  const compiled = compiledOnce(schema)
  return (value) => compiled()(value)
}

/** Where the first thing stands that does not fit: `spec.parts[0].name`, or nothing for the value itself. */
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

function compiledOnce(schema: object): () => ValidateFunction {
  let compiled: ValidateFunction | undefined
  return () => {
    compiled ??= compiler().compile(schema)
    return compiled
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

/** The paths as the API server words them, in its order. */
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

function compiler(): Ajv {
  const ajv = new Ajv({ ...AS_CRDS, meta: false, validateSchema: false })
  return ajv.removeKeyword('maxLength').addKeyword(MAX_LENGTH).removeKeyword('oneOf').addKeyword(ONE_OF)
}

/** How the schemas of CustomResourceDefinitions are read, which are not quite JSON schema. */
export const AS_CRDS: Options = {
  strictTypes: false,
  strictRequired: false,
  formats: { password: true },
  keywords: ['says', 'x-kubernetes-int-or-string', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'],
  code: { optimize: false, regExp: Object.assign(patternOf, { code: 'patternOf' }) },
}

/** Patterns are written for Go, which calls a script by its name alone. */
function patternOf(pattern: string, flags: string): RegExp {
  return new RegExp(goPattern(pattern), flags)
}
export const goPattern = (pattern: string) => pattern.replaceAll('\\p{Han}', '\\p{Script=Han}')

/** In code points, as the API server counts; there are never more of them than units, so most texts need no counting. */
const MAX_LENGTH = {
  keyword: 'maxLength',
  before: 'pattern', // what is too long is not searched through
  type: 'string' as const,
  code(cxt: KeywordCxt) {
    const { gen, data, schema: most } = cxt
    const characters = gen.scopeValue('func', { ref: charactersIn })
    cxt.fail(_`${data}.length > ${most} && ${characters}(${data}) > ${most}`)
  },
}

/** Ajv's own notes down why each of the others does not fit, which takes longer than all the rest. */
const ONE_OF = {
  keyword: 'oneOf',
  type: 'object' as const,
  code(cxt: KeywordCxt) {
    const branches: NonNullable<JsonSchema['oneOf']> = cxt.schema
    const isThere = branches.map(({ required: [name] }) => _`(${cxt.data}[${name}] !== undefined)`)
    cxt.fail(_`${isThere.reduce((sum, each) => _`${sum} + ${each}`)} !== 1`)
  },
}

/** In Unicode, of which some take two units of a text; counted in place, for an array of three million would take its time. */
function charactersIn(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) pairs += 1
  }
  return text.length - pairs
}
const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000
