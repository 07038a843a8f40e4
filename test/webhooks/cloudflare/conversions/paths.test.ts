import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patternOf, writtenPattern } from '../../../../webhooks/cloudflare/conversions/paths.ts'
import { flawOfPath } from '../../../../webhooks/cloudflare/origin-checks.ts'
import { merged } from '../../../support/builders/tunnel-sources.ts'

describe('CF-CNV-05 a path', () => {
  it.each([
    ['Prefix', '', ''],
    ['Prefix', '/', ''],
    ['Prefix', '/foo', '^/foo(/.*)?$'],
    ['Prefix', '/foo//', '^/foo(/.*)?$'],
    ['Prefix', '/v1.0', '^/v1\\.0(/.*)?$'],
    ['Exact', '', ''],
    ['Exact', '/', '^/$'],
    ['Exact', '/foo/', '^/foo/$'],
    ['Exact', '/a.b+c*(d)|[e]{f}^$\\', '^/a\\.b\\+c\\*\\(d\\)\\|\\[e\\]\\{f\\}\\^\\$\\\\$'],
    ['ImplementationSpecific', '/', ''],
    ['ImplementationSpecific', '/foo', '^/foo(/.*)?$'],
    ['ImplementationSpecific', '/foo/*', '^/foo(/.*)?$'],
    ['ImplementationSpecific', '/*', ''],
  ])('%s %s becomes %s', (pathType, path, pattern) => {
    expect(patternOf(pathType, path, false)).toBe(pattern)
  })
  it.each([
    ['ImplementationSpecific', '/a[0-9]+', '^/a[0-9]+'],
    ['ImplementationSpecific', '^/a$', '^/a$'],
    ['ImplementationSpecific', '', ''],
    ['Prefix', '/a.b', '^/a\\.b(/.*)?$'],
    ['Exact', '/a.b', '^/a\\.b$'],
  ])('%s %s with use-regex becomes %s', (pathType, path, pattern) => {
    expect(patternOf(pathType, path, true)).toBe(pattern)
  })
  it('of a regular expression is anchored once', () => {
    expect(['/a', '^/a', ''].map(writtenPattern)).toEqual(['^/a', '^/a', ''])
  })
})

interface Declared {
  readonly hostname: string
  readonly pathType: string
  readonly path: string
}
const SEGMENTS = ['foo', 'foobar', 'v1.0', 'v100', 'a+b']
const path = fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 2 }).map((segments) => `/${segments.join('/')}`)
const declared = fc.record({
  hostname: fc.constantFrom('a.example.com', 'b.example.com', '*.example.com', '*.a.example.com'),
  pathType: fc.constantFrom('Prefix', 'Exact'),
  path,
})
const requested = fc.record({
  host: fc.constantFrom('a.example.com', 'b.example.com', 'c.example.com', 'x.a.example.com', 'example.com', 'c.org'),
  path: fc.tuple(path, fc.constantFrom('', '/')).map(([text, end]) => text.replace(/\/$/, '') + end || '/'),
})

/** As cloudflared: the first rule whose host and path match, a wildcard by its suffix, a path anywhere. */
function routed(
  ingress: readonly { hostname?: unknown; path?: unknown; service?: unknown }[],
  host: string,
  at: string,
) {
  const matches = (hostname: string) =>
    hostname === '' || hostname === host || (hostname.startsWith('*.') && host.endsWith(hostname.slice(1)))
  return ingress.find(
    ({ hostname, path: pattern }) => matches(String(hostname ?? '')) && new RegExp(String(pattern ?? '')).test(at),
  )?.service
}
/** As an Ingress says: the most special host, then the exact path, then the longest prefix, by whole segments. */
function wanted(rules: readonly Declared[], host: string, at: string): string | undefined {
  const covers = ({ hostname }: Declared) =>
    hostname === host || (hostname[0] === '*' && host.endsWith(hostname.slice(1)))
  const special = ({ hostname }: Declared) => (hostname === host ? 1_000 : hostname.length)
  const prefix = (rule: Declared) => rule.path.replace(/\/$/, '')
  const fits = (rule: Declared) =>
    rule.pathType === 'Exact' ? at === rule.path : at === prefix(rule) || at.startsWith(`${prefix(rule)}/`)
  const strength = (rule: Declared) =>
    special(rule) * 10_000 + (rule.pathType === 'Exact' ? 1_000 : 0) + prefix(rule).length
  const [best] = rules
    .filter((rule) => covers(rule) && fits(rule))
    .toSorted((one, other) => strength(other) - strength(one))
  return best && serviceFor(best)
}
const serviceFor = ({ hostname, pathType, path: of }: Declared) =>
  `http://s${Buffer.from(`${hostname} ${pathType} ${of}`).toString('hex')}`

describe('CF-TST-03 CF-AGG-09 requests reach the service that their path declares', () => {
  it('for any rules and any requests', () => {
    const rules = fc.uniqueArray(declared, { maxLength: 8, selector: (each) => serviceFor(each) })
    fc.assert(
      fc.property(rules, fc.array(requested, { minLength: 1, maxLength: 8 }), (list, requests) => {
        const { config } = merged({
          'Ingress/a/a': {
            rules: list.map((each) => ({
              hostname: each.hostname,
              path: patternOf(each.pathType, each.path, false),
              service: serviceFor(each),
            })),
          },
        })
        for (const { host, path: at } of requests)
          expect(routed(config.ingress, host, at)).toBe(wanted(list, host, at) ?? 'http_status:404')
      }),
      { numRuns: 1_000 },
    )
  })
  it('and no pattern of a path is one that RE2 does not take', () => {
    fc.assert(
      fc.property(fc.constantFrom('Prefix', 'Exact'), fc.string({ maxLength: 30 }), (pathType, text) => {
        expect(flawOfPath(patternOf(pathType, `/${text}`, false))).toBeUndefined()
      }),
    )
  })
})
