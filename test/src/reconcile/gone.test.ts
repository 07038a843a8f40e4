import { describe, expect, it } from 'vitest'
import { GoneObjects } from '../../../src/reconcile/gone.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { NOTE } from '../../support/builders/notes.ts'

const key = (name: string) => ({ namespace: 'demo', name })
const gone = (at = 0) => ({ of: NOTE, object: aGadget(), at })

describe('deleted objects that wait for a turn', () => {
  it('are at most 1,000: those of the key that waits longest go first', () => {
    const objects = new GoneObjects()
    for (let each = 0; each < 600; each += 1) objects.add(key('old'), gone())
    for (let each = 0; each < 600; each += 1) objects.add(key('new'), gone())
    expect(objects.of(key('old'))).toEqual([])
    for (let each = 0; each < 600; each += 1) objects.add(key('new'), gone(1))
    expect(objects.of(key('new'))).toHaveLength(1_000)
    expect(objects.of(key('new')).filter(({ at }) => at === 1)).toHaveLength(600)
  })

  it('stay if they came after those that a turn has seen', () => {
    const objects = new GoneObjects()
    objects.add(key('a'), gone(1))
    const seen = objects.of(key('a'))
    objects.add(key('a'), gone(2))
    objects.settle(key('a'), seen)
    expect(objects.of(key('a')).map(({ at }) => at)).toEqual([2])
  })

  it('are dropped after a minute in which another process led', () => {
    const objects = new GoneObjects()
    objects.add(key('a'), gone(0))
    objects.add(key('a'), gone(1))
    objects.dropStale(60_001)
    expect(objects.of(key('a')).map(({ at }) => at)).toEqual([1])
  })
})
