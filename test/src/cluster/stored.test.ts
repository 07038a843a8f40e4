import { describe, expect, it } from 'vitest'
import { isNamed, isStored } from '../../../src/cluster/stored.ts'

describe('an object of the API server', () => {
  it.each([
    { name: 'has a name', value: { metadata: { name: 'g' } }, is: true },
    { name: 'has none', value: { metadata: {} }, is: false },
    { name: 'has no metadata', value: {}, is: false },
    { name: 'is an object', value: 'g', is: false },
  ])('$name: $is', ({ value, is }) => {
    expect([isNamed(value), isStored(value)]).toEqual([is, is])
  })
})
