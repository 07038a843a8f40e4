import { describe, expect, it } from 'vitest'
import { carries, isLabelValue } from '../../../src/kube/labels.ts'

describe('a label value', () => {
  it.each([
    ['', true],
    ['a', true],
    ['9', true],
    ['Case-Is_kept.1', true],
    ['a--b..c__d', true],
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
    ['-a', false],
    ['a-', false],
    ['.a', false],
    ['a_', false],
    ['a b', false],
    ['a/b', false],
    ['a\n', false],
    ['\na', false],
    ['ä', false],
    ['模板', false],
  ])('%j: %s', (value, good) => {
    expect(isLabelValue(value)).toBe(good)
  })
})

describe('labels carry what is wanted', () => {
  it.each([
    { name: 'all of it', labels: { a: '1', b: '2' }, wanted: { a: '1' }, carried: true },
    { name: 'nothing is always carried', labels: {}, wanted: {}, carried: true },
    { name: 'nothing, by no labels at all', labels: undefined, wanted: {}, carried: true },
    { name: 'an empty value', labels: { a: '' }, wanted: { a: '' }, carried: true },
    { name: 'not another value', labels: { a: '2' }, wanted: { a: '1' }, carried: false },
    { name: 'not a part of it', labels: { a: '1' }, wanted: { a: '1', b: '2' }, carried: false },
    { name: 'not by labels of null', labels: null, wanted: { a: '1' }, carried: false },
    { name: 'not by no labels', labels: undefined, wanted: { a: '1' }, carried: false },
    { name: 'nothing that objects inherit', labels: {}, wanted: { constructor: 'x' }, carried: false },
    {
      name: 'keys of the prototype as data',
      labels: JSON.parse('{"__proto__":"x"}'),
      wanted: JSON.parse('{"__proto__":"x"}'),
      carried: true,
    },
  ])('$name', ({ labels, wanted, carried }) => {
    expect(carries(labels, wanted)).toBe(carried)
  })
})
