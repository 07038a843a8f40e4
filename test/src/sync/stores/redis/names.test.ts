import { describe, expect, it } from 'vitest'
import {
  commonStart,
  keysFor,
  literally,
  namesBy,
  patternsOf,
  placeBy,
  startOf,
} from '../../../../../src/sync/stores/redis/names.ts'
import { aKey } from '../../../../support/builders/keys.ts'

const SLASH = namesBy('')
const COLON = namesBy(':')

describe('names in redis', () => {
  it('SY-REDIS-3 have the separator for each slash but the first', () => {
    expect(SLASH.nameOf('/a/b')).toBe('/a/b')
    expect(COLON.nameOf('/a/b')).toBe('a:b')
    expect(COLON.pathOf('a:b')).toBe('/a/b')
    expect([startOf(aKey('/a'), COLON), startOf(aKey('/'), COLON), startOf(aKey('/'), SLASH)]).toEqual(['a:', '', '/'])
  })

  it('SY-REDIS-4 a star at the end of a key is none of its name', () => {
    expect(keysFor([aKey('/a/*'), aKey('/a'), aKey('/*')], SLASH)).toEqual([aKey('/')])
    expect(placeBy(SLASH)(aKey('/a/*/b/'))).toEqual({ key: aKey('/a/b/'), alias: '/a/b' })
  })

  it('SY-REDIS-3 a separator within a key is a slash of what is read', () => {
    expect(keysFor([aKey('/x:a'), aKey('/x/a')], COLON)).toEqual([aKey('/x/a')])
    expect(placeBy(COLON)(aKey('/x:a'))).toEqual({ key: aKey('/x/a'), alias: '/x:a' })
  })

  it('SY-REDIS-5 are escaped in patterns', () => {
    expect(literally('/a[1]*?\\^-b')).toBe('/a\\[1\\]\\*\\?\\\\\\^\\-b')
    expect(commonStart(['/app/a', '/app/b', '/apple'])).toBe('/app')
    expect(commonStart(['/x', 'y'])).toBe('')
    expect(commonStart([])).toBe('')
  })

  it('SY-REDIS-8 are listened to with what is below them, in their database', () => {
    expect(patternsOf([aKey('/a*'), aKey('/b')], 3, COLON)).toEqual([
      '__keyspace@3__:a\\*',
      '__keyspace@3__:a\\*:*',
      '__keyspace@3__:b',
      '__keyspace@3__:b:*',
    ])
    expect(patternsOf([aKey('/')], 0, SLASH)).toEqual(['__keyspace@0__:/*'])
  })
})
