import type { Bytes } from './bytes.ts'
import type { ExpressionScope, Expressions } from './expressions.ts'
import { Failure } from './failure.ts'
import { print } from './format/printf.ts'
import { elementOf } from './indexing.ts'
import type { CostMeter } from './meter.ts'
import { tooExpensive } from './meter.ts'
import type { BranchPart, CallPart, Pipe, TemplateNode } from './node.ts'
import type { Output } from './output.ts'
import type { Templates } from './parser.ts'
import { quoted } from './quoting.ts'
import { Boxed, Dict, type Evaluated, heldOf, isTrue, Sized, Slice, typeName, unboxed } from './values.ts'
import { Variables } from './variables.ts'

/** One template that is being executed. */
interface Call {
  readonly name: Bytes
  readonly variables: Variables
  readonly depth: number
}

/** A list of nodes that is being walked. */
interface Frame extends ExpressionScope {
  readonly call: Call
  readonly nodes: readonly TemplateNode[]
  next: number
  /** How many variables are left when it ends. */
  readonly mark: number
  /** The list is the body of a range. */
  readonly round?: Round
}

/** What is left of a range. */
interface Round {
  readonly pipe: Pipe
  readonly items: Iterator<Item>
  /** The variables that are there in each round. */
  readonly mark: number
}

type Item = readonly [key: Evaluated, element: Evaluated]

interface WalkParts {
  readonly templates: Templates
  readonly expressions: Expressions
  readonly output: Output
  readonly meter: CostMeter
}

/** Walks a template with a stack of its own: how deep templates call each other does not depend on that of the machine. */
export class TemplateWalk {
  private readonly templates: Templates
  private readonly expressions: Expressions
  private readonly output: Output
  private readonly meter: CostMeter
  private readonly frames: Frame[] = []
  /** The template that is being executed. */
  executing: Bytes

  constructor({ templates, expressions, output, meter }: WalkParts, name: Bytes) {
    this.templates = templates
    this.expressions = expressions
    this.output = output
    this.meter = meter
    this.executing = name
  }

  run(dot: Evaluated): void {
    this.begin({ name: this.executing, variables: new Variables(dot), depth: 0 }, dot)
    for (let frame = this.frames.at(-1); frame !== undefined; frame = this.frames.at(-1)) {
      this.executing = frame.call.name
      const node = frame.nodes[frame.next]
      frame.next++
      if (node === undefined) this.endOfList(frame)
      else this.node(frame, node)
    }
  }

  private begin(call: Call, dot: Evaluated): void {
    const { variables } = call
    this.push({ call, dot, variables, nodes: this.templates.get(call.name) ?? [], next: 0, mark: variables.mark })
  }

  /** A frame that has nothing left gives way: a chain of `else if` and a call at the end stay flat. */
  private push(frame: Frame): void {
    const top = this.frames.at(-1)
    const isOver = top !== undefined && top.round === undefined && top.next >= top.nodes.length
    if (!isOver) this.frames.push(frame)
    else if (top.call === frame.call) this.frames[this.frames.length - 1] = { ...frame, mark: top.mark }
    else {
      this.leave(top)
      this.frames.push(frame)
    }
  }

  private endOfList(frame: Frame): void {
    if (frame.round === undefined) this.leave(frame)
    else this.nextRound(frame, frame.round)
  }

  private leave(frame: Frame): void {
    this.frames.pop()
    frame.variables.popTo(frame.mark)
  }

  private node(frame: Frame, node: TemplateNode): void {
    this.meter.step()
    if (node.is === 'text') this.output.write(node.text)
    else if (node.is === 'action') this.action(frame, node.pipe)
    else if (node.is === 'template') this.templateCall(frame, node)
    else if (node.is === 'range') this.range(frame, node)
    else if (node.is === 'if' || node.is === 'with') this.choose(frame, node)
    else this.jump(node.is)
  }

  private action(frame: Frame, pipe: Pipe): void {
    const value = this.expressions.pipeline(frame, pipe)
    if (pipe.declared.length > 0) return
    const isPlain = typeof value === 'string'
    this.output.write(isPlain ? value : value === undefined ? '<no value>' : print([heldOf(value)], this.meter))
  }

  private choose(frame: Frame, node: BranchPart): void {
    const { mark } = frame.variables
    const value = this.expressions.pipeline(frame, node.pipe)
    const isChosen = isTrue(value)
    const dot = isChosen && node.is === 'with' ? value : frame.dot
    this.push({ ...listFrame(frame), dot, nodes: isChosen ? node.list : node.otherwise, next: 0, mark })
  }

  private range(frame: Frame, node: BranchPart): void {
    const { mark } = frame.variables
    const value = this.expressions.pipeline(frame, node.pipe)
    const items = this.itemsOf(value, node.pipe)
    const rest = { ...listFrame(frame), mark }
    if (items === undefined) this.push({ ...rest, nodes: node.otherwise, next: 0 })
    else {
      const round: Round = { pipe: node.pipe, items, mark: frame.variables.mark }
      this.frames.push({ ...rest, nodes: node.list, next: node.list.length, round })
    }
  }

  private nextRound(frame: Frame, round: Round): void {
    this.meter.step()
    frame.variables.popTo(round.mark)
    const { value: item, done } = round.items.next()
    if (done) this.leave(frame)
    else {
      const [key, element] = item
      setVariables(frame.variables, round.pipe, key, element)
      this.frames[this.frames.length - 1] = { ...frame, dot: element, next: 0 }
    }
  }

  /** Undefined: there is nothing to range over (SY-TPL-11). */
  private itemsOf(value: Evaluated, { declared }: Pipe): Iterator<Item> | undefined {
    const of = unboxed(value)
    if (of === undefined) return undefined
    if (of instanceof Slice) return of.items.length === 0 ? undefined : elementsOf(of)
    if (of instanceof Dict) return of.entries.size === 0 ? undefined : entriesOf(of)
    if (typeof of !== 'bigint' && !(of instanceof Sized)) {
      throw new Failure(
        `range can't iterate over ${print([of], this.meter)}`,
        `range can't iterate over ${typeName(of)}`,
      )
    }
    if (declared.length > 1)
      throw new Failure(`can't use ${print([of], this.meter)} to iterate over more than one variable`)
    return countTo(of)
  }

  private templateCall(frame: Frame, node: CallPart): void {
    this.expressions.at = node
    if (!this.templates.has(node.name)) throw new Failure(`template ${quoted(node.name)} not defined`)
    const depth = frame.call.depth + 1
    if (depth > this.meter.limits.calls) {
      throw tooExpensive(`more than ${this.meter.limits.calls} template calls in each other`)
    }
    const dot = node.pipe === undefined ? undefined : this.expressions.pipeline(frame, node.pipe)
    this.begin({ name: node.name, variables: new Variables(dot), depth }, dot)
  }

  /** To the nearest range. */
  private jump(is: 'break' | 'continue'): void {
    let frame = this.frames.at(-1)
    for (; frame !== undefined && frame.round === undefined; frame = this.frames.at(-1)) this.frames.pop()
    if (frame === undefined) return
    if (is === 'break') this.leave(frame)
    else frame.next = frame.nodes.length
  }
}

/** What a list in the body of a range has of it. */
const listFrame = ({ call, dot, variables }: Frame) => ({ call, dot, variables })

/** The variables of a range in a round. */
function setVariables(variables: Variables, { declared, assigns }: Pipe, key: Evaluated, element: Evaluated): void {
  const [first, second] = declared
  if (first === undefined) return
  if (assigns) {
    variables.set(first, second === undefined ? element : key)
    if (second !== undefined) variables.set(second, element)
    return
  }
  variables.setFromTop(1, element)
  if (second !== undefined) variables.setFromTop(2, key)
}

function* elementsOf(slice: Slice): Generator<Item> {
  for (const [i, element] of slice.items.entries()) yield [BigInt(i), elementOf(slice, element)]
}

function* entriesOf(dict: Dict): Generator<Item> {
  for (const [key, held] of dict.sorted) yield [key, new Boxed(held)]
}

/** Undefined if there is nothing to count. */
function countTo(of: bigint | Sized): Iterator<Item> | undefined {
  const [count, at] = of instanceof Sized ? [of.value, (i: bigint) => new Sized(of.type, i)] : [of, (i: bigint) => i]
  return count <= 0n ? undefined : counted(count, at)
}

function* counted(count: bigint, at: (i: bigint) => Evaluated): Generator<Item> {
  for (let i = 0n; i < count; i++) yield [undefined, at(i)]
}
