import { expect, it } from 'vitest'
import { isMoreThan, isSameQuantity } from '../../../src/kube/quantities.ts'

it.each<readonly [string | number, string | number]>([
  ['0.5', '500m'],
  ['1024Mi', '1Gi'],
  [1, '1'],
  [0.25, '250m'],
  ['1e3', '1k'],
  ['1E3', '1000'],
  ['1E', '1000P'],
  ['.5', '500m'],
  ['5.', '5'],
  ['+1', '1'],
  ['-1', '-1000m'],
  ['0.0000000001', '1n'],
  ['0.5Ki', '512'],
  ['100E', '9223372036854775807'],
  ['x', 'x'],
])('WK-4 %s is stored as %s, and equals it', (one, other) => {
  expect(isSameQuantity(one, other)).toBe(true)
  expect(isSameQuantity(other, one)).toBe(true)
})

it.each<readonly [string | number, string | number]>([
  ['0.5', '501m'],
  ['1G', '1Gi'],
  ['1', '-1'],
  ['', '0'],
  ['.', '0'],
  ['x', '1'],
  ['1Q', '1'],
  ['1e999999999', '1e999999998'],
  ['1e41', '2e41'],
  ['__proto__', '0'],
  ['0x10', '16'],
])('WK-4 %s does not equal %s', (one, other) => {
  expect(isSameQuantity(one, other)).toBe(false)
})

it.each([
  { one: '2Gi', other: '2G', isMore: true },
  { one: 2, other: '1999m', isMore: true },
  { one: '1', other: '1000m', isMore: false },
  { one: 'x', other: '0', isMore: false },
  { one: '1', other: undefined, isMore: false },
  { one: {}, other: [], isMore: false },
])('PATCH-V-18 $one is more than $other: $isMore', ({ one, other, isMore }) => {
  expect(isMoreThan(one, other)).toBe(isMore)
})

it('takes little time for what is long', () => {
  const [one, other] = ['1', '2'].map((end) => `${'9'.repeat(1_000_000)}${end}`)
  const begin = performance.now()
  expect(isSameQuantity(String(one), String(other))).toBe(false)
  expect(performance.now() - begin).toBeLessThan(100)
})
