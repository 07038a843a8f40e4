import type { Field, JsonSchema } from './schema.ts'

/** A setting of a kind, declared beside the rules that read it. */
export interface Setting<T> {
  /** The key in the file of --config, in camel case, from which its flag and variable derive. */
  readonly name: string
  readonly field: Field<T>
  readonly is: (value: unknown) => value is T
}
export interface Settings {
  get<T>(setting: Setting<T>): T
}

export function setting<T>(name: string, field: Field<T>): Setting<T> {
  return { name, field, is: (value): value is T => fits(value, field.json) }
}

/** Answers the default of a setting that was not set. */
export function settingsOf(values: Readonly<Record<string, unknown>>): Settings {
  return {
    get({ name, field, is }) {
      const value = values[name] ?? field.json.default
      if (is(value)) return value
      throw new TypeError(`setting ${name} has no value that fits it`)
    },
  }
}

/**
 * Whether a setting may have this value. A setting is a text, a number, a flag or a list of such, so it is checked without
 * compiling its schema: Ajv would take a tenth of the start of a process.
 */
export function fits(value: unknown, schema: JsonSchema): boolean {
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && isWithin(value, schema.minimum, schema.maximum)
    case 'string':
      return typeof value === 'string' && fitsText(value, schema)
    case 'array':
      return Array.isArray(value) && fitsList(value, schema)
    default:
      return false
  }
}

function fitsText(text: string, { enum: words, pattern, minLength, maxLength }: JsonSchema): boolean {
  const isWord = words === undefined || words.includes(text)
  return isWord && isWithin(text.length, minLength, maxLength) && new RegExp(pattern ?? '', 'u').test(text)
}

function fitsList(list: readonly unknown[], { items = {}, minItems, maxItems }: JsonSchema): boolean {
  return isWithin(list.length, minItems, maxItems) && list.every((each) => fits(each, items))
}

const isWithin = (value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) =>
  value >= least && value <= most
