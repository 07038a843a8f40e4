import { type Bytes, textOf } from './bytes.ts'
import type { BranchPart, TemplateNode } from './node.ts'
import { type FunctionNames, MOST_NESTING, OperandParser } from './operand-parser.ts'
import { quoted } from './quoting.ts'
import type { TemplateToken } from './token.ts'
import { TokenStream } from './token-stream.ts'
import { VariableNames } from './variable-names.ts'

/** A template and those that it defines, by name. */
export type Templates = ReadonlyMap<Bytes, readonly TemplateNode[]>

export interface TemplateSource {
  readonly name: string
  readonly text: Bytes
  readonly functions: FunctionNames
}

export function templatesIn({ name, text, functions }: TemplateSource): Templates {
  const shared: Shared = { tokens: new TokenStream(name, text), functions, templates: new Map(), depth: 0 }
  new TreeParser(shared).main(name)
  return shared.templates
}

/** What a template and those that it defines have in common while they are parsed. */
interface Shared {
  readonly tokens: TokenStream
  readonly functions: FunctionNames
  readonly templates: Map<Bytes, readonly TemplateNode[]>
  depth: number
}

/** How a list ends. */
type ListEnd = 'end' | 'else'

class TreeParser {
  private readonly shared: Shared
  private readonly tokens: TokenStream
  private readonly variables = new VariableNames()
  private readonly operands: OperandParser
  private ranges = 0

  constructor(shared: Shared) {
    this.shared = shared
    this.tokens = shared.tokens
    this.operands = new OperandParser(shared.tokens, shared.functions, this.variables)
  }

  main(name: Bytes): void {
    const list: TemplateNode[] = []
    while (this.tokens.peek().kind !== 'end') {
      if (this.isAtDefine()) {
        new TreeParser(this.shared).definition()
        continue
      }
      const node = this.node()
      if (node === 'end' || node === 'else') this.tokens.fail(`unexpected {{${node}}}`)
      list.push(node)
    }
    this.add(name, list)
  }

  /** If so, it stands behind the word. */
  private isAtDefine(): boolean {
    if (this.tokens.peek().kind !== 'left delimiter') return false
    const before = this.tokens.position
    this.tokens.next()
    this.tokens.peekPastSpace()
    const isDefine = this.tokens.isAtKeyword('define')
    if (isDefine) this.tokens.next()
    else this.tokens.returnTo(before)
    return isDefine
  }

  private definition(): void {
    const context = 'define clause'
    const name = this.nameIn(this.tokens.nextPastSpace(), context)
    this.expectRight(context)
    this.add(name, this.listOf(context))
  }

  private listOf(context: Bytes): readonly TemplateNode[] {
    const { list, end } = this.list()
    return end === 'end' ? list : this.tokens.fail(`unexpected {{else}} in ${context}`)
  }

  private add(name: Bytes, list: readonly TemplateNode[]): void {
    const there = this.shared.templates.get(name)
    if (there === undefined || there.every(isBlank)) this.shared.templates.set(name, list)
    else if (!list.every(isBlank)) {
      this.tokens.fail(`template: multiple definition of template ${quoted(name)}`)
    }
  }

  private list(): { readonly list: readonly TemplateNode[]; readonly end: ListEnd } {
    if (this.shared.depth >= MOST_NESTING)
      this.tokens.fail(`more than ${MOST_NESTING} control structures in each other`)
    this.shared.depth++
    const list: TemplateNode[] = []
    while (this.tokens.peekPastSpace().kind !== 'end') {
      const node = this.node()
      if (node === 'end' || node === 'else') {
        this.shared.depth--
        return { list, end: node }
      }
      list.push(node)
    }
    return this.tokens.fail('unexpected EOF')
  }

  private node(): TemplateNode | ListEnd {
    const token = this.tokens.nextPastSpace()
    if (token.kind === 'text') return { is: 'text', text: token.text }
    if (token.kind !== 'left delimiter') return this.operands.unexpected(token, 'input')
    this.operands.actionAt = token.at
    const node = this.action()
    this.operands.actionAt = undefined
    return node
  }

  private action(): TemplateNode | ListEnd {
    const { kind, text } = this.tokens.peekPastSpace()
    if (kind !== 'keyword' || text === '.' || text === 'nil' || text === 'define') {
      return { is: 'action', pipe: this.operands.pipeline('command') }
    }
    this.tokens.next()
    switch (text) {
      case 'if':
      case 'with':
      case 'range':
        return this.control(text)
      case 'else':
        return this.otherwise()
      case 'end':
        this.expectRight('end')
        return 'end'
      case 'block':
        return this.block()
      case 'template':
        return this.call()
      default:
        return this.jump(text === 'break' ? 'break' : 'continue')
    }
  }

  private jump(is: 'break' | 'continue'): TemplateNode {
    this.expectRight(`{{${is}}}`)
    return this.ranges === 0 ? this.tokens.fail(`{{${is}}} outside {{range}}`) : { is }
  }

  /** A chain of `else if` or `else with` is as long as it likes: it is built from its end. */
  private control(is: BranchPart['is']): TemplateNode {
    const mark = this.variables.mark
    const chain: Omit<BranchPart, 'otherwise'>[] = []
    let otherwise: readonly TemplateNode[] = []
    for (let goesOn = true; goesOn; ) {
      const { end, ...branch } = this.branch(is)
      chain.push(branch)
      goesOn = end === 'else' && is !== 'range' && this.tokens.isAtKeyword(is)
      if (goesOn) this.tokens.next()
      else if (end === 'else') otherwise = this.lastList()
    }
    this.variables.forgetSince(mark)
    for (const branch of chain.slice(1).reverse()) otherwise = [{ ...branch, otherwise }]
    const [first] = chain
    return first === undefined ? this.tokens.fail(`missing value for ${is}`) : { ...first, otherwise }
  }

  private branch(is: BranchPart['is']): Omit<BranchPart, 'otherwise'> & { readonly end: ListEnd } {
    const pipe = this.operands.pipeline(is)
    this.ranges += is === 'range' ? 1 : 0
    const { list, end } = this.list()
    this.ranges -= is === 'range' ? 1 : 0
    return { is, pipe, list, end }
  }

  private lastList(): readonly TemplateNode[] {
    const { list, end } = this.list()
    return end === 'end' ? list : this.tokens.fail('expected end; found {{else}}')
  }

  /** The word after `else` is left to the control structure that has it. */
  private otherwise(): ListEnd {
    this.tokens.peekPastSpace()
    if (!this.tokens.isAtKeyword('if', 'with')) this.expectRight('else')
    return 'else'
  }

  private block(): TemplateNode {
    const context = 'block clause'
    const token = this.tokens.nextPastSpace()
    const name = this.nameIn(token, context)
    const pipe = this.operands.pipeline(context)
    const body = new TreeParser(this.shared)
    body.add(name, body.listOf(context))
    return { is: 'template', at: token.at, name, pipe }
  }

  private call(): TemplateNode {
    const context = 'template clause'
    const token = this.tokens.nextPastSpace()
    const name = this.nameIn(token, context)
    const hasPipe = this.tokens.peekPastSpace().kind !== 'right delimiter'
    if (hasPipe) return { is: 'template', at: token.at, name, pipe: this.operands.pipeline(context) }
    this.tokens.next()
    return { is: 'template', at: token.at, name, pipe: undefined }
  }

  private nameIn(token: TemplateToken, context: Bytes): Bytes {
    if (token.kind !== 'string' && token.kind !== 'raw string') return this.operands.unexpected(token, context)
    return this.operands.string(token.text)
  }

  private expectRight(context: Bytes): void {
    const token = this.tokens.nextPastSpace()
    if (token.kind !== 'right delimiter') this.operands.unexpected(token, context)
  }
}

/** It does not replace a template that says something. */
const isBlank = (node: TemplateNode) => node.is === 'text' && /^\p{White_Space}*$/u.test(textOf(node.text))
