import { describe, expect, it } from 'vitest'
import {
  canManageResource,
  extractUserComment,
  getConflictingManager,
  isSameManager,
  markingOf,
  newManagementInfo,
  ownerName,
  parseManagementMarker,
  RESERVED_WORDS,
  shortMarkOf,
  UNKNOWN_MANAGER,
} from '../../../webhooks/cloudflare/ownership.ts'

const A = { kind: 'DNSRecord', namespace: 'default', name: 'a' }
const B = { kind: 'DNSRecord', namespace: 'default', name: 'b' }
const NETWORK = { kind: 'VirtualNetwork', namespace: '', name: 'net' }
const OF_A = '[managed-by:DNSRecord/default/a]'
const OF_B = '[managed-by:DNSRecord/default/b]'
/** The first twenty hex digits of the SHA-256 of `DNSRecord/default/a`. */
const SHORT_OF_A = '[managed-by:DNSRecord/~14dae12ffa1e3bbcfa2e]'

describe('CF-OWN-01 an owner is named', () => {
  it.each([
    { metadata: { namespace: 'default', name: 'api-record' }, kind: 'DNSRecord', text: 'DNSRecord/default/api-record' },
    { metadata: { name: 'net' }, kind: 'VirtualNetwork', text: 'VirtualNetwork/net' },
  ])('$text', ({ metadata, kind, text }) => {
    expect(ownerName(newManagementInfo({ metadata }, kind))).toBe(text)
  })
})

describe('CF-OWN-03 CF-OWN-04 a text is read', () => {
  const one = (owner: object, cluster = '', isLegacy = false) => ({ state: 'one', owner, cluster, isLegacy })
  it.each([
    { text: '', marking: { state: 'none' } },
    { text: 'a comment [of nobody]', marking: { state: 'none' } },
    { text: '[cluster:blue] a comment', marking: { state: 'none' } },
    { text: OF_A, marking: one(A) },
    { text: '[managed:DNSRecord/default/a]', marking: one(A, '', true) },
    { text: `a comment ${OF_A}`, marking: one(A) },
    { text: `${OF_A} [cluster:blue] a comment`, marking: one(A, 'blue') },
    { text: `${OF_A} [cluster:Blue]`, marking: one(A) },
    { text: `${OF_A} [cluster:-]`, marking: one(A) },
    { text: '[managed-by:VirtualNetwork/net]', marking: one(NETWORK) },
    { text: '[managed-by:Tunnel/ns/a.b-c]', marking: one({ kind: 'Tunnel', namespace: 'ns', name: 'a.b-c' }) },
    { text: `${OF_A}${OF_A}`, marking: one(A) },
    { text: `[managed:DNSRecord/default/a]${OF_A}`, marking: one(A, '', true) },
    { text: `${OF_A} ${SHORT_OF_A}`, marking: one(A) },
    { text: `${OF_A} [managed-by:broken`, marking: one(A) },
    { text: `${OF_A} ${OF_B}`, marking: { state: 'several', owners: [A, B] } },
    { text: `${SHORT_OF_A} ${OF_B}`, marking: { state: 'several', owners: [expect.anything(), B] } },
    { text: '[managed-by:DNSRecord/default/a', marking: { state: 'damaged' } },
    { text: '[managed-by:dnsrecord/default/a]', marking: { state: 'damaged' } },
    { text: '[managed-by:DNSRecord/Default/a]', marking: { state: 'damaged' } },
    { text: '[managed-by:DNSRecord/a/b/c]', marking: { state: 'damaged' } },
    { text: '[managed-by:DNSRecord//a]', marking: { state: 'damaged' } },
    { text: '[managed-by:DNSRecord/default/]', marking: { state: 'damaged' } },
    { text: '[managed-by:DNSRecord/~14DAE12FFA1E3BBCFA2E]', marking: { state: 'damaged' } },
    { text: '[managed-by:DNSRecord/~14da]', marking: { state: 'damaged' } },
    { text: `[managed-by:DNSRecord/default/${'a'.repeat(254)}]`, marking: { state: 'damaged' } },
    { text: `[managed-by:DNSRecord/${'a'.repeat(64)}/a]`, marking: { state: 'damaged' } },
    { text: '[managed by me]', marking: { state: 'damaged' } },
  ])('$text', ({ text, marking }) => {
    expect(markingOf(text)).toEqual(marking)
  })

  it.each([
    { text: OF_A, info: A },
    { text: `${OF_A} ${OF_B}`, info: A },
    { text: '[managed-by:DNSRecord/default', info: null },
    { text: 'a comment', info: null },
  ])('and its first mark is answered: $text', ({ text, info }) => {
    expect(parseManagementMarker(text)).toEqual(info)
  })

  it('a short mark is that of its object alone', () => {
    expect(shortMarkOf(A)).toBe(SHORT_OF_A)
    expect(canManageResource(SHORT_OF_A, A)).toBe(true)
    expect(getConflictingManager(SHORT_OF_A, B)).toEqual({ ...A, namespace: '', name: '~14dae12ffa1e3bbcfa2e' })
    expect(isSameManager({ ...A, kind: 'Tunnel' }, A)).toBe(false)
  })
})

describe('CF-OWN-03 a conflict has the other owner', () => {
  it.each([
    { text: 'a comment', other: null },
    { text: OF_A, other: null },
    { text: '[managed:DNSRecord/default/a]', other: null },
    { text: OF_B, other: B },
    { text: `${OF_A} ${OF_B}`, other: B },
    { text: `${OF_B} ${OF_A}`, other: B },
    { text: '[managed-by:DNSRecord/default/a', other: UNKNOWN_MANAGER },
  ])('$text', ({ text, other }) => {
    expect(getConflictingManager(text, A)).toEqual(other)
    expect(canManageResource(text, A)).toBe(other === null)
  })

  it('and an owner without a name is called unknown', () => {
    expect(ownerName(UNKNOWN_MANAGER)).toBe('unknown')
  })
})

describe('CF-OWN-02 the comment of a user is what is left', () => {
  it.each([
    { text: OF_A, comment: '' },
    { text: `${OF_A} [cluster:blue] a comment`, comment: 'a comment' },
    { text: `${OF_A}  two  spaces `, comment: 'two  spaces' },
    { text: `a ${OF_A} comment`, comment: 'a comment' },
    { text: '[managed:DNSRecord/default/a] of old', comment: 'of old' },
    { text: 'a comment', comment: 'a comment' },
  ])('$text', ({ text, comment }) => {
    expect(extractUserComment(text)).toBe(comment)
  })
})

it('CF-OWN-07 the words of a mark are reserved, however it goes on', () => {
  expect(RESERVED_WORDS).toEqual(['[managed', '[cluster:'])
})

describe('CF-OWN-03 a text of any length is read in linear time', () => {
  it.each([
    { name: 'openings', part: '[managed-by:' },
    { name: 'openings with a name', part: `[managed-by:A/${'a'.repeat(63)}/${'a'.repeat(253)}` },
    { name: 'letters', part: `[managed:A/${'a'.repeat(2_000)}` },
    { name: 'marks', part: OF_A },
    { name: 'tokens', part: '[cluster:a' },
    { name: 'hyphens', part: '[managed:A/a-' },
  ])('$name', ({ part }) => {
    const text = part.repeat(Math.ceil(200_000 / part.length))
    const before = performance.now()
    markingOf(text)
    extractUserComment(text)
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})
