import { describe, expect, it } from 'vitest'
import { choice, integer } from '../../src/schema.ts'
import { setting, settingsOf } from '../../src/setting.ts'

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
