import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../src/schema.ts'
import { normalRule } from '../../../webhooks/cloudflare/gatewayrule/normal.ts'
import { asWritten } from '../../../webhooks/cloudflare/gatewayrule/wire.ts'

describe('settings of a gateway rule have the names of the API', () => {
  it.each<{ name: string; settings: Tree; written: Tree }>([
    { name: 'words', settings: { blockPageEnabled: true }, written: { block_page_enabled: true } },
    { name: 'what is so already', settings: { block_reason: 'x' }, written: { block_reason: 'x' } },
    { name: 'digits', settings: { l4Override: { ip: '10.0.0.1' } }, written: { l4override: { ip: '10.0.0.1' } } },
    {
      name: 'parts and short names',
      settings: { bisoAdminControls: { disablePrinting: true }, egress: { ipv4Fallback: 'a' } },
      written: { biso_admin_controls: { dp: true }, egress: { ipv4_fallback: 'a' } },
    },
    {
      name: 'lists',
      settings: { dnsResolvers: { ipv4: [{ vnetId: 'v' }] } },
      written: { dns_resolvers: { ipv4: [{ vnet_id: 'v' }] } },
    },
    { name: 'no headers', settings: { addHeaders: { 'X-A': ['b'] } }, written: { add_headers: { 'X-A': ['b'] } } },
  ])('$name', ({ settings, written }) => {
    expect(asWritten(settings)).toEqual(written)
  })
  it('down to a depth that ends', () => {
    const deep = (name: string) => Array.from({ length: 12 }).reduce<Tree>((inner) => ({ [name]: inner }), {})
    expect(JSON.stringify(asWritten(deep('aB'))).match(/a_b|aB/g)).toHaveLength(12)
  })
})

describe('CF-ONE-04 a gateway rule is compared as the API may have written it', () => {
  it.each<{ name: string; one: Tree; other: Tree; isSame: boolean }>([
    { name: 'white space', one: { traffic: 'a  ==\n1' }, other: { traffic: 'a == 1' }, isSame: true },
    { name: 'strings', one: { identity: 'a == "x  y"' }, other: { identity: 'a == "x y"' }, isSame: false },
    { name: 'strings with quotes', one: { identity: '"\\"  "' }, other: { identity: '"\\" "' }, isSame: false },
    { name: 'an expression without one', one: { device_posture: null }, other: {}, isSame: true },
    {
      name: 'days without a time',
      one: { schedule: { mon: '', tue: 'a' } },
      other: { schedule: { tue: 'a' } },
      isSame: true,
    },
    {
      name: 'the order of days',
      one: { schedule: { b: 'a', a: 'b' } },
      other: { schedule: { a: 'b', b: 'a' } },
      isSame: true,
    },
    { name: 'a day', one: { schedule: { mon: 'x', tue: 'a' } }, other: { schedule: { tue: 'a' } }, isSame: false },
    {
      name: 'a moment',
      one: { expiration: { expires_at: '2026-01-01T00:00:00Z' } },
      other: { expiration: { expires_at: '2026-01-01T01:00:00.000+01:00' } },
      isSame: true,
    },
    {
      name: 'a time without an end',
      one: { expiration: { duration: 1 } },
      other: { expiration: { duration: 1 } },
      isSame: true,
    },
    {
      name: 'no moment',
      one: { expiration: { expires_at: 'x' } },
      other: { expiration: { expires_at: 'y' } },
      isSame: false,
    },
  ])('$name', ({ one, other, isSame }) => {
    expect(JSON.stringify(normalRule(one)) === JSON.stringify(normalRule(other))).toBe(isSame)
  })
})
