import { parse, TomlError } from 'smol-toml'

export type Table =
  | { readonly ok: true; readonly entries: readonly (readonly [key: string, value: unknown])[] }
  | { readonly ok: false; readonly why: string }

const DEEPEST = 100

/** Integers are of type bigint, so that 1.0 is none. */
export function tableIn(text: string): Table {
  try {
    return { ok: true, entries: Object.entries(parse(text, { integersAsBigInt: true, maxDepth: DEEPEST })) }
  } catch (error) {
    if (error instanceof TomlError) return { ok: false, why: `is no TOML: ${placeOf(error)}` }
    throw error
  }
}

/** Without the line itself, which may hold a password. */
function placeOf({ line, column, message }: TomlError): string {
  const [what = ''] = message.split('\n')
  return `line ${line}, column ${column}: ${what.replace(/^Invalid TOML document: /, '')}`
}

/** A table inside a table. */
export function entriesOf(value: unknown): readonly (readonly [key: string, value: unknown])[] | undefined {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  return isTable ? Object.entries(value) : undefined
}
