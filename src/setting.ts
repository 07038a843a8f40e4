import type { Field } from './schema.ts'
import { guardOf } from './schema-check.ts'

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
  return { name, field, is: guardOf(field) }
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
