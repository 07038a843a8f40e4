/** Something in an expression fails. Who knows the node places it, and makes it a TemplateError. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** The message without values of the store, which Go's words may hold: this one may be logged. */
  readonly loggable: string
  /** It ends the rendering in its own words, wherever it happens. */
  readonly isFatal: boolean

  constructor(message: string, loggable: string = message, isFatal = false) {
    super(message)
    this.loggable = loggable
    this.isFatal = isFatal
  }

  within(context: string): Failure {
    return new Failure(`${context}: ${this.message}`, `${context}: ${this.loggable}`)
  }
}
