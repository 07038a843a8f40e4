import { entriesOf, type PropertyEntry } from './entries.ts'
import { type Line, linesOf } from './lines.ts'
import { escaped, plainOf } from './normalise.ts'

/** A source, read once for all that looks at it. */
export interface ReadText {
  /** Of its author, with line feeds alone. */
  readonly plain: string
  /** As it is merged. */
  readonly text: string
  readonly lines: readonly Line[]
  readonly entries: readonly PropertyEntry[]
}

export function readText(source: string): ReadText {
  const plain = plainOf(source)
  const text = escaped(plain)
  const lines = linesOf(text)
  return { plain, text, lines, entries: entriesOf(text, lines) }
}
