import { describe, expect, it } from 'vitest'
import { lint } from '../../../../webhooks/nacos/config/lint.ts'

const told = (source: string) => lint(source).map(({ code, line, text }) => `${code} ${line} ${text}`)

describe('lint of a source (spec 6.4)', () => {
  const MALFORMED = 'malformed \\uxxxx escape'
  const SWALLOWS = 'comment whose backslash swallows the next line'
  const SEPARATES = 'starts another document, and the loaders of the server differ about it'

  it.each([
    { name: 'a good text passes', source: '# c\na=1\nb: 2\nc 3\n\n', says: [] },
    { name: 'E1 too few digits', source: 'a=1\nb=\\u00e', says: [`E1 2 ${MALFORMED}`] },
    { name: 'E1 in a key', source: '\\uzzzz=1', says: [`E1 1 ${MALFORMED}`] },
    { name: 'E1 two u', source: 'a=\\uu0041', says: [`E1 1 ${MALFORMED}`] },
    {
      name: 'E1 an escape over two lines, at which Spring Boot throws',
      source: 'a=\\u00\\\n41',
      says: [`E1 1 ${MALFORMED}`],
    },
    { name: 'E1 in the second line of a property', source: 'a=1\\\n \\u', says: [`E1 2 ${MALFORMED}`] },
    { name: 'E1 not behind an escaped backslash', source: 'a=C:\\\\users', says: [] },
    { name: 'E1 NC-PRP-12 (a) at the start of a comment', source: 'a=1\n# \\users', says: [`E1 2 ${MALFORMED}`] },
    { name: 'E1 behind three hyphens', source: 'a=1\n!---\\users', says: [`E1 2 ${MALFORMED}`] },
    { name: 'E1 not further on in a comment', source: 'a=1\n# C:\\users\n#----\\users', says: [] },
    { name: 'E1 not in a comment behind one with the same sign', source: 'a=1\n# see\n# \\users', says: [] },
    {
      name: 'E1 in a comment behind one with the other sign',
      source: 'a=1\n! see\n# \\users',
      says: [`E1 3 ${MALFORMED}`],
    },
    { name: 'E1 in a comment behind a blank line', source: 'a=1\n# see\n\n# \\users', says: [`E1 4 ${MALFORMED}`] },
    {
      name: 'E1 in an indented comment, one character on',
      source: 'a=1\n  #\\users\n  ! \\users',
      says: [`E1 2 ${MALFORMED}`],
    },
    { name: 'E2 an empty key', source: 'a=1\n=v\n: w', says: ['E2 2 empty key', 'E2 3 empty key'] },
    { name: 'E2 a backslash alone', source: 'a=1\n \\\nb=2', says: ['E2 2 a backslash alone'] },
    { name: 'E3 NUL', source: 'a=\0', says: ['E3 1 control character'] },
    { name: 'E3 in a comment', source: 'a=1\n# \x1b[0m', says: ['E3 2 control character'] },
    { name: 'E3 neither TAB, nor FF, nor an escape of one', source: '\ta\f=\t1\\u0001\r\n', says: [] },
    { name: 'E4 NC-PRP-10 a separator of documents', source: 'a=1\n#---\nb=2', says: [`E4 2 ${SEPARATES}`] },
    { name: 'E4 with blanks behind it', source: 'a=1\n!--- \t\nb=2', says: [`E4 2 ${SEPARATES}`] },
    { name: 'E4 of escaped hyphens', source: 'a=1\n#\\-\\u002d-\nb=2', says: [`E4 2 ${SEPARATES}`] },
    { name: 'E4 not where it is indented', source: 'a=1\n #---\nb=2', says: [] },
    { name: 'E4 not with text or a hyphen behind it', source: 'a=1\n#--- x\n\n#----\nb=2', says: [] },
    { name: 'E4 not behind a comment with the same sign', source: 'a=1\n# x\n#---\nb=2', says: [] },
    { name: 'E4 not inside a property', source: 'a=1\\\n#---', says: [] },
    { name: 'E7 NC-PRP-12 (a) a comment that swallows a line', source: '# \\\na=1\nb=2', says: [`E7 1 ${SWALLOWS}`] },
    { name: 'E7 not from its end', source: '# C:\\\na=1', says: [] },
    { name: 'E7 not behind two backslashes', source: '# \\\\\na=1', says: [] },
    {
      name: 'E7 an escaped line feed, behind which Spring Boot reads on',
      source: '# \\nb=2\na=1',
      says: ['E7 1 comment that its escaped line feed ends'],
    },
    { name: 'E7 not where the loader is past it', source: '#\\nb=2\na=1', says: [] },
    {
      name: 'W1 no separator',
      source: 'server\n- a\nb',
      says: ['W1 1 key "server" has no = or : and no value', 'W1 3 key "b" has no = or : and no value'],
    },
    {
      name: 'W2 a duplicate, by both lines',
      source: 'a=1\n\na:2',
      says: ['W2 3 key "a" stands in line 1 already; the last one counts'],
    },
    {
      name: 'W3 text outside of ASCII, but not in comments',
      source: '# 注释\nk=\\\n 中文',
      says: ['W3 3 non-ASCII text, which is escaped'],
    },
    { name: 'W9 nothing but comments', source: '# c\n\n', says: ['W9 1 no property is left'] },
    { name: 'W9 nothing at all', source: '', says: ['W9 1 no property is left'] },
    {
      name: 'W10 NC-PRP-12 (b) a key like a comment',
      source: '\\#a=1',
      says: ['W10 1 key "#a" begins a comment for Spring Boot'],
    },
    {
      name: 'W10 NC-PRP-12 (c) a key that is trimmed',
      source: '\\ a=1',
      says: ['W10 1 key " a" has white space around it, which Spring Boot takes away'],
    },
  ])('$name', ({ source, says }) => {
    expect(told(source)).toEqual(says)
  })

  it('counts the same lines with CRLF, lone CR and a byte order mark', () => {
    const says = ['E1 3 malformed \\uxxxx escape']
    for (const end of ['\n', '\r\n', '\r']) expect(told(`\ufeff# c${end}${end}a=\\u`)).toEqual(says)
  })

  it('tells errors first, and at most a hundred of a kind', () => {
    const findings = lint(`a=中\n${'a=\\u\n'.repeat(10_000)}`)
    expect(findings.map(({ code }) => code)).toEqual([
      ...Array.from({ length: 100 }, () => 'E1'),
      'W3',
      ...Array.from({ length: 100 }, () => 'W2'),
    ])
  })

  it('shows a key in one line, and its beginning alone', () => {
    const [finding] = lint(`${'k\\n\\u0085\\u2028'.repeat(100)}x`)
    expect(finding?.text).toBe(`key "${'k   '.repeat(25)}…" has no = or : and no value`)
  })

  it('NC-MRG-30 shows no value', () => {
    const source = ['s3cret', 'a=s3cret\\u', '=s3cret', 'b=s3cret\0', 'c=s3cret', 'c=s3cret中'].slice(1).join('\n')
    expect(told(source).join('\n')).not.toContain('s3cret')
    expect(told(source)).toHaveLength(5)
  })
})
