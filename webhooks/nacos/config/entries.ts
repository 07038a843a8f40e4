import { Properties } from 'properties-file/parser'
import { type Line, linesOf } from './lines.ts'

/** A property as Java reads it; the last one of a key counts. */
export interface PropertyEntry {
  readonly key: string
  readonly value: string
  /** The first of its lines. */
  readonly line: number
  /** Without `=` or `:` and without a value. */
  readonly isBare: boolean
}

/** Reads any text, a malformed escape as the text that it is: what is wrong with a text is for the lint to say. */
export function entriesOf(text: string, lines = linesOf(text)): readonly PropertyEntry[] {
  const properties = new Properties(legible(text, lines)).getProperties()
  return properties.map(({ key, value, startingLineNumber, separatorChar }) => ({
    key,
    value,
    line: startingLineNumber,
    isBare: separatorChar === undefined && value === '',
  }))
}

/** The library reads on behind a lone backslash as if it were part of a property, and throws at a malformed escape. */
function legible(whole: string, lines: readonly Line[]): string {
  if (!whole.includes('\\')) return whole
  const all = whole.split('\n')
  for (const { line, is, text } of lines) {
    if (is === 'lone backslash') all[line - 1] = ''
    else if (is === 'property' && malformedEscape(text)) all[line - 1] = text.replaceAll(ESCAPE, asText)
  }
  return all.join('\n')
}

const asText = (unit: string) => (unit === '\\u' ? '\\\\u' : unit)
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/gs

/** NC-PRP-07. The four digits stand on the line of the backslash, or Spring Boot's loader throws too. */
export function malformedEscape(line: string): boolean {
  return line.includes('\\u') && (line.match(ESCAPE) ?? []).some((unit) => unit === '\\u')
}
