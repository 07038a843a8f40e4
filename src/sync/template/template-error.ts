/** Where a template is wrong. */
export interface InTemplate {
  /** The base name of the template's file. */
  readonly template: string
  readonly line: number
}

/** Where in a template an execution failed. */
export interface ExecutionPlace extends InTemplate {
  /** In bytes from the start of the line. */
  readonly column: number
  /** The associated template that was being executed, quoted. */
  readonly executing: string
  /** The text of the node. */
  readonly node: string
}

/** The only error that parsing and rendering throw. Its message is worded and placed as Go words it (SY-ERR-1). */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly phase: 'parse' | 'exec'
  readonly template: string
  readonly line: number
  readonly reason: string
  /** The message without values of the store, which Go's words may hold: this one may be logged. */
  readonly loggable: string

  private constructor(phase: 'parse' | 'exec', { template, line }: InTemplate, said: ErrorWords) {
    super(said.message)
    this.phase = phase
    this.template = template
    this.line = line
    this.reason = said.reason
    this.loggable = said.loggable
  }

  static inParsing(place: InTemplate, reason: string): TemplateError {
    const message = `template: ${place.template}:${place.line}: ${reason}`
    return new TemplateError('parse', place, { reason, message, loggable: message })
  }

  static inExecution(place: ExecutionPlace, reason: string, loggable: string): TemplateError {
    const { template, line, column, executing, node } = place
    const where = `template: ${template}:${line}:${column}: executing ${executing} at <${node}>`
    return new TemplateError('exec', place, {
      reason,
      message: `${where}: ${reason}`,
      loggable: `${where}: ${loggable}`,
    })
  }
}

interface ErrorWords {
  readonly reason: string
  readonly message: string
  readonly loggable: string
}
