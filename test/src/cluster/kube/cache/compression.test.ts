import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Compression } from '../../../../../src/cluster/kube/cache/compression.ts'

const LIKE = (name: string) =>
  JSON.stringify({ spec: { name, list: Array.from({ length: 20 }, (_, i) => `${name}-${i}`) } })
const compression = new Compression(LIKE('first') + LIKE('second'))
/** Any characters, those that take several bytes among them, much of it repeated. */
const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(LIKE('first'), 'aaaa', 'abcd')), {
  maxLength: 40,
})

describe('a compressed text', () => {
  it('expands to what it was, whatever it is and whatever came before', () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('')
        expect(compression.expand(compression.compress(text))).toBe(text)
      }),
    )
  })

  it.each([0, 1, 4, 127, 128, 129, 260, 65_535, 65_536, 70_000, 200_000])('expands at a length of %i', (length) => {
    const digits = Array.from({ length }, (_, i) => (i * i * 7919) % 10).join('')
    for (const text of ['a'.repeat(length), digits, LIKE('x') + 'b'.repeat(length) + LIKE('x')])
      expect(compression.expand(compression.compress(text)) === text).toBe(true)
  })

  it('is far shorter where it is like the dictionary, and hardly longer where it is not', () => {
    const like = LIKE('server-17')
    expect(compression.compress(like).length).toBeLessThan(like.length / 2)
    const odd = Array.from({ length: 4_000 }, (_, i) => String.fromCharCode(32 + ((i * i * 7_919) % 90))).join('')
    expect(compression.compress(odd).length).toBeLessThan(odd.length * 1.02)
  })

  it('has one byte for each character', () => {
    expect(/^[\0-\xff]*$/.test(compression.compress('äöü€😀'.repeat(9)))).toBe(true)
  })

  it('does without a dictionary', () => {
    const plain = new Compression('')
    expect(plain.expand(plain.compress(LIKE('a')))).toBe(LIKE('a'))
  })
})
