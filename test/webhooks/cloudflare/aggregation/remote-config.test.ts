import { describe, expect, it } from 'vitest'
import {
  badRuleIn,
  driftBetween,
  foreignRulesIn,
  hostnamesIn,
  isMassRemoval,
} from '../../../../webhooks/cloudflare/aggregation/remote-config.ts'
import { aSource, merged } from '../../../support/builders/tunnel-sources.ts'

const { config } = merged({
  'Ingress/a/a': aSource('a.b'),
  'Ingress/a/b': aSource({ hostname: 'c.d', path: '/e' }),
})
const LAST = { service: 'http_status:404' }
const rule = (hostname: string, path?: string) => ({ hostname, ...(path && { path }), service: 'http://a' })

describe('CF-AGG-17 drift', () => {
  it.each([
    { name: 'what was sent', remote: { ...config } },
    {
      name: 'empty fields, and one that is not ours',
      remote: {
        ingress: [{ ...rule('a.b', ''), originRequest: {} }, rule('c.d', '/e'), { ...LAST, hostname: null }],
        originRequest: {},
        other: 1,
      },
    },
  ])('is none in $name', ({ remote }) => expect(driftBetween(remote, config)).toBeUndefined())

  it.each([
    { name: 'another hostname', ingress: [rule('x.y'), rule('c.d', '/e'), LAST], added: ['x.y'], removed: ['a.b'] },
    { name: 'another service', ingress: [{ ...rule('a.b'), service: 'http://x' }, rule('c.d', '/e'), LAST] },
    { name: 'another order', ingress: [rule('c.d', '/e'), rule('a.b'), LAST] },
    { name: 'none at all', ingress: [], removed: ['a.b', 'c.d'] },
  ])('is found: $name', ({ ingress, added = [], removed = [] }) => {
    expect(driftBetween({ ingress }, config)).toEqual({ added, removed })
  })
  it('is found where there is no configuration yet, and for private networks', () => {
    expect(driftBetween(null, config)).toEqual({ added: [], removed: ['a.b', 'c.d'] })
    expect(driftBetween({ ...config, 'warp-routing': { enabled: true } }, config)).toBeDefined()
  })
})

describe('CF-AGG-18 rules of others', () => {
  it('are those of a hostname that are not ours', () => {
    const remote = {
      ingress: [rule('A.b'), rule('c.d', '/x'), rule('x.y'), 1, { path: '/z', service: 'http://a' }, LAST],
    }
    expect(foreignRulesIn(remote, config)).toEqual(['c.d /x', 'x.y'])
    expect(foreignRulesIn(null, config)).toEqual([])
    expect(foreignRulesIn({ ingress: 'a' }, config)).toEqual([])
  })
})

describe('CF-AGG-23 a mass removal', () => {
  const hosts = (many: number) => Array.from({ length: many }, (_, at) => `h${at}`)
  it.each([
    { sent: 50, next: 0, is: true },
    { sent: 21, next: 10, is: true },
    { sent: 22, next: 11, is: false },
    { sent: 10, next: 0, is: false },
    { sent: 50, next: 50, is: false },
  ])('from $sent hostnames to $next: $is', ({ sent, next, is }) => {
    expect(isMassRemoval(hosts(sent), hosts(next))).toBe(is)
  })
  it('counts hostnames and not rules', () => {
    expect(hostnamesIn({ ...config, ingress: [...config.ingress, rule('A.B', '/x')] })).toEqual(['a.b', 'c.d'])
    expect(hostnamesIn(null)).toEqual([])
  })
})

describe('CF-AGG-13 the rule that Cloudflare calls bad', () => {
  it.each([
    ['Bad Configuration: Rule #12: invalid hostname', 12],
    ['Bad Configuration: there is no ingress rule', undefined],
    [`Rule #${'1'.repeat(30)}`, undefined],
  ])('%s', (message, number) => expect(badRuleIn(message)).toBe(number))
})
