import { describe, expect, it } from 'vitest'
import { identityOf } from '../../../../webhooks/cloudflare/aggregation/merge.ts'
import { aSource, foundIn, matchesIn, merged } from '../../../support/builders/tunnel-sources.ts'

describe('CF-AGG-13 a bad rule is left out, and the others are sent', () => {
  const long = 'a'.repeat(64)
  it.each([
    { name: 'a port', rule: { hostname: 'a.b:80' } },
    { name: 'a wildcard inside', rule: { hostname: 'a.*.b' } },
    { name: 'a long label', rule: { hostname: `${long}.b` } },
    { name: 'neither host nor path', rule: {} },
    { name: 'any host without a path', rule: { hostname: '*' } },
    { name: 'a service with a path', rule: { hostname: 'a.b', service: 'http://a/b' } },
    { name: 'no service', rule: { hostname: 'a.b', service: null } },
    { name: 'a hostname of another type', rule: { hostname: 1, path: '/a' } },
    { name: 'an originRequest of another type', rule: { hostname: 'a.b', originRequest: [] } },
    { name: 'a number of seconds', rule: { hostname: 'a.b', originRequest: { connectTimeout: 5 } } },
    { name: 'an audTag alone', rule: { hostname: 'a.b', originRequest: { access: { audTag: ['a'] } } } },
    { name: 'a very long path', rule: { hostname: 'a.b', path: `/${'a'.repeat(5_000)}` } },
    ...['(?=a)', '(a)\\1', 'a++', '\\u0041', 'a{1001}', '('].map((path) => ({
      name: `CF-TST-05 the path ${path}, which RE2 does not take`,
      rule: { hostname: 'a.b', path },
    })),
  ])('$name', ({ rule }) => {
    const result = merged({ 'Ingress/a/a': aSource(rule), 'Ingress/a/b': aSource('good.b') })
    expect(matchesIn(result)).toEqual(['good.b'])
    expect(foundIn(result)).toEqual(['InvalidRule Ingress/a/a'])
  })
  it('a rule that is no object is none', () => {
    expect(foundIn(merged({ 'Ingress/a/a': { rules: [1] } }))).toEqual(['InvalidRule Ingress/a/a'])
  })
  it.each(['(?i)/a', '(?P<name>a)', '/a\\z', '[[:alpha:]]', '\\pL', '(?s:.)'])(
    'CF-TST-05 the path %s, which RE2 alone takes, is sent',
    (path) => {
      expect(matchesIn(merged({ 'Ingress/a/a': aSource({ hostname: 'a.b', path }) }))).toEqual([`a.b ${path}`])
    },
  )
  it('rules beyond the most of a tunnel are left out, from the end', () => {
    const result = merged(
      { 'Ingress/a/a': { rules: ['c', 'a', 'b'].map((hostname) => ({ hostname, service: 'http://a' })) } },
      { maxRules: 2 },
    )
    expect(matchesIn(result)).toEqual(['a', 'b'])
    expect(result.findings.map(({ message }) => message)).toEqual(['c is left out: a tunnel takes 2 rules'])
  })
  it('a rule that Cloudflare refused is left out until it changes', () => {
    const sources = { 'Ingress/a/a': aSource('a.b') }
    const [rule] = merged(sources).rules
    const refused = new Set(rule === undefined ? [] : [identityOf(rule)])
    expect(matchesIn(merged(sources, { refused }))).toEqual([])
    expect(matchesIn(merged({ 'Ingress/a/a': aSource({ hostname: 'a.b', path: '/' }) }, { refused }))).toEqual([
      'a.b /',
    ])
  })
})
