import { describe, expect, it } from 'vitest'
import { fitted, warningsOf } from '../../../src/admission/warnings.ts'

describe('a long warning keeps the ids at its end (AP-9)', () => {
  const long = 'x'.repeat(200)
  it.each([
    'TS-V11',
    'W-7',
    'MP-20f',
    'PATCH-V-23c',
    'PATCH-POD-INV-2',
    'CF-OWN-08',
    'TS-W1, TT-V3',
    'TS-V25, PATCH-V-23c',
  ])('%s', (ids) => {
    const [warning = ''] = fitted([`${long} (${ids})`])
    expect(warning).toHaveLength(120)
    expect(warning.endsWith(`x… (${ids})`)).toBe(true)
  })
  it.each(['(as it is)', '(TS-V11) and more', '(ts-v11)', '(TS-)', '(23)'])('but not %s, which is none', (end) => {
    expect(fitted([`${long} ${end}`])).toEqual([`${'x'.repeat(119)}…`])
  })
})

describe('a long warning keeps the end of its path (AP-9)', () => {
  const path = `${'p'.repeat(60)}[1].spec.${'q'.repeat(45)}`
  const end = `…${path.slice(-55)}`
  it.each([
    { name: 'and all of its words', warning: `${path}: bad (W-7)`, shown: `${end}: bad (W-7)` },
    {
      name: 'and as many words as fit',
      warning: `${path}: ${'x '.repeat(999)}(W-7)`,
      shown: `${end}: ${'x '.repeat(27)}x… (W-7)`,
    },
    { name: 'unless all fits', warning: `${path}: ok (W-7)`.slice(-120), shown: `${path}: ok (W-7)`.slice(-120) },
  ])('$name', ({ warning, shown }) => {
    expect(fitted([warning])).toEqual([shown])
  })
})

describe('what is gone is told by name (AP-9)', () => {
  const warned = (names: readonly string[]) => warningsOf({ reason: 'too many', lost: 'lost', names, id: 'XX-M1' })
  const lines = (names: readonly string[]) => warned(names).slice(1)
  const FRAME = 'lost  (XX-M1)'.length
  /** So long that with another one of as many it fills a warning to the last character. */
  const half = (letter: string) => letter.repeat((120 - FRAME - 2) / 2)
  const many = (count: number, length = 4) => Array.from({ length: count }, (_, i) => `${i + 1}`.padStart(length, '0'))

  it('behind the reason', () => {
    expect(warned(['a', 'b'])).toEqual(['too many (XX-M1)', 'lost a, b (XX-M1)'])
  })
  it('which stands alone where nothing has a name', () => {
    expect(warned([])).toEqual(['too many (XX-M1)'])
  })

  it.each([
    { name: 'a full line', names: [half('a'), `${half('b')}b`], all: [`${half('a')}, ${half('b')}b`] },
    { name: 'one character more', names: [half('a'), `${half('b')}bb`], all: [half('a'), `${half('b')}bb`] },
    { name: 'characters of two halves', names: [half('😀'), half('b')], all: [`${half('😀')}, ${half('b')}`] },
    { name: 'one too long for any line', names: ['a'.repeat(200), 'b'], all: ['a'.repeat(200), 'b'] },
  ])('each line as long as it may be: $name', ({ names, all }) => {
    expect(lines(names)).toEqual(all.map((line) => `lost ${line} (XX-M1)`))
  })

  it('ten warnings with all that they hold', () => {
    const names = many(162) // 18 of them in each of nine lines
    expect(warned(names)).toHaveLength(10)
    expect(lines(names).at(-1)).toBe(`lost ${names.slice(-18).join(', ')} (XX-M1)`)
  })
  it.each([
    { name: 'one more', count: 163, shown: 160, rest: 'and 3 more' },
    { name: 'ten thousand', count: 10_000, shown: 159, rest: 'and 9841 more' },
  ])('and the rest is counted: $name', ({ count, shown, rest }) => {
    const names = many(count)
    expect(warned(names)).toHaveLength(10)
    expect(lines(names).at(-1)).toBe(`lost ${names.slice(144, shown).join(', ')} ${rest} (XX-M1)`)
  })
  it('no warning is too long', () => {
    for (const count of [1, 20, 163, 10_000])
      for (const warning of warned(many(count, 8))) expect(warning.length).toBeLessThanOrEqual(120)
  })
})
