import type { Bytes } from './bytes.ts'
import type { CommandPart, Operand, Pipe } from './node.ts'
import { type NumberLiteral, numberLiteral } from './number-literal.ts'
import { quoted, unquoted, unquotedCharacter } from './quoting.ts'
import type { TemplateToken, TokenKind } from './token.ts'
import type { TokenStream } from './token-stream.ts'
import type { VariableNames } from './variable-names.ts'

/** Which functions there are. `later`: they are known, and not supported yet. */
export interface FunctionNames {
  has(name: Bytes): 'yes' | 'later' | 'no'
}

/** Parentheses in each other, and control structures too (SY-LIM-1). */
export const MOST_NESTING = 200

const CONSTANTS: readonly Operand['is'][] = ['bool', 'dot', 'nil', 'number', 'string']
const BEGINS_OPERAND: readonly TokenKind[] = [
  ...(['bool', 'character', 'complex', 'field', 'identifier', 'number', 'raw string', 'string'] as const),
  ...(['variable', 'left paren'] as const),
]

/** Parses what stands in an action: pipelines, commands and operands (SY-TPL-5 to -8). */
export class OperandParser {
  private readonly tokens: TokenStream
  private readonly functions: FunctionNames
  private readonly variables: VariableNames
  private depth = 0
  /** Where the action that is being parsed begins. */
  actionAt: number | undefined

  constructor(tokens: TokenStream, functions: FunctionNames, variables: VariableNames) {
    this.tokens = tokens
    this.functions = functions
    this.variables = variables
  }

  pipeline(context: Bytes, end: TokenKind = 'right delimiter'): Pipe {
    const { at } = this.tokens.peekPastSpace()
    const { declared, assigns } = this.declarations(context)
    const commands: CommandPart[] = []
    while (true) {
      const token = this.tokens.peekPastSpace()
      if (token.kind === end) break
      if (!this.beginsOperand(token)) return this.unexpected(this.tokens.next(), context)
      commands.push(this.command())
    }
    this.tokens.next()
    this.checkStages(commands, context)
    return { is: 'pipe', at, declared, assigns, commands }
  }

  unexpected(token: TemplateToken, context: Bytes): never {
    return this.tokens.unexpected(token, context, this.actionAt)
  }

  private beginsOperand(token: TemplateToken): boolean {
    return BEGINS_OPERAND.includes(token.kind) || this.tokens.isAtKeyword('.', 'nil')
  }

  private declarations(context: Bytes): Pick<Pipe, 'declared' | 'assigns'> {
    const declared: Bytes[] = []
    while (this.tokens.peekPastSpace().kind === 'variable') {
      const before = this.tokens.position
      const name = this.tokens.next().text
      const next = this.tokens.peekPastSpace()
      const isLast = next.kind === 'assign' || next.kind === 'declare'
      const isComma = next.kind === 'punctuation' && next.text === ','
      if (!isLast && !isComma) {
        this.tokens.returnTo(before)
        break
      }
      this.tokens.next()
      declared.push(name)
      this.variables.add(name)
      if (isLast) return { declared, assigns: next.kind === 'assign' }
      this.checkAnother(context, declared.length)
    }
    return { declared, assigns: false }
  }

  private checkAnother(context: Bytes, count: number): void {
    if (context !== 'range' || count > 1) this.tokens.fail(`too many declarations in ${context}`)
    const { kind } = this.tokens.peekPastSpace()
    const isAllowed = kind === 'variable' || kind === 'right delimiter' || kind === 'right paren'
    if (!isAllowed) this.tokens.fail('range can only initialize variables')
  }

  private checkStages(commands: readonly CommandPart[], context: Bytes): void {
    if (commands.length === 0) this.tokens.fail(`missing value for ${context}`)
    const stage = commands.findIndex(({ operands }, i) => i > 0 && CONSTANTS.includes(operands[0].is))
    if (stage > 0) this.tokens.fail(`non executable command in pipeline stage ${stage + 1}`)
  }

  private command(): CommandPart {
    const { at } = this.tokens.peekPastSpace()
    const operands: Operand[] = []
    while (true) {
      this.tokens.peekPastSpace()
      const operand = this.operand()
      if (operand !== undefined) operands.push(operand)
      const token = this.tokens.peek()
      if (token.kind === 'right delimiter' || token.kind === 'right paren') break
      this.tokens.next()
      if (token.kind === 'pipe') break
      if (token.kind !== 'space') this.unexpected(token, 'operand')
    }
    const [first, ...rest] = operands
    return first === undefined ? this.tokens.fail('empty command') : { is: 'command', at, operands: [first, ...rest] }
  }

  private operand(): Operand | undefined {
    const term = this.term()
    if (term === undefined || this.tokens.peek().kind !== 'field') return term
    const { at } = this.tokens.peek()
    const path: Bytes[] = []
    while (this.tokens.peek().kind === 'field') path.push(this.tokens.next().text.slice(1))
    if (term.is === 'field') return { is: 'field', at, path: [...term.path, ...path] }
    if (term.is === 'variable') return { ...term, at, path }
    if (CONSTANTS.includes(term.is)) this.tokens.fail(`unexpected . after term ${quoted(constantText(term))}`)
    return { is: 'chain', at, of: term, path }
  }

  private term(): Operand | undefined {
    const token = this.tokens.peekPastSpace()
    if (!this.beginsOperand(token)) return undefined
    this.tokens.next()
    const { at, text } = token
    switch (token.kind) {
      case 'identifier':
        return this.functionNamed(text, at)
      case 'field':
        return { is: 'field', at, path: [text.slice(1)] }
      case 'variable':
        return this.variable(text, at)
      case 'left paren':
        return this.parenthesized()
      case 'bool':
        return { is: 'bool', at, value: text === 'true' }
      case 'keyword':
        return { is: text === '.' ? 'dot' : 'nil', at }
      case 'character':
        return { is: 'number', at, source: text, value: this.character(text) }
      case 'string':
      case 'raw string':
        return { is: 'string', at, source: text, value: this.string(text) }
      default:
        return { is: 'number', at, source: text, value: this.number(text) }
    }
  }

  private functionNamed(name: Bytes, at: number): Operand {
    const known = this.functions.has(name)
    if (known === 'later') this.tokens.fail(`function ${quoted(name)} not supported yet`)
    if (known === 'no') this.tokens.fail(`function ${quoted(name)} not defined`)
    return { is: 'function', at, name }
  }

  private variable(name: Bytes, at: number): Operand {
    if (!this.variables.has(name)) this.tokens.fail(`undefined variable ${quoted(name)}`)
    return { is: 'variable', at, name, path: [] }
  }

  private parenthesized(): Pipe {
    if (this.depth >= MOST_NESTING) this.tokens.fail('max expression depth exceeded')
    this.depth++
    const pipe = this.pipeline('parenthesized pipeline', 'right paren')
    this.depth--
    return pipe
  }

  private number(source: Bytes): NumberLiteral {
    const number = numberLiteral(source)
    if (number === undefined && /.[-+]i$/.test(source)) return this.tokens.fail('syntax error scanning complex number')
    if (number === undefined) return this.tokens.fail(`illegal number syntax: ${quoted(source)}`)
    return number === 'integer overflow' ? this.tokens.fail(`integer overflow: ${quoted(source)}`) : number
  }

  private character(source: Bytes): NumberLiteral {
    const code = unquotedCharacter(source)
    if (code === undefined) return this.tokens.fail('invalid syntax')
    if (code === 'not one') return this.tokens.fail(`malformed character constant: ${source}`)
    return { integer: BigInt(code), ideal: BigInt(code) }
  }

  string(source: Bytes): Bytes {
    return unquoted(source) ?? this.tokens.fail('invalid syntax')
  }
}

const constantText = (term: Operand) => ('source' in term ? term.source : 'value' in term ? String(term.value) : '')
