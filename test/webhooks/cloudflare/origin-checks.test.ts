import { describe, expect, it } from 'vitest'
import { isHostname, isInZone, normalName } from '../../../webhooks/cloudflare/hostnames.ts'
import { networkIn } from '../../../webhooks/cloudflare/networks.ts'
import {
  flawOfDuration,
  flawOfPath,
  flawOfService,
  type OriginCheck,
} from '../../../webhooks/cloudflare/origin-checks.ts'

interface Checked {
  readonly check: OriginCheck
  readonly good: readonly string[]
  readonly bad: readonly string[]
}
const CHECKS: Readonly<Record<string, Checked>> = {
  service: {
    check: flawOfService,
    good: ['http://a', 'https://a.b.svc:8443', 'tcp://a:22', 'unix:/run/a', 'unix+tls:/run/a', 'http_status:100'],
    bad: [
      '',
      'a',
      'http://',
      'http://a/',
      'http://a?b',
      'http://a b',
      'http://u@a',
      'http_status:1000',
      'http_status:',
    ],
  },
  words: { check: flawOfService, good: ['hello_world', 'hello-world', 'bastion', 'socks-proxy'], bad: ['hello'] },
  path: {
    check: flawOfPath,
    good: [
      '',
      '/a',
      '^/a(/.*)?$',
      '(?i)/a',
      '(?P<a>b)',
      '(?s:a)',
      '\\.',
      '\\\\d',
      'a{1000}',
      '[a-z]+',
      '\\d+',
      '\\A/a\\z',
    ],
    bad: [
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(?<!a)',
      '(?>a)',
      '(a)\\1',
      '\\k<a>',
      '\\u0041',
      '\\cJ',
      '/a\\Z',
      'a++',
      'a*+',
      'a{1001}',
      'a{1,2000}',
      '(',
      '[',
      '\\',
    ],
  },
  duration: {
    check: flawOfDuration,
    good: ['30s', '1m30s', '1.5h', '100ms', '3µs'],
    bad: ['', '30', 's', '-1s', '1d', '1 s', `${'1s'.repeat(9)}`],
  },
}

describe.each(Object.entries(CHECKS))('CF-V-14 a %s', (_, { check, good, bad }) => {
  it.each(good)('"%s" is taken', (text) => expect(check(text)).toBeUndefined())
  it.each(bad)('"%s" is not', (text) => expect(check(text)).toMatch(/\S/))
})

describe('CF-ONE-02 a hostname', () => {
  it.each([
    ['A.Example.com.', 'a.example.com'],
    ['bücher.example.com', 'xn--bcher-kva.example.com'],
    ['*.Bücher.com', '*.xn--bcher-kva.com'],
    ['_a._tcp.example.com', '_a._tcp.example.com'],
    ['a\u3002b', 'xn--'],
  ])('%s', (written, name) => expect(normalName(written)).toContain(name === 'xn--' ? 'a' : name))

  it.each(['a', 'a.b', '*.a.b', 'xn--bcher-kva.com', '_dmarc.a', `${'a'.repeat(63)}.b`])('%s is one', (name) => {
    expect(isHostname(name)).toBe(true)
  })
  it.each([
    '',
    '*',
    'a.*',
    'a*.b',
    'a:80',
    'a/b',
    '-a',
    'a..b',
    `${'a'.repeat(64)}.b`,
    `${'a.'.repeat(128)}`,
    `ü${'a'.repeat(300)}`,
  ])('%s is none', (name) => expect(isHostname(name)).toBe(false))

  it('is in a zone with the dot alone (CF-CRD-08)', () => {
    expect(['example.com', 'a.example.com', 'xexample.com'].map((name) => isInZone(name, 'example.com'))).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('CF-V-09 a network', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8', false],
    ['10.1.0.0/9', '10.0.0.0/9', true],
    ['0.0.0.0/0', '0.0.0.0/0', false],
    ['192.0.2.1/32', '192.0.2.1/32', false],
    ['2001:DB8:0:0:0:0:0:0/32', '2001:db8::/32', false],
    ['::/0', '::/0', false],
    ['::ffff:192.0.2.0/120', '::ffff:c000:200/120', false],
    ['fe80::1/10', 'fe80::/10', true],
  ])('%s', (written, text, hasHostBits) => expect(networkIn(written)).toEqual({ text, hasHostBits }))

  it.each(['', '/', '10.0.0.0/', '10.0.0.0/-1', '10.0.0/8', '010.0.0.0/8', '::/129', ':::/8', '1::2::3/8', 'a/8'])(
    '%s is none',
    (written) => expect(networkIn(written)).toBeUndefined(),
  )
})
