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
  /** The associated template that was being executed. */
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

  private constructor(phase: 'parse' | 'exec', { template, line }: InTemplate, reason: string, message: string) {
    super(message)
    this.phase = phase
    this.template = template
    this.line = line
    this.reason = reason
  }

  static inParsing(place: InTemplate, reason: string): TemplateError {
    return new TemplateError('parse', place, reason, `template: ${place.template}:${place.line}: ${reason}`)
  }

  static inExecution(place: ExecutionPlace, reason: string): TemplateError {
    const { template, line, column, executing, node } = place
    const where = `${template}:${line}:${column}: executing ${JSON.stringify(executing)} at <${node}>`
    return new TemplateError('exec', place, reason, `template: ${where}: ${reason}`)
  }
}
