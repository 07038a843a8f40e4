import { describe, expect, it } from 'vitest'
import { collapsed, isOf } from '../../../src/sync/keys.ts'
import { aKey } from '../../support/builders/keys.ts'

describe('SY-BE-5 a value belongs to a key at its path or below it', () => {
  it.each([
    { key: '/app', value: '/app', belongs: true },
    { key: '/app', value: '/app/a', belongs: true },
    { key: '/app', value: '/app/a/b', belongs: true },
    { key: '/app', value: '/apple', belongs: false },
    { key: '/app', value: '/ap', belongs: false },
    { key: '/app/', value: '/app', belongs: false },
    { key: '/app/', value: '/app/a', belongs: true },
    { key: '/', value: '/app', belongs: true },
  ])('$value of $key: $belongs', ({ key, value, belongs }) => {
    expect(isOf(aKey(key), value)).toBe(belongs)
  })
})

describe('SY-BE-4 keys that another covers go before the store is asked', () => {
  it.each([
    { keys: ['/b', '/a', '/b'], kept: ['/a', '/b'] },
    { keys: ['/a/b', '/a', '/a/c/d'], kept: ['/a'] },
    { keys: ['/app', '/apple'], kept: ['/app', '/apple'] },
    { keys: ['/a/', '/a'], kept: ['/a'] },
    { keys: ['/a/', '/a/b', '/a/b/'], kept: ['/a/'] },
    { keys: ['/a', '/', '/b/'], kept: ['/'] },
    { keys: [], kept: [] },
  ])('$keys become $kept', ({ keys, kept }) => {
    expect(collapsed(keys.map(aKey))).toEqual(kept.map(aKey))
  })
})
