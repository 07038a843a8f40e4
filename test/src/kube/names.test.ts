import { describe, expect, it } from 'vitest'
import { SUBDOMAIN, SUBDOMAIN_OR_EMPTY } from '../../../src/kube/names.ts'

const whole = new RegExp(`^${SUBDOMAIN}$`, 'u')
const orEmpty = new RegExp(SUBDOMAIN_OR_EMPTY, 'u')

describe('a DNS-1123 subdomain', () => {
  it.each([
    ['a', true],
    ['0', true],
    ['tars.cpp-1', true],
    ['a.b.c', true],
    ['a--b', true],
    ['a'.repeat(253), true],
    ['A', false],
    ['-a', false],
    ['a-', false],
    ['a.', false],
    ['.a', false],
    ['a..b', false],
    ['a.-b', false],
    ['a-.b', false],
    ['a_b', false],
    ['a b', false],
    ['a\n', false],
    ['ä', false],
  ])('%j: %s', (name, good) => {
    expect(whole.test(name)).toBe(good)
    expect(orEmpty.test(name)).toBe(good)
  })

  it('is not empty, unless that is allowed', () => {
    expect([whole.test(''), orEmpty.test('')]).toEqual([false, true])
  })

  it.each([`${'a'.repeat(1e5)}!`, `${'a.'.repeat(1e5)}!`, `${'a-'.repeat(1e5)}!`])(
    'is told at once, without looking back and forth',
    (name) => {
      expect(orEmpty.test(name)).toBe(false)
    },
  )
})
