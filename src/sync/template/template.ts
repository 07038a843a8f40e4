import { type Bytes, binaryOf, bytesIn } from './bytes.ts'
import { MOST_SOURCE_BYTES } from './limits.ts'
import type { Surroundings } from './surroundings.ts'
import { TemplateError } from './template-error.ts'

/** A parsed template. It may be rendered many times. */
export interface Template {
  readonly name: string
  readonly text: Bytes
}

export interface RenderOptions {
  /** A missing key of a map is an error (SY-TPL-14). */
  readonly strict?: boolean
}

/** Throws a TemplateError and nothing else. The name is the base name of the file. */
export function parse(name: string, source: Uint8Array): Template {
  const fail = (reason: string) => TemplateError.inParsing({ template: name, line: 1 }, reason)
  if (source.length > MOST_SOURCE_BYTES) throw fail(`the template is larger than ${MOST_SOURCE_BYTES} bytes`)
  const text = bytesIn(source)
  if (text.includes('{{')) throw fail('actions are not supported yet')
  return { name, text }
}

/** Throws a TemplateError and nothing else. */
export function render({ text }: Template, _surroundings: Surroundings, _options: RenderOptions = {}): Uint8Array {
  return binaryOf(text)
}
