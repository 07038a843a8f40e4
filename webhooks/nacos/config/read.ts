import { entriesOf, type PropertyEntry } from './entries.ts'
import { type Line, linesOf } from './lines.ts'
import { escaped, plainOf } from './normalise.ts'

/** A source, read once for all that looks at it. */
export interface ReadText {
  /** Of its author, with line feeds alone. */
  readonly plain: string
  readonly plainLines: readonly Line[]
  /** As it is merged. */
  readonly text: string
  readonly lines: readonly Line[]
  readonly entries: readonly PropertyEntry[]
}

export function readText(source: string): ReadText {
  const plain = plainOf(source)
  const plainLines = linesOf(plain)
  const text = escaped(plain, plainLines)
  const lines = text === plain ? plainLines : linesOf(text)
  return { plain, plainLines, text, lines, entries: entriesOf(text, lines) }
}
