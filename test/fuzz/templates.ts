import fc from 'fast-check'
import { bytesOf } from '../../src/sync/template/bytes.ts'
import { parse, render, type Template } from '../../src/sync/template/template.ts'
import { TemplateError } from '../../src/sync/template/template-error.ts'
import { anyTemplate } from '../support/templates/generated.ts'
import { anyStore } from '../support/templates/words.ts'
import { damaged } from './recorded.ts'
import { must, type Target, target } from './target.ts'

/** Words of the language, in any order. */
const WORDS = [
  ...[
    '{{',
    '}}',
    '{{-',
    '-}}',
    ' ',
    '\n',
    '(',
    ')',
    '|',
    ':=',
    '=',
    ',',
    '.',
    '$',
    '$x',
    '.a',
    '/*',
    '*/',
    '"',
    '`',
    "'",
  ],
  ...['if', 'else', 'end', 'range', 'with', 'define', 'template', 'block', 'break', 'continue', 'nil', 'true', '"T"'],
  ...['1', '-1', '0x', '1e9', "'a'", '1i', '_', 'printf', 'print', 'getv', '"/a"', 'é', '\ufeff', '\\', '%', '#'],
]
const wordy = fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => words.join(''))
const bytes = fc.uint8Array({ maxLength: 60 })
const source = fc.oneof(
  bytes,
  fc.oneof(wordy, anyTemplate, damaged(anyTemplate)).map((text) => Buffer.from(text)),
)

function parsed(text: Uint8Array): Template | undefined {
  try {
    return parse('x.tmpl', text)
  } catch (error) {
    const lines = Buffer.from(text).toString('latin1').split('\n').length
    must(error instanceof TemplateError && error.phase === 'parse', String(error))
    must(error.line >= 1 && error.line <= lines, `line ${error.line} of ${lines}`)
    must(error.message.startsWith(`template: x.tmpl:${error.line}: `), error.message)
    return undefined
  }
}

export const templateTargets: readonly Target[] = [
  target({
    name: 'any bytes are a template, or an error with its line (SY-TEST-7, SY-ERR-1)',
    share: 10,
    cases: source,
    holds: parsed,
  }),
  target({
    name: 'any template of any store ends in bytes, or in an error with its place (SY-TEST-7, SY-LIM-1)',
    share: 5,
    cases: fc.tuple(source, anyStore),
    holds([text, store]) {
      const template = parsed(text)
      if (template === undefined) return
      const values = new Map([...store].map(([key, value]) => [bytesOf(key), bytesOf(value)]))
      try {
        render(template, { values, env: {}, now: new Date(0), timeZone: 'UTC', fileExists: () => false })
      } catch (error) {
        must(error instanceof TemplateError && error.phase === 'exec', String(error))
        must(/^template: x\.tmpl:\d+:\d+: executing ".*" at </s.test(error.message), error.message)
      }
    },
  }),
]
