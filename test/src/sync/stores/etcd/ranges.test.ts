import { expect, it } from 'vitest'
import { rangesOf } from '../../../../../src/sync/stores/etcd/ranges.ts'
import { aKey } from '../../../../support/builders/keys.ts'

it.each([
  { keys: ['/app'], ranges: [['/app', '/app0']] },
  { keys: ['/app/'], ranges: [['/app/', '/app0']] },
  { keys: ['/'], ranges: [['/', '0']] },
  {
    keys: ['/b', '/a/x', '/a', '/b'],
    ranges: [
      ['/a', '/a0'],
      ['/b', '/b0'],
    ],
  },
])('SY-ETCD-5 SY-BE-4 the ranges of $keys', ({ keys, ranges }) => {
  expect(rangesOf(keys.map(aKey)).map(({ from, to }) => [from, to])).toEqual(ranges)
})
