import { describe, expect, it } from 'vitest'
import { isTerminating } from '../../../src/kube/metadata.ts'

describe('an object', () => {
  it.each([
    { name: 'whose end is set goes', object: { metadata: { deletionTimestamp: '2026-11-18T12:00:00Z' } }, going: true },
    { name: 'whose end is null stays', object: { metadata: { deletionTimestamp: null } }, going: false },
    { name: 'of which no end is said stays', object: { metadata: {} }, going: false },
    { name: 'without metadata stays', object: {}, going: false },
  ])('$name', ({ object, going }) => {
    expect(isTerminating(object)).toBe(going)
  })
})
