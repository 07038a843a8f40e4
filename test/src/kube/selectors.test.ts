import { expect, it } from 'vitest'
import { type Selector, selects } from '../../../src/kube/selectors.ts'

const [EXISTS, ABSENT] = [
  { key: 'app', operator: 'Exists' },
  { key: 'app', operator: 'DoesNotExist' },
] as const
const IN = { key: 'app', operator: 'In', values: ['a', 'b'] } as const
const NOT_IN = { ...IN, operator: 'NotIn' } as const

it.each<{ readonly name: string; readonly selector: Selector; readonly fits: readonly boolean[] }>([
  { name: 'nothing', selector: {}, fits: [true, true, true] },
  { name: 'Exists', selector: { matchExpressions: [EXISTS] }, fits: [true, true, false] },
  { name: 'DoesNotExist', selector: { matchExpressions: [ABSENT] }, fits: [false, false, true] },
  { name: 'In', selector: { matchExpressions: [IN] }, fits: [true, false, false] },
  { name: 'NotIn', selector: { matchExpressions: [NOT_IN] }, fits: [false, true, true] },
  { name: 'a label', selector: { matchLabels: { app: 'a' } }, fits: [true, false, false] },
  {
    name: 'all of it',
    selector: { matchLabels: { app: 'a' }, matchExpressions: [NOT_IN] },
    fits: [false, false, false],
  },
])('a selector of $name selects as the API server does', ({ selector, fits }) => {
  expect([{ app: 'a' }, { app: 'c' }, { other: 'a' }].map((labels) => selects(selector, labels))).toEqual(fits)
  expect(selects(selector, undefined)).toBe(fits[2])
})
