import { describe, expect, it } from 'vitest'
import { wireOriginOf } from '../../../../webhooks/cloudflare/aggregation/wire-origin.ts'
import { aSource, foundIn, merged } from '../../../support/builders/tunnel-sources.ts'

const ALL = {
  connectTimeout: '30s',
  tlsTimeout: '1m',
  tcpKeepAlive: '1h',
  keepAliveTimeout: '1m30s',
  noHappyEyeballs: false,
  keepAliveConnections: 0,
  httpHostHeader: 'a',
  originServerName: 'b',
  noTLSVerify: true,
  disableChunkedEncoding: true,
  bastionMode: false,
  proxyAddress: '127.0.0.1',
  proxyPort: 0,
  proxyType: 'socks',
  ipRules: [{ prefix: '10.0.0.0/8', allow: true, ports: [80] }],
  http2Origin: true,
  access: { required: true, teamName: 'a', audTag: ['b'] },
  caPool: '/etc/a',
  matchSNItoHost: true,
}

describe('CF-AGG-11 an originRequest', () => {
  it('is sent with all that cloudflared knows, and with whole seconds', () => {
    const { value, flaws, rounded } = wireOriginOf({ ...ALL, unknown: 1 })
    expect(value).toEqual({ ...ALL, connectTimeout: 30, tlsTimeout: 60, tcpKeepAlive: 3_600, keepAliveTimeout: 90 })
    expect([flaws, rounded]).toEqual([[], []])
  })
  it('has no field that is not there: false is another thing than absent', () => {
    expect(wireOriginOf({ noTLSVerify: null }).value).toEqual({})
    expect(wireOriginOf({ noTLSVerify: false }).value).toEqual({ noTLSVerify: false })
  })
  it.each([
    ['100ms', 1],
    ['1ns', 1],
    ['0s', 1],
    ['1.5s', 2],
    ['1m0.1s', 61],
    ['3µs', 1],
    ['2us', 1],
  ])('%s is rounded up to %i', (written, seconds) => {
    expect(wireOriginOf({ connectTimeout: written })).toMatchObject({
      value: { connectTimeout: seconds },
      rounded: ['connectTimeout'],
    })
  })
  it('an author learns of it', () => {
    const rule = { hostname: 'a.b', originRequest: { tlsTimeout: '100ms' } }
    const settings = { settings: { originRequest: { tlsTimeout: '100ms', proxyPort: -1 } } }
    expect(foundIn(merged({ 'Ingress/a/a': aSource(rule), 'Tunnel/a/b': settings }))).toEqual([
      'InvalidRule Tunnel/a/b',
      'DurationRounded Tunnel/a/b',
      'DurationRounded Ingress/a/a',
    ])
  })
  it.each([
    { connectTimeout: 30 },
    { connectTimeout: '30' },
    { connectTimeout: '999999999h' },
    { noTLSVerify: 'true' },
    { httpHostHeader: 1 },
    { keepAliveConnections: -1 },
    { proxyPort: 65_536 },
    { proxyType: 'http' },
    { ipRules: {} },
    { ipRules: [{ allow: true }] },
    { ipRules: [1] },
    { ipRules: [{ prefix: '::/0', ports: [-1] }] },
    { access: [] },
    { access: { required: 1 } },
    { access: { audTag: ['a'] } },
    { access: { audTag: [1], teamName: 'a' } },
  ])('%j is left out', (written) => {
    const { value, flaws } = wireOriginOf(written)
    expect(value).toEqual({})
    expect(flaws).toEqual([expect.stringMatching(new RegExp(`^originRequest\\.${Object.keys(written)[0]} `))])
  })
})
