import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../webhooks/nacos/config/entries.ts'
import { isError, lint } from '../../../../webhooks/nacos/config/lint.ts'
import { normalised } from '../../../../webhooks/nacos/config/normalise.ts'
import { VECTORS } from './vectors.ts'

const pairsIn = (text: string) => entriesOf(text).map(({ key, value }) => [key, value])
const codesIn = (source: string) => lint(source).map(({ code }) => code)

/** Of a lone backslash at the end Java reads an empty key. Such a line is refused by itself (E2). */
const LONE_BACKSLASH = VECTORS.filter(({ source }) => /[\n\r] ?\\$/.test(source) && codesIn(source).includes('E2'))

describe('NC-TST-12 what a JVM reads', () => {
  it('is 154 texts, two of which end in a lone backslash', () => {
    expect(VECTORS).toHaveLength(154)
    expect(LONE_BACKSLASH).toHaveLength(2)
  })

  it('NC-MRG-10 NC-MRG-11 NC-MRG-12 NC-MRG-13 every text is normalised as there', () => {
    const other = VECTORS.filter(({ source, normalised: wanted = source }) => normalised(source) !== wanted)
    expect(other).toEqual([])
  })

  it('NC-PRP-01 NC-PRP-02 NC-PRP-03 NC-PRP-04 NC-PRP-05 NC-PRP-06 NC-PRP-11 every key and value is read, in order and with duplicates', () => {
    const readable = VECTORS.filter((vector) => vector.malformed !== true && !LONE_BACKSLASH.includes(vector))
    expect(readable).toHaveLength(142)
    for (const { source, entries } of readable) expect(pairsIn(normalised(source)), source).toEqual(entries)
    for (const { source, entries } of LONE_BACKSLASH)
      expect([...pairsIn(normalised(source)), ['', '']], source).toEqual(entries)
  })

  it('NC-PRP-07: what Java throws at is an error, and Java throws at nothing else that is malformed', () => {
    const isThrown = VECTORS.filter(({ malformed }) => malformed === true)
    for (const { source } of isThrown) expect(codesIn(source), source).toContain('E1')
    const readAlike = VECTORS.filter(({ malformed, spring }) => malformed !== true && spring === undefined)
    for (const { source } of readAlike) expect(codesIn(source), source).not.toContain('E1')
  })

  it('NC-PRP-12: where Spring Boot reads otherwise there is a finding, but for list keys (NC-PRP-09)', () => {
    const otherwise = VECTORS.filter(
      ({ spring, entries = [] }) => spring && !entries.some(([key]) => key.endsWith('[]')),
    )
    expect(otherwise.length).toBeGreaterThan(30)
    for (const { source } of otherwise)
      expect(
        lint(source).some((finding) => isError(finding) || finding.code === 'W10'),
        source,
      ).toBe(true)
  })

  it('is refused only for a lone backslash or a control character where both read alike', () => {
    const alike = VECTORS.filter(({ spring }) => spring === undefined)
    const errors = alike.flatMap(({ source }) => lint(source).filter(isError))
    expect([...new Set(errors.map(({ code, text }) => `${code} ${text}`))]).toEqual([
      'E3 control character',
      'E2 a backslash alone',
    ])
  })
})

describe('the line of a property', () => {
  it.each([
    { name: 'is the first of several', text: 'a=1\\\n 2\\\n 3\nb=4', lines: [1, 4] },
    { name: 'counts blank lines and comments', text: '\n# c\n\na=1\n', lines: [4] },
    { name: 'NC-PRP-02 goes on past no comment', text: '# c\\\na=1', lines: [2] },
    { name: 'NC-PRP-03 ends at a blank line', text: 'a=1\\\n\nb=2', lines: [1, 3] },
    { name: 'NC-PRP-03 goes on with a line that looks like a comment', text: 'a=1\\\n#b=2\nc=3', lines: [1, 3] },
    { name: 'NC-PRP-03 does not go on behind two backslashes', text: 'a=1\\\\\nb=2', lines: [1, 2] },
  ])('$name', ({ text, lines }) => {
    expect(entriesOf(text).map(({ line }) => line)).toEqual(lines)
  })
})

it('NC-PRP-08 a duplicate is kept, and the last one counts', () => {
  expect(pairsIn('a=1\nb=2\na=3')).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
  ])
})

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('a key %s is like any other', (key) => {
  expect(pairsIn(`${key}=1\n${key}=2`)).toEqual([
    [key, '1'],
    [key, '2'],
  ])
  expect(codesIn(`${key}=1`)).toEqual([])
  expect(codesIn(`${key}=1\n${key}=2`)).toEqual(['W2'])
})
