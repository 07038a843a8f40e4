import type { Bytes } from './bytes.ts'
import { quoted } from './quoting.ts'
import { runesIn, utf8 } from './runes.ts'

export type TokenKind =
  | 'text'
  | 'left delimiter'
  | 'right delimiter'
  | 'left paren'
  | 'right paren'
  | 'space'
  | 'assign'
  | 'declare'
  | 'pipe'
  | 'identifier'
  | 'field'
  | 'variable'
  | 'string'
  | 'raw string'
  | 'character'
  | 'number'
  | 'complex'
  | 'bool'
  | 'keyword'
  | 'punctuation'
  | 'error'
  | 'end'

export interface TemplateToken {
  readonly kind: TokenKind
  /** In bytes from the start of the template. */
  readonly at: number
  /** Of an error, its message. */
  readonly text: Bytes
}

/** A lone dot is a keyword, as in Go. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...['.', 'block', 'break', 'continue', 'define', 'else', 'end', 'if', 'nil', 'range', 'template', 'with'],
])

/** The token in the words of a message. */
export function shown({ kind, text }: TemplateToken): Bytes {
  if (kind === 'end') return 'EOF'
  if (kind === 'error') return text
  if (kind === 'keyword') return `<${text}>`
  return text.length > 10 ? `${quoted(firstTen(text))}...` : quoted(text)
}

function firstTen(text: Bytes): Bytes {
  let first = ''
  let count = 0
  for (const { code, width } of runesIn(text)) {
    if (count++ === 10) break
    first += width === 1 ? text.charAt(first.length) : utf8(code)
  }
  return first
}
