import { describe, expect, it } from 'vitest'
import { choice, flag, integer, list, text } from '../../src/schema.ts'
import { validator } from '../../src/schema-check.ts'
import { fits, setting, settingsOf } from '../../src/setting.ts'

const COST = setting('cost', integer({ doc: 'cost', default: 10, minimum: 4 }))
const MODE = setting('mode', choice(['slow', 'fast'], { doc: 'how' }))

describe('a setting', () => {
  it('is what was set, and its default where nothing was', () => {
    expect(settingsOf({ cost: 5 }).get(COST)).toBe(5)
    expect(settingsOf({}).get(COST)).toBe(10)
  })

  it.each([
    { name: 'is beyond its limits', values: { cost: 3 }, of: COST },
    { name: 'has no value and no default', values: {}, of: MODE },
  ])('that $name is a mistake of the code, since it was checked as it was read', ({ values, of }) => {
    expect(() => settingsOf(values).get<unknown>(of)).toThrow(`setting ${of.name} has no value that fits it`)
  })
})

describe('a value fits a setting', () => {
  const doc = 'what it is'
  const VALUES = ['a', 'b', 'abc', '', 3, 4, 9, 10, 4.5, Number.NaN, true, null, undefined, {}, [], ['a'], ['b', 4]]
  it.each([
    { name: 'a text', of: text({ doc }) },
    { name: 'a short text', of: text({ doc, minLength: 1, maxLength: 2 }) },
    { name: 'a text of one form', of: text({ doc, pattern: '^\\p{Ll}$' }) },
    { name: 'a word', of: choice(['a', 'c'], { doc }) },
    { name: 'a number', of: integer({ doc }) },
    { name: 'a number within limits', of: integer({ doc, minimum: 4, maximum: 9 }) },
    { name: 'a flag', of: flag({ doc }) },
    { name: 'a list of words', of: list(choice(['a', 'c'], { doc }), { doc }) },
    { name: 'a list that is not empty', of: list(choice(['a', 'c'], { doc }), { doc, minItems: 1, maxItems: 2 }) },
  ])('as its compiled schema has it: $name', ({ of: { json } }) => {
    expect(VALUES.filter((value) => fits(value, json))).toEqual(VALUES.filter(validator(json)))
  })
})
