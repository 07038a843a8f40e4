import { Properties } from 'properties-file/parser'
import type { Line } from './lines.ts'

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
export function entriesOf(lines: readonly Line[]): readonly PropertyEntry[] {
  const read = lines.filter(({ is }) => is !== 'comment')
  const text = read.map((line) => legibleOf(line)).join('\n')
  return new Properties(text).getProperties().map(({ key, value, startingLineNumber, separatorChar }) => ({
    key,
    value,
    line: read[startingLineNumber - 1]?.line ?? 0,
    isBare: separatorChar === undefined && value === '',
  }))
}

/** The library reads on behind a lone backslash as if it were part of a property, and throws at a malformed escape. */
function legibleOf({ text, is }: Line): string {
  if (is === 'lone backslash') return ''
  return text.includes('\\u') ? text.replaceAll(ESCAPE, (unit) => (unit === '\\u' ? '\\\\u' : unit)) : text
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/gs

/** NC-PRP-07. The four digits stand on the line of the backslash, or Spring Boot's loader throws too. */
export function malformedEscape(line: string): boolean {
  return line.includes('\\u') && (line.match(ESCAPE) ?? []).some((unit) => unit === '\\u')
}
