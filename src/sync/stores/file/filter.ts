const LONGEST_NAME = 255

/** A glob of Go's path.Match, for the name of a file. A pattern that is none matches nothing. */
export function matcherOf(pattern: string): (name: string) => boolean {
  const source = [...pattern.matchAll(/\\(.)|\*+|\?|\[(\^?)((?:\\.|[^\]\\])+)\]|./gsu)].map(sourceOf).join('')
  try {
    const expression = new RegExp(`^${source}$`, 'su')
    return (name) => name.length <= LONGEST_NAME && expression.test(name)
  } catch {
    return () => false
  }
}

function sourceOf([token, escaped, not, set]: RegExpExecArray): string {
  if (escaped !== undefined) return literal(escaped)
  if (set !== undefined) return `[${not}${set.replaceAll(/\\(.)|([[&])/gsu, (_, one, other) => literal(one ?? other))}]`
  if (token.startsWith('*')) return '[^/]*'
  return token === '?' ? '[^/]' : literal(token)
}

const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
