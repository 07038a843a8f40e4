import { describe, expect, it } from 'vitest'
import { filled, firsts, lasts } from '../../../../../webhooks/tars/tserver/objects/written-form.ts'

describe('the written form', () => {
  it('leaves out a field whose whole value is empty, and nothing inside of one', () => {
    const kept = { a: [''], b: { c: {} }, d: false, e: 0, f: '' }
    expect(filled({ ...kept, g: [], h: {}, i: undefined })).toEqual(kept)
  })
})

describe('WK-13 no two items have one key', () => {
  const items = ['a1', 'b1', 'a2', 'c1', 'b2']
  const keyOf = (item: string) => item[0]
  it('the first ones stay in their order', () => expect(firsts(items, keyOf)).toEqual(['a1', 'b1', 'c1']))
  it('the last ones stay in their order', () => expect(lasts(items, keyOf)).toEqual(['a2', 'c1', 'b2']))
})
