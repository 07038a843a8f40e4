import { describe, expect, it } from 'vitest'
import { someOf } from '../../../src/admission/wording.ts'

describe('some of many names', () => {
  it.each([
    { names: [], said: '' },
    { names: ['a'], said: 'a' },
    { names: ['a', 'b', 'c', 'd', 'e'], said: 'a, b, c, d, e' },
    { names: ['a', 'b', 'c', 'd', 'e', 'f'], said: 'a, b, c, d, e and 1 more' },
    { names: Array.from('abcdefghijkl'), said: 'a, b, c, d, e and 7 more' },
  ])('$said', ({ names, said }) => {
    expect(someOf(names)).toBe(said)
  })
})
