import { describe, expect, it } from 'vitest'
import { decode } from '../../../../src/http/intake/decode.ts'
import { TTEMPLATE } from '../../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { reviewsOf, UID } from '../../../support/reviews.ts'

const TEXT = JSON.stringify(reviewsOf(TTEMPLATE).creationOf(aTTemplate()))
/** Beside the request, in the first of the levels. */
const holding = (more: string) => TEXT.replace('{', `{"more":${more},`)
const nested = (levels: number, open: string, close: string, inmost = '') =>
  holding(open.repeat(levels) + inmost + close.repeat(levels))
const flat = (many: number, each: string) => holding(`[${Array.from({ length: many }, () => each).join(',')}]`)

describe('nesting has an end at 100 levels (SV-1)', () => {
  it.each([
    { name: 'lists', text: (levels: number) => nested(levels, '[', ']') },
    { name: 'lists with room in them', text: (levels: number) => nested(levels, '[ ', '\n]') },
    { name: 'lists around a value', text: (levels: number) => nested(levels, '[', ']', '1') },
    { name: 'objects', text: (levels: number) => nested(levels - 1, '{"a":', '}', '{}') },
    { name: 'objects with brackets for keys', text: (levels: number) => nested(levels - 1, '{"}]":', '}', '[]') },
    {
      name: 'both in turn, 3 levels from the end',
      text: (levels: number) => nested((levels - 3) / 2, '[{"a":', '}]', '[[[]]]'),
    },
    {
      name: 'behind what is not deep',
      text: (levels: number) =>
        flat(10, '{}').replace('"request"', `"x":${'['.repeat(levels)}${']'.repeat(levels)},"request"`),
    },
  ])('$name', ({ text }) => {
    expect(decode(text(99)).uid).toBe(UID)
    expect(() => decode(text(101))).toThrow('nested deeper than 100 levels')
  })

  it.each([
    { name: 'a thousand objects', text: flat(1_000, '{"a":1}') },
    { name: 'a thousand empty objects', text: flat(1_000, '{}') },
    { name: 'a thousand brackets in a text', text: holding(JSON.stringify('{['.repeat(1_000))) },
  ])('$name beside each other are not deep', ({ text }) => expect(decode(text).uid).toBe(UID))
})

describe('keys that objects inherit come out as data (SV-1)', () => {
  it('__proto__ and constructor', () => {
    const { object } = decode(TEXT.replace('"object":{', '"object":{"__proto__":{"a":1},"constructor":2,'))
    expect(Object.getOwnPropertyDescriptor(object, '__proto__')?.value).toEqual({ a: 1 })
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
    expect(object).toHaveProperty('constructor', 2)
  })
})
