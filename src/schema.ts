export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type Tree = { [key: string]: unknown }

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type Leaf = string | number | boolean | null | undefined
/** An object before the API server validates it: every field may be missing, and present fields have their type. */
export type Draft<T> = T extends Leaf
  ? T
  : T extends readonly (infer E)[]
    ? readonly Draft<E>[]
    : { readonly [K in keyof T]?: (unknown extends T[K] ? T[K] : Draft<T[K]>) | undefined }

/** The subset of JSON schema that a CustomResourceDefinition takes. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean' // absent for an integer or a string
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
  readonly 'x-kubernetes-list-type'?: 'map' | 'atomic'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic'
  readonly 'x-kubernetes-preserve-unknown-fields'?: true
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

/** One field, from which CRD, validator, type and documentation derive. `holds` only carries T. */
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
    /** The key fields of its items, which are unique, so that two writers may each own some (server-side apply). */
    readonly keys?: readonly string[]
  }

/** About the largest object that etcd takes: the limit of a string without a smaller one (SV-17). */
export const LONGEST_TEXT = 1_560_000

export const text = ({ doc, ...limits }: TextLimits): Field<string> => ({
  json: { type: 'string', description: doc, maxLength: LONGEST_TEXT, ...limits },
})
/**
 * A point in time, in the form of RFC 3339. Not by a `format`, where an API server takes any list, and for a `date-time`
 * also `2022-03-01T08:00:00Ztea`: no client in Go can read such an object. A list of them needs a `maxItems`, or the
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
 * A string that is written and never read again. The format makes forms hide it, and keeps the API server from quoting a
 * number in its place: without a format, the answer to `kubectl apply --server-side` quotes the wrong value.
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
/** Limits lists of items with a time: an API server estimates each rule at a cost of 933, and allows ten million. */
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
/** A map with arbitrary keys and values of one schema. */
export const map = <T>(
  of: Field<T>,
  { doc, ...rest }: Documented & { readonly default?: Readonly<Record<string, T & Json>> },
): Field<Readonly<Record<string, T>>> => ({
  json: { type: 'object', description: doc, additionalProperties: of.json, ...rest },
})

/** An object with any fields, of which the API server keeps all. */
export const anyObject = ({ doc }: Documented): Field<Tree> => ({
  json: { type: 'object', description: doc, 'x-kubernetes-preserve-unknown-fields': true },
})
/** One writer owns the whole of it (server-side apply). */
export const atomic = <T>({ json }: Field<T>): Field<T> => ({
  json: { ...json, [json.type === 'array' ? 'x-kubernetes-list-type' : 'x-kubernetes-map-type']: 'atomic' },
})

/** An explicit null counts as absent. */
export const nullable = <T>({ json }: Field<T>): Field<T | null> => ({
  json: { ...json, nullable: true },
})

/** Adds a default; `{}` brings the defaults of the inner fields. */
export const usually = <T>({ json }: Field<T>, value: Json): Field<T> => ({ json: { ...json, default: value } })

/** An object has exactly one of these fields. */
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
