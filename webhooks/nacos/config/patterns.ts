/** Whether a key is one of some exact keys, or begins like an entry with a `*`. */
export type Matcher = (key: string) => boolean

/** Searches sorted lists, since there may be many entries and many keys. */
export function matcherOf(entries: readonly string[]): Matcher {
  if (entries.length === 0) return () => false
  const { prefix = [], exact = [] } = Object.groupBy(entries.map(patternOf), ({ is }) => is)
  const prefixes = withoutLonger(sorted(prefix))
  const keys = sorted(exact)
  return (key) => {
    const { text, is } = keyForm(key)
    if (text.startsWith(prefixes[placeOf(text, prefixes)] ?? NEVER)) return true
    if (is === 'exact') return keys[placeOf(text, keys)] === text
    return [prefixes, keys].some((list) => list[placeOf(text, list) + 1]?.startsWith(text) === true)
  }
}

interface Form {
  readonly text: string
  readonly is: 'prefix' | 'exact'
}

const patternOf = (entry: string): Form =>
  entry.endsWith('*') ? { text: canonical(entry.slice(0, -1)), is: 'prefix' } : keyForm(entry)

/** A list key stands for each of its items (NC-MRG-33). */
function keyForm(key: string): Form {
  const text = canonical(key)
  return text.endsWith('[]') ? { text: text.slice(0, -1), is: 'prefix' } : { text, is: 'exact' }
}

/** Spring binds these spellings alike (NC-MRG-32). */
const canonical = (key: string) => {
  const lower = key.toLowerCase()
  return lower.includes('-') || lower.includes('_') ? lower.replaceAll(/[-_]/g, '') : lower
}

function sorted(forms: readonly Form[]): readonly string[] {
  return forms.map(({ text }) => text).sort()
}

/** Then the greatest that is not above a text is the only one that the text may begin with. */
function withoutLonger(prefixes: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const prefix of prefixes) if (!prefix.startsWith(kept.at(-1) ?? NEVER)) kept.push(prefix)
  return kept
}
/** No key has a line end: it would end there. */
const NEVER = '\n'

/** Of the greatest that is not above the text; -1 when all are. */
function placeOf(text: string, list: readonly string[]): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((list[middle] ?? '') <= text) from = middle + 1
    else to = middle
  }
  return from - 1
}
