import type { Field } from './schema.ts'
import { validator } from './schema-check.ts'

/** What an operator may set of a kind, declared beside the rules that ask it. */
export interface Setting<T> {
  /** As in the file of --config, in camel case; its flag and variable follow from it. */
  readonly name: string
  readonly field: Field<T>
  readonly is: (value: unknown) => value is T
}
export interface Settings {
  get<T>(setting: Setting<T>): T
}

export function setting<T>(name: string, field: Field<T>): Setting<T> {
  const fits = validator(field.json)
  return { name, field, is: (value): value is T => fits(value) }
}

/** A value that was not set is the default of its setting. */
export function settingsOf(values: Readonly<Record<string, unknown>>): Settings {
  return {
    get({ name, field, is }) {
      const value = values[name] ?? field.json.default
      if (is(value)) return value
      throw new TypeError(`setting ${name} has no value that fits it`)
    },
  }
}
