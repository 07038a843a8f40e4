import { describe, expect, it } from 'vitest'
import { bareTexts, inQuotes } from '../../../src/admission/bare-texts.ts'
import { flag, integer, integerOrText, list, map, object, secret, text } from '../../../src/schema.ts'

const word = text({ doc: 'A text.' })
const { json } = object({
  a: word,
  many: list(object({ a: word }), { doc: 'Objects.' }),
  texts: list(word, { doc: 'Texts.' }),
  labels: map(word, { doc: 'Texts by key.' }),
  size: integerOrText({ doc: 'A size.' }),
  count: integer({ doc: 'A number.' }),
  isOn: flag({ doc: 'A boolean.' }),
  password: secret({ doc: 'A secret.' }),
})
const found = (value: object) => bareTexts({ ...value }, json).map(({ path, pointer }) => [path, pointer])

describe('a number or a boolean where a text belongs', () => {
  it.each([
    { name: 'a number', value: { a: 5 }, is: [['a', '/a']] },
    { name: 'a boolean', value: { a: true }, is: [['a', '/a']] },
    { name: 'in an object of a list', value: { many: [{ a: 'x' }, { a: 1 }] }, is: [['many[1].a', '/many/1/a']] },
    { name: 'an item of a list', value: { texts: ['x', 1] }, is: [['texts[1]', '/texts/1']] },
    { name: 'behind a key', value: { labels: { 'x/y': 1 } }, is: [['labels[x/y]', '/labels/x~1y']] },
    { name: 'a fraction where integers are taken too', value: { size: 1.5 }, is: [['size', '/size']] },
    { name: 'but no integer there', value: { size: 1 }, is: [] },
    { name: 'nor a text', value: { a: '5' }, is: [] },
    { name: 'nor what is another thing altogether', value: { a: [], texts: {}, labels: null }, is: [] },
    { name: 'nor a number where one belongs', value: { count: 1, isOn: true }, is: [] },
    { name: 'nor a password: a rule has the words for it', value: { password: 123456 }, is: [] },
    { name: 'nor in a field that the schema does not know', value: { other: 5 }, is: [] },
  ])('$name is found: $is', ({ value, is }) => {
    expect(found(value)).toEqual(is)
  })

  it('is told what to do, and not with its value', () => {
    const [number, boolean] = bareTexts({ a: 5, texts: [false] }, json)
    expect([number, boolean].map((bare) => bare && inQuotes(bare))).toEqual([
      'is a number, and a text belongs there; write it in quotes',
      'is a boolean, and a text belongs there; write it in quotes',
    ])
  })

  it('of very many a hundred are found, and no more than 100,000 values looked at', () => {
    expect(found({ texts: Array.from({ length: 1_000 }, () => 1) })).toHaveLength(100)
    expect(found({ texts: [...Array.from({ length: 100_000 }, () => 'x'), 1] })).toEqual([])
  })
})
