import { expect, it } from 'vitest'
import type { Selector } from '../../../../src/kube/selectors.ts'
import { canMeet } from '../../../../webhooks/kruise/list/overlap.ts'

const A: Selector = { matchLabels: { a: '1' } }
const by = (...matchExpressions: NonNullable<Selector['matchExpressions']>): Selector => ({ matchExpressions })

it.each([
  { name: 'labels of different keys', one: A, other: { matchLabels: { b: '1' } }, can: true },
  { name: 'two values of one key', one: A, other: { matchLabels: { a: '2' } }, can: false },
  { name: 'a value among others', one: A, other: by({ key: 'a', operator: 'In', values: ['1', '2'] }), can: true },
  {
    name: 'a value that is not among others',
    one: A,
    other: by({ key: 'a', operator: 'In', values: ['2'] }),
    can: false,
  },
  { name: 'a value that is excluded', one: A, other: by({ key: 'a', operator: 'NotIn', values: ['1'] }), can: false },
  {
    name: 'another value that is excluded',
    one: A,
    other: by({ key: 'a', operator: 'NotIn', values: ['2'] }),
    can: true,
  },
  { name: 'a label that must not be there', one: A, other: by({ key: 'a', operator: 'DoesNotExist' }), can: false },
  { name: 'a label that must be there', one: A, other: by({ key: 'a', operator: 'Exists' }), can: true },
  {
    name: 'absence of what is excluded',
    one: by({ key: 'a', operator: 'NotIn', values: ['1'] }),
    other: by({ key: 'a', operator: 'DoesNotExist' }),
    can: true,
  },
])('PATCH-V-22 one Node can have $name: $can', ({ one, other, can }) => {
  expect(canMeet(one, other)).toBe(can)
  expect(canMeet(other, one)).toBe(can)
})
