import type { Bytes } from './bytes.ts'
import { codeAndCharacter, quoted } from './quoting.ts'
import { isLetterOrDigit, isPrintable, runeAt } from './runes.ts'
import { KEYWORDS, type TemplateToken, type TokenKind } from './token.ts'

const LEFT = '{{'
const RIGHT = '}}'
/** A dash with a space on its inner side. */
const MARKER_LENGTH = 2
const SPACES = ' \t\r\n'
const ENDS_WORD = `${SPACES}.,|:()`
const AFTER_SPACES = /[ \t\r\n]*/y
/** Octal and binary digits may have a fraction here; that it is none, the parser says. */
const NUMBER = new RegExp(
  `[-+]?(?:${[
    String.raw`0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][-+]?[\d_]*)?`,
    String.raw`0[oO][0-7_]*(?:\.[0-7_]*)?`,
    String.raw`0[bB][01_]*(?:\.[01_]*)?`,
    String.raw`[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?[\d_]*)?`,
  ].join('|')})i?`,
  'y',
)
const PUNCTUATION: Readonly<Record<string, TokenKind>> = { '=': 'assign', '|': 'pipe' }

/** All tokens of a template. The last one is its end, or what is wrong (SY-TPL-3 to -6). */
export function tokensOf(text: Bytes): readonly TemplateToken[] {
  return new Lexer(text).run()
}

class Lexer {
  private readonly text: Bytes
  private readonly tokens: TemplateToken[] = []
  private at = 0
  private start = 0
  private parens = 0

  constructor(text: Bytes) {
    this.text = text
  }

  run(): readonly TemplateToken[] {
    while (!this.isDone()) this.textUpToAction()
    return this.tokens
  }

  private isDone(): boolean {
    const last = this.tokens.at(-1)?.kind
    return last === 'end' || last === 'error'
  }

  private textUpToAction(): TemplateToken | undefined {
    const opens = this.text.indexOf(LEFT, this.at)
    if (opens < 0) {
      this.at = this.text.length
      if (this.at > this.start) this.emit('text')
      return this.emit('end')
    }
    this.at = opens
    if (this.hasLeftMarker(opens + LEFT.length)) while (this.at > this.start && this.isSpace(this.at - 1)) this.at--
    if (this.at > this.start) this.emit('text')
    this.skipTo(opens)
    return this.leftDelimiter()
  }

  private leftDelimiter(): TemplateToken | undefined {
    const marker = this.hasLeftMarker(this.at + LEFT.length) ? MARKER_LENGTH : 0
    const inside = this.at + LEFT.length + marker
    if (this.text.startsWith('/*', inside)) return this.comment(inside)
    this.at += LEFT.length
    this.emit('left delimiter')
    this.skipTo(inside)
    this.parens = 0
    for (let token = this.insideAction(); ; token = this.insideAction()) {
      if (token.kind === 'right delimiter' || token.kind === 'error') return token
    }
  }

  private comment(from: number): TemplateToken | undefined {
    this.skipTo(from)
    const ends = this.text.indexOf('*/', from + 2)
    if (ends < 0) return this.fail('unclosed comment')
    this.at = ends + 2
    if (!this.isAtRight()) return this.fail('comment ends before closing delimiter')
    return this.afterRight()
  }

  private insideAction(): TemplateToken {
    if (this.isAtRight()) return this.parens === 0 ? this.rightDelimiter() : this.fail('unclosed left paren')
    const char = this.text.charAt(this.at)
    if (char === '') return this.fail('unclosed action')
    if (SPACES.includes(char)) return this.space()
    if (char === '"') return this.quote('"', 'string', 'unterminated quoted string')
    if (char === "'") return this.quote("'", 'character', 'unterminated character constant')
    if (char === '`') return this.rawQuote()
    if (char === '(' || char === ')') return this.paren(char)
    if (char === ':') return this.declaration()
    if (char === '$') return this.name('variable')
    if (char === '.' && /[^0-9]/.test(this.text.charAt(this.at + 1))) return this.name('field')
    if (/[-+.0-9]/.test(char)) return this.number()
    return this.wordOrPunctuation(char)
  }

  private wordOrPunctuation(char: string): TemplateToken {
    const { code } = runeAt(this.text, this.at)
    if (isLetterOrDigit(code)) return this.word()
    if (code >= 0x80 || !isPrintable(code)) return this.failAtRune('unrecognized character in action:')
    this.at++
    return this.emit(PUNCTUATION[char] ?? 'punctuation')
  }

  private rightDelimiter(): TemplateToken {
    const trims = this.hasRightMarker()
    if (trims) this.skipTo(this.at + MARKER_LENGTH)
    this.at += RIGHT.length
    const token = this.emit('right delimiter')
    if (trims) this.skipSpaces()
    return token
  }

  private afterRight(): undefined {
    const trims = this.hasRightMarker()
    this.skipTo(this.at + (trims ? MARKER_LENGTH : 0) + RIGHT.length)
    if (trims) this.skipSpaces()
    return undefined
  }

  private space(): TemplateToken {
    AFTER_SPACES.lastIndex = this.at
    AFTER_SPACES.test(this.text)
    const end = AFTER_SPACES.lastIndex
    const isMarker = this.text.startsWith(`-${RIGHT}`, end)
    this.at = isMarker ? end - 1 : end
    return this.emit('space')
  }

  private quote(quote: string, kind: TokenKind, otherwise: string): TemplateToken {
    for (this.at++; ; this.at++) {
      const char = this.text.charAt(this.at)
      if (char === quote) break
      if (char === '\\') this.at++
      if (this.at >= this.text.length || this.text.charAt(this.at) === '\n') return this.fail(otherwise)
    }
    this.at++
    return this.emit(kind)
  }

  private rawQuote(): TemplateToken {
    const ends = this.text.indexOf('`', this.at + 1)
    if (ends < 0) return this.fail('unterminated raw quoted string')
    this.at = ends + 1
    return this.emit('raw string')
  }

  private paren(char: string): TemplateToken {
    this.parens += char === '(' ? 1 : -1
    if (this.parens < 0) return this.fail('unexpected right paren')
    this.at++
    return this.emit(char === '(' ? 'left paren' : 'right paren')
  }

  private declaration(): TemplateToken {
    if (this.text.charAt(this.at + 1) !== '=') return this.fail('expected :=')
    this.at += 2
    return this.emit('declare')
  }

  /** A field or a variable. A dot without a name is a keyword. */
  private name(kind: 'field' | 'variable'): TemplateToken {
    this.at++
    this.passWord()
    if (!this.endsWord()) return this.failAtRune('bad character')
    return this.emit(kind === 'field' && this.at === this.start + 1 ? 'keyword' : kind)
  }

  private word(): TemplateToken {
    this.passWord()
    if (!this.endsWord()) return this.failAtRune('bad character')
    const word = this.text.slice(this.start, this.at)
    return this.emit(KEYWORDS.has(word) ? 'keyword' : word === 'true' || word === 'false' ? 'bool' : 'identifier')
  }

  private passWord(): void {
    while (this.at < this.text.length) {
      const { code, width } = runeAt(this.text, this.at)
      if (!isLetterOrDigit(code)) return
      this.at += width
    }
  }

  private endsWord(): boolean {
    if (this.at >= this.text.length || ENDS_WORD.includes(this.text.charAt(this.at))) return true
    return this.text.startsWith(RIGHT, this.at)
  }

  private number(): TemplateToken {
    const isNumber = this.passNumber()
    const isPair = isNumber && /[-+]/.test(this.text.charAt(this.at))
    const isWhole = isPair ? this.passNumber() && this.text.charAt(this.at - 1) === 'i' : isNumber
    if (!isWhole) return this.fail(`bad number syntax: ${quoted(this.text.slice(this.start, this.at))}`)
    return this.emit(isPair ? 'complex' : 'number')
  }

  private passNumber(): boolean {
    NUMBER.lastIndex = this.at
    NUMBER.test(this.text)
    this.at = NUMBER.lastIndex
    if (this.at >= this.text.length) return true
    const { code, width } = runeAt(this.text, this.at)
    if (!isLetterOrDigit(code)) return true
    this.at += width
    return false
  }

  private isAtRight(): boolean {
    return this.text.startsWith(RIGHT, this.at) || this.hasRightMarker()
  }

  private hasRightMarker(): boolean {
    return this.isSpace(this.at) && this.text.startsWith(`-${RIGHT}`, this.at + 1)
  }

  private hasLeftMarker(at: number): boolean {
    return this.text.charAt(at) === '-' && this.isSpace(at + 1)
  }

  private isSpace(at: number): boolean {
    const char = this.text.charAt(at)
    return char !== '' && SPACES.includes(char)
  }

  private skipSpaces(): void {
    AFTER_SPACES.lastIndex = this.at
    AFTER_SPACES.test(this.text)
    this.skipTo(AFTER_SPACES.lastIndex)
  }

  private skipTo(at: number): void {
    this.at = at
    this.start = at
  }

  private emit(kind: TokenKind): TemplateToken {
    const token: TemplateToken = { kind, at: this.start, text: this.text.slice(this.start, this.at) }
    this.tokens.push(token)
    this.start = this.at
    return token
  }

  private fail(reason: Bytes): TemplateToken {
    const token: TemplateToken = { kind: 'error', at: this.start, text: reason }
    this.tokens.push(token)
    return token
  }

  private failAtRune(reason: Bytes): TemplateToken {
    return this.fail(`${reason} ${codeAndCharacter(runeAt(this.text, this.at).code)}`)
  }
}
