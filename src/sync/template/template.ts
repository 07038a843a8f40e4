import { BUILTINS } from './builtins.ts'
import { type Bytes, bytesIn, bytesOf, textOf } from './bytes.ts'
import { FUNCTIONS, LATER } from './confd/functions.ts'
import { Expressions } from './expressions.ts'
import { Failure } from './failure.ts'
import { LIMITS, type Limits, MOST_SOURCE_BYTES } from './limits.ts'
import { CostMeter } from './meter.ts'
import { nodeText } from './node.ts'
import { Output } from './output.ts'
import { type Templates, templatesIn } from './parser.ts'
import { quoted } from './quoting.ts'
import type { Surroundings } from './surroundings.ts'
import { TemplateError } from './template-error.ts'
import type { Evaluated } from './values.ts'
import { TemplateWalk } from './walk.ts'

/** A parsed template. It may be rendered many times. */
export interface Template {
  readonly name: string
  readonly text: Bytes
  readonly templates: Templates
}

export interface RenderOptions {
  /** A missing key of a map is an error (SY-TPL-14). */
  readonly strict?: boolean
  /** What `.` is. confd gives nothing. */
  readonly dot?: Evaluated
  readonly limits?: Limits
}

const ALL = new Map([...BUILTINS, ...FUNCTIONS])

/** The functions that tell of the machine and of the process that renders. */
const OF_THE_HOST: ReadonlySet<Bytes> = new Set(['getenv', 'fileExists'])

/** What a template may name (SY-FN-3): Go's own functions, those of confd beside them, or what a stranger may name. */
const NAMES = {
  go: { has: (name: Bytes) => (BUILTINS.has(name) ? 'yes' : 'no') },
  confd: { has: (name: Bytes) => (ALL.has(name) ? 'yes' : LATER.has(name) ? 'later' : 'no') },
  stranger: { has: (name: Bytes) => (ALL.has(name) && !OF_THE_HOST.has(name) ? 'yes' : 'no') },
} as const

/** Throws a TemplateError and nothing else. The name is the base name of the file. */
export function parse(name: string, source: Uint8Array, functions: keyof typeof NAMES = 'confd'): Template {
  if (source.length > MOST_SOURCE_BYTES) {
    const reason = `the template is larger than ${MOST_SOURCE_BYTES} bytes`
    throw TemplateError.inParsing({ template: name, line: 1 }, reason)
  }
  const text = bytesIn(source)
  return { name, text, templates: templatesIn({ name, text, functions: NAMES[functions] }) }
}

/** Throws a TemplateError and nothing else. */
export function render(template: Template, surroundings: Surroundings, options: RenderOptions = {}): Uint8Array {
  const meter = new CostMeter(options.limits ?? LIMITS)
  const output = new Output(meter)
  const isStrict = options.strict ?? false
  const expressions = new Expressions({ functions: ALL, surroundings, meter, isStrict })
  const walk = new TemplateWalk({ templates: template.templates, expressions, output, meter }, bytesOf(template.name))
  try {
    walk.run(options.dot)
    return output.bytes
  } catch (failure) {
    throw failure instanceof Failure ? placed(failure, template, walk, expressions) : failure
  }
}

function placed(failure: Failure, { name, text }: Template, walk: TemplateWalk, { at }: Expressions): TemplateError {
  const [offset, node] = at === undefined ? [0, ''] : [at.at, nodeText(at)]
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - (before.lastIndexOf('\n') + 1)
  const place = { template: name, line, column, executing: textOf(quoted(walk.executing)), node: textOf(node) }
  return TemplateError.inExecution(place, textOf(failure.message), failure.loggable)
}
