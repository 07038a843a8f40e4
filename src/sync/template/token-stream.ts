import { type Bytes, textOf } from './bytes.ts'
import { tokensOf } from './lexer.ts'
import { TemplateError } from './template-error.ts'
import { shown, type TemplateToken } from './token.ts'

/** Where a parser stands in the tokens of a template. */
export class TokenStream {
  private readonly name: string
  private readonly text: Bytes
  private readonly tokens: readonly TemplateToken[]
  private index = 0
  /** The furthest token that was looked at: errors are placed at its line, as Go places them. */
  private furthest = 0

  constructor(name: string, text: Bytes) {
    this.name = name
    this.text = text
    this.tokens = tokensOf(text)
  }

  get position(): number {
    return this.index
  }

  returnTo(position: number): void {
    this.index = position
  }

  peek(): TemplateToken {
    this.furthest = Math.max(this.furthest, Math.min(this.index, this.tokens.length - 1))
    return this.tokens[this.index] ?? { kind: 'end', at: this.text.length, text: '' }
  }

  next(): TemplateToken {
    const token = this.peek()
    this.index++
    return token
  }

  peekPastSpace(): TemplateToken {
    while (this.peek().kind === 'space') this.index++
    return this.peek()
  }

  nextPastSpace(): TemplateToken {
    this.peekPastSpace()
    return this.next()
  }

  isAtKeyword(...words: readonly string[]): boolean {
    const { kind, text } = this.peek()
    return kind === 'keyword' && words.includes(text)
  }

  lineOf(at: number): number {
    let line = 1
    for (let i = this.text.indexOf('\n'); i >= 0 && i < at; i = this.text.indexOf('\n', i + 1)) line++
    return line
  }

  fail(reason: Bytes): never {
    const line = this.lineOf(this.tokens[this.furthest]?.at ?? 0)
    throw TemplateError.inParsing({ template: this.name, line }, textOf(reason))
  }

  /** `actionAt`: where the action begins, if the token is in one. */
  unexpected(token: TemplateToken, context: Bytes, actionAt?: number): never {
    if (token.kind !== 'error') return this.fail(`unexpected ${shown(token)} in ${context}`)
    const line = actionAt === undefined ? 0 : this.lineOf(actionAt)
    if (line === 0 || line === this.lineOf(token.at)) return this.fail(token.text)
    const link = token.text.endsWith(' action') ? 'started at' : 'in action started at'
    return this.fail(`${token.text} ${link} ${this.name}:${line}`)
  }
}
