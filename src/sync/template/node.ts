import type { Bytes } from './bytes.ts'
import type { NumberLiteral } from './number-literal.ts'
import { quoted } from './quoting.ts'

/** What a template is made of. `at` is where Go places an error of the node, in bytes from the start. */
export type TemplateNode = TextPart | ActionPart | BranchPart | CallPart | JumpPart

export interface TextPart {
  readonly is: 'text'
  readonly text: Bytes
}

export interface ActionPart {
  readonly is: 'action'
  readonly pipe: Pipe
}

/** `if`, `with` and `range`. */
export interface BranchPart {
  readonly is: 'if' | 'with' | 'range'
  readonly pipe: Pipe
  readonly list: readonly TemplateNode[]
  readonly otherwise: readonly TemplateNode[]
}

export interface CallPart {
  readonly is: 'template'
  readonly at: number
  readonly name: Bytes
  readonly pipe: Pipe | undefined
}

export interface JumpPart {
  readonly is: 'break' | 'continue'
}

export interface Pipe {
  readonly is: 'pipe'
  readonly at: number
  readonly declared: readonly Bytes[]
  /** It sets variables that are there already. */
  readonly assigns: boolean
  readonly commands: readonly CommandPart[]
}

export interface CommandPart {
  readonly is: 'command'
  readonly at: number
  /** At least one. */
  readonly operands: readonly [Operand, ...Operand[]]
}

export type Constant =
  | { readonly is: 'bool'; readonly at: number; readonly value: boolean }
  | { readonly is: 'string'; readonly at: number; readonly value: Bytes; readonly source: Bytes }
  | { readonly is: 'number'; readonly at: number; readonly value: NumberLiteral; readonly source: Bytes }

export type Operand =
  | Constant
  | { readonly is: 'dot' | 'nil'; readonly at: number }
  | { readonly is: 'function'; readonly at: number; readonly name: Bytes }
  | { readonly is: 'field'; readonly at: number; readonly path: readonly Bytes[] }
  | { readonly is: 'variable'; readonly at: number; readonly name: Bytes; readonly path: readonly Bytes[] }
  | { readonly is: 'chain'; readonly at: number; readonly of: Operand; readonly path: readonly Bytes[] }
  | Pipe

/** What an error can be about. */
export type Located = Operand | CommandPart | CallPart

/** A node in the words of an error message, which are those of the template, evenly spaced. */
export function nodeText(node: Located): Bytes {
  switch (node.is) {
    case 'pipe':
      return pipeText(node)
    case 'command':
      return node.operands.map(argumentText).join(' ')
    case 'template':
      return `{{template ${quoted(node.name)}${node.pipe === undefined ? '' : ` ${pipeText(node.pipe)}`}}}`
    case 'bool':
      return String(node.value)
    case 'string':
    case 'number':
      return node.source
    case 'dot':
      return '.'
    case 'nil':
      return 'nil'
    case 'function':
      return node.name
    case 'field':
      return fieldsText(node.path)
    case 'variable':
      return `${node.name}${fieldsText(node.path)}`
    case 'chain':
      return `${argumentText(node.of)}${fieldsText(node.path)}`
  }
}

function pipeText({ declared, assigns, commands }: Pipe): Bytes {
  const declarations = declared.length === 0 ? '' : `${declared.join(', ')} ${assigns ? '=' : ':='} `
  return `${declarations}${commands.map(nodeText).join(' | ')}`
}

const argumentText = (node: Operand) => (node.is === 'pipe' ? `(${pipeText(node)})` : nodeText(node))
const fieldsText = (path: readonly Bytes[]) => path.map((name) => `.${name}`).join('')
