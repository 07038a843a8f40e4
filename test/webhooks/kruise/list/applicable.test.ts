import { describe, expect, it } from 'vitest'
import { applicable } from '../../../../webhooks/kruise/list/applicable.ts'
import { patchesOf } from '../../../../webhooks/kruise/list/read.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'

type Labels = Readonly<Record<string, string>> | null | undefined
const applied = (field: readonly unknown[], labels: Labels) =>
  applicable(patchesOf(aDaemonSet({ field })).entries, labels).map(({ index }) => index)
const selects = (selector: unknown, labels: Labels) => applied([{ selector, patch: {} }], labels).length === 1
const where = (operator: string, ...values: readonly string[]) => ({
  matchExpressions: [{ key: 'disk', operator, ...(values.length > 0 && { values }) }],
})

describe('PATCH-SEL-1 a selector is over the labels of the Node, and all of its parts match', () => {
  it.each([
    {
      name: 'In, the value',
      selector: where('In', 'a', 'b'),
      is: { b: true, other: false, empty: false, none: false },
    },
    {
      name: 'NotIn, another or none',
      selector: where('NotIn', 'a', 'b'),
      is: { b: false, other: true, empty: true, none: true },
    },
    { name: 'Exists, any value', selector: where('Exists'), is: { b: true, other: true, empty: true, none: false } },
    {
      name: 'DoesNotExist, no label',
      selector: where('DoesNotExist'),
      is: { b: false, other: false, empty: false, none: true },
    },
    {
      name: 'matchLabels, the value',
      selector: { matchLabels: { disk: 'b' } },
      is: { b: true, other: false, empty: false, none: false },
    },
    {
      name: 'an empty value is a value',
      selector: { matchLabels: { disk: '' } },
      is: { b: false, other: false, empty: true, none: false },
    },
  ])('$name', ({ selector, is }) => {
    expect(selects(selector, { disk: 'b' })).toBe(is.b)
    expect(selects(selector, { disk: 'B' })).toBe(is.other)
    expect(selects(selector, { disk: '' })).toBe(is.empty)
    for (const labels of [{ Disk: 'b' }, {}, null, undefined]) expect(selects(selector, labels)).toBe(is.none)
  })

  it('all requirements have to hold', () => {
    const selector = { matchLabels: { zone: 'z' }, ...where('Exists') }
    expect(selects(selector, { zone: 'z', disk: '' })).toBe(true)
    expect(selects(selector, { zone: 'z' })).toBe(false)
    expect(selects(selector, { disk: '' })).toBe(false)
  })

  it('a label of the prototype is no label', () => {
    expect(selects({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, {})).toBe(false)
  })
})

describe('what is no selector matches nothing', () => {
  it.each([
    { name: 'PATCH-SEL-2 an empty one', selector: {}, isBad: undefined },
    { name: 'PATCH-SEL-2 one of empty parts', selector: { matchLabels: {}, matchExpressions: null }, isBad: undefined },
    { name: 'PATCH-SEL-3 an operator of another kind of selector', selector: where('Gt', '1'), isBad: true },
    { name: 'PATCH-SEL-3 no operator', selector: { matchExpressions: [{ key: 'disk' }] }, isBad: true },
    { name: 'PATCH-SEL-3 no values', selector: where('NotIn'), isBad: true },
    { name: 'PATCH-SEL-3 values for Exists', selector: where('Exists', 'a'), isBad: true },
    {
      name: 'PATCH-SEL-3 values that are no list',
      selector: { matchExpressions: [{ key: 'disk', operator: 'In', values: 'a' }] },
      isBad: true,
    },
    { name: 'PATCH-SEL-3 a value that no label has', selector: where('NotIn', 'a b'), isBad: true },
    { name: 'PATCH-SEL-3 a number', selector: { matchLabels: { disk: 7 } }, isBad: true },
    {
      name: 'PATCH-SEL-3 a key that no label has',
      selector: { matchExpressions: [{ key: 'a//b', operator: 'DoesNotExist' }] },
      isBad: true,
    },
    { name: 'PATCH-SEL-3 no key', selector: { matchExpressions: [{ operator: 'DoesNotExist' }] }, isBad: true },
    { name: 'PATCH-SEL-3 a part of a wrong type', selector: { matchLabels: 'disk' }, isBad: true },
    { name: 'PATCH-SEL-3 expressions of a wrong type', selector: { matchExpressions: { key: 'disk' } }, isBad: true },
    { name: 'PATCH-SEL-3 an expression of a wrong type', selector: { matchExpressions: ['disk'] }, isBad: true },
    {
      name: 'PATCH-SEL-3 an unknown field',
      selector: { matchExpressions: [{ key: 'disk', operator: 'Exists', value: '' }] },
      isBad: true,
    },
  ])('$name, while the others apply', ({ selector, isBad }) => {
    const field = [{ selector, patch: {} }, anEntry()]
    for (const labels of [{ disk: 'large' }, { disk: 'large', a: '' }]) expect(applied(field, labels)).toEqual([1])
    expect(patchesOf(aDaemonSet({ field })).entries[0]?.isBadSelector).toBe(isBad)
  })
})

describe('PATCH-ORD-1 entries apply by priority, and by index among equals', () => {
  const at = (priority?: number) => anEntry({}, priority === undefined ? {} : { priority })
  it.each([
    { name: 'in list order', list: [at(), at(), at()], order: [0, 1, 2] },
    { name: 'a higher priority later', list: [at(9), at(10), at(1)], order: [2, 0, 1] },
    { name: 'none is 0, and a negative one comes first', list: [at(1), at(), at(-1), at(0)], order: [2, 1, 3, 0] },
    { name: 'PATCH-ORD-2 overlap is no error', list: [at(3), at(3)], order: [0, 1] },
  ])('$name', ({ list, order }) => {
    expect(applied(list, { disk: 'large' })).toEqual(order)
    expect(applied(list, { disk: 'small' })).toEqual([])
  })
})
