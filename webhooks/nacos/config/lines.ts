/** A line of a properties text, without its end. Blank lines are left out, but for one that ends a property. */
export interface Line {
  /** Counts from 1. */
  readonly line: number
  readonly text: string
  /** A property may go on over several lines. What follows a lone backslash is read as if it stood alone (measured). */
  readonly is: 'comment' | 'property' | 'lone backslash'
}

/** NC-PRP-02, NC-PRP-03: a line belongs to a property if it starts one, or if the line before goes on. */
export function linesOf(whole: string): readonly Line[] {
  const lines: Line[] = []
  let goesOn = false
  for (const [index, text] of whole.split('\n').entries()) {
    const is: Line['is'] | 'blank' = goesOn ? 'property' : kindOf(text)
    goesOn = is === 'property' && endsInContinuation(text)
    if (is !== 'blank') lines.push({ line: index + 1, text, is })
  }
  return lines
}

function kindOf(line: string): Line['is'] | 'blank' {
  const [, sign] = NO_PROPERTY.exec(line) ?? []
  if (sign === undefined) return 'property'
  if (sign === '') return 'blank'
  return sign === '\\' ? 'lone backslash' : 'comment'
}
const NO_PROPERTY = /^[ \t\f]*($|[#!]|\\$)/

/** An odd number of backslashes. */
function endsInContinuation(line: string): boolean {
  let at = line.length
  while (at > 0 && line[at - 1] === '\\') at -= 1
  return (line.length - at) % 2 === 1
}
