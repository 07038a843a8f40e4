import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../webhooks/nacos/config/entries.ts'
import { isError, lint } from '../../../../webhooks/nacos/config/lint.ts'
import { merge, mergedText, type SourceText } from '../../../../webhooks/nacos/config/merge.ts'
import { normalised } from '../../../../webhooks/nacos/config/normalise.ts'
import { protectedKeysOf } from '../../../../webhooks/nacos/config/protected.ts'

const PIECES = [
  'a',
  'b',
  'u',
  '0041',
  '=',
  ':',
  ' ',
  '\t',
  '\f',
  '\n',
  '\r',
  '\r\n',
  '\\',
  '#',
  '!',
  '---',
  '[]',
  '中',
  'é',
  '\ufeff',
  '\ud800',
  '\0',
]
const source = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''))
const good = source.filter((text) => !lint(text).some(isError))

/** The last one of a key counts. */
function effective(...texts: readonly string[]) {
  const entries = texts.flatMap((text) => entriesOf(normalised(text)))
  return new Map(entries.map(({ key, value }) => [key, value]))
}

/** The machine may be busy. */
const TIME = 60_000

describe('NC-TST-11 of any texts', { timeout: TIME }, () => {
  it('normalising twice is normalising once', () => {
    fc.assert(fc.property(source, (text) => normalised(normalised(text)) === normalised(text)))
  })

  it('NC-MRG-30 NC-MRG-31 a merge has the keys and values of the internal one, overlaid by those of the user', () => {
    fc.assert(
      fc.property(good, good, (internal, user) => {
        expect(effective(mergedText(normalised(internal), normalised(user)))).toEqual(effective(internal, user))
      }),
    )
  })

  it('nothing throws, and nothing is told but known codes', () => {
    const asUser = (text: string): SourceText => ({ owner: 'user', name: 'c', key: 'k', text })
    fc.assert(
      fc.property(fc.oneof(source, fc.string({ unit: 'binary' })), (text) => {
        expect(merge([asUser(text)], protectedKeysOf(['a*']))).toBeDefined()
        for (const { code, line } of lint(text)) expect(`${code} ${line}`).toMatch(/^[EW]\d+ [1-9]\d*$/)
      }),
    )
  })
})

/** What counts is the time of computing: of a text twice as long about twice the time, and never four times. */
describe('a long text costs linear time', { timeout: TIME }, () => {
  const cpuMs = (act: () => void) => {
    const before = process.cpuUsage()
    act()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const asUser = (text: string): SourceText => ({ owner: 'user', name: 'c', key: 'k', text })
  const keys = protectedKeysOf(Array.from({ length: 500 }, (_, at) => `some.key.${at}*`))

  it.each([
    'a',
    '\\',
    ' ',
    '\n',
    '#\\',
    'a\\\n',
    '\\\n',
    '\\u',
    '\\u0041',
    '=',
    '=\n',
    '\0',
    '中',
    '# -\n',
    'a=1\n',
    'k[]-_',
    'a=b\\ ',
  ])('of %j', (piece) => {
    const text = piece.repeat(Math.ceil(200_000 / piece.length))
    const half = Math.min(...[1, 2].map(() => cpuMs(() => merge([asUser(text.slice(0, text.length / 2))], keys))))
    const whole = Math.min(...[1, 2].map(() => cpuMs(() => merge([asUser(text)], keys))))
    expect(whole).toBeLessThan(Math.max(300, 3.5 * half))
  })
})
