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
  let [line, goesOn] = [0, false]
  for (const text of whole.split('\n')) {
    line += 1
    const is = goesOn ? 'property' : kindOf(text)
    goesOn = is === 'property' && endsInContinuation(text)
    if (is !== 'blank') lines.push({ line, text, is })
  }
  return lines
}

/** By its first character that is no white space. There may be a million lines, so no expression is matched. */
function kindOf(line: string): Line['is'] | 'blank' {
  let at = 0
  while (line[at] === ' ' || line[at] === '\t' || line[at] === '\f') at += 1
  const sign = line[at]
  if (sign === undefined) return 'blank'
  if (sign === '#' || sign === '!') return 'comment'
  return sign === '\\' && at === line.length - 1 ? 'lone backslash' : 'property'
}

/** An odd number of backslashes. */
function endsInContinuation(line: string): boolean {
  let at = line.length
  while (at > 0 && line[at - 1] === '\\') at -= 1
  return (line.length - at) % 2 === 1
}
