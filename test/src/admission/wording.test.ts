import { describe, expect, it } from 'vitest'
import { someOf } from '../../../src/admission/wording.ts'

describe('some of many names', () => {
  it.each([
    { names: [], shown: '' },
    { names: ['a'], shown: 'a' },
    { names: ['a', 'b', 'c', 'd', 'e'], shown: 'a, b, c, d, e' },
    { names: ['a', 'b', 'c', 'd', 'e', 'f'], shown: 'a, b, c, d, e and 1 more' },
    { names: Array.from('abcdefghijkl'), shown: 'a, b, c, d, e and 7 more' },
  ])('$shown', ({ names, shown }) => {
    expect(someOf(names)).toBe(shown)
  })
})
