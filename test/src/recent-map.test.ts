import { describe, expect, it } from 'vitest'
import { RecentMap } from '../../src/recent-map.ts'

describe('a map of bounded size', () => {
  it('forgets what was used the longest time ago', () => {
    const map = new RecentMap<number>(2)
    map.set('a', 1)
    map.set('b', 2)
    expect(map.get('a')).toBe(1)
    map.set('c', 3)
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3])
    expect([...map.values()]).toEqual([1, 3])
  })
  it('keeps the newer value of a key', () => {
    const map = new RecentMap<number>(2)
    map.set('a', 1)
    map.set('a', 2)
    map.drop('a', 1)
    expect(map.get('a')).toBe(2)
    map.drop('a', 2)
    expect(map.get('a')).toBeUndefined()
  })
})
