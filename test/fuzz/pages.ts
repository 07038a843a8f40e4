import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { Fault } from '../../src/faults.ts'
import { pagesIn } from '../../src/review/pages.ts'
import { damaged } from './recorded.ts'
import { must, target } from './target.ts'

export const SECRET = 'hunter2'

const MANIFESTS = await readFile(new URL('../../manifests/samples/good/ttemplates.yaml', import.meta.url), 'utf8')
export const pages = target({
  name: 'any text of manifests gives pages, or a fault with file and line (UX-1)',
  share: 1,
  cases: fc.tuple(
    fc.oneof(damaged(fc.constant(MANIFESTS)), yamlText()),
    fc.array(fc.oneof(fc.constantFrom('metadata', 'spec', 'items', '__proto__'), fc.nat(3)), { maxLength: 4 }),
  ),
  holds([text, steps]) {
    const most = text.split(/\r\n|\r|\n/).length + 1
    try {
      for (const { lineOf, remarks } of pagesIn('x.yaml', text)) {
        const lines = [lineOf(steps), ...remarks.map(({ line }) => line)]
        must(
          lines.every((line) => Number.isInteger(line) && line >= 0 && line <= most),
          `lines ${lines} of ${most}`,
        )
      }
    } catch (error) {
      must(error instanceof Fault && /^x\.yaml:\d+: ./.test(error.message), String(error))
    }
  },
})

/** Words of YAML, in any order. */
export function yamlText(): fc.Arbitrary<string> {
  const token = fc.constantFrom(
    'a: ',
    '- ',
    '? ',
    '&x ',
    '*x',
    '<<: ',
    '{',
    '}',
    '[',
    ']',
    '|\n',
    '>\n',
    '---\n',
    '...\n',
    '!!binary ',
    '!!set ',
    '!x ',
    '"',
    "'",
    '#',
    '\n',
    '  ',
    '\t',
    '%YAML 1.1\n',
    '2026-01-01',
    '0x1f',
    '.inf',
    '~',
    'yes',
    'metadata: ',
    'items:\n',
    '\0',
    '\uFEFF',
    SECRET,
  )
  return fc.array(fc.oneof(token, fc.string({ maxLength: 5 })), { maxLength: 25 }).map((tokens) => tokens.join(''))
}
