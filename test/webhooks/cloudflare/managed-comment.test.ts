import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildManagedComment, managedComment, oneLine } from '../../../webhooks/cloudflare/managed-comment.ts'
import { extractUserComment, markingOf, RESERVED_WORDS } from '../../../webhooks/cloudflare/ownership.ts'

const OWNER = { kind: 'DNSRecord', namespace: 'default', name: 'api-record' }
const MARK = '[managed-by:DNSRecord/default/api-record]' // 41 characters
const SHORT = /^\[managed-by:DNSRecord\/~[0-9a-f]{20}\]/ // 44 characters

describe('CF-OWN-01 CF-OWN-02 a comment is written', () => {
  it.each([
    { name: 'as the mark alone', comment: '', options: {}, text: MARK },
    { name: 'with a comment', comment: 'of the shop', options: {}, text: `${MARK} of the shop` },
    { name: 'with a cluster', comment: '', options: { clusterId: 'blue' }, text: `${MARK} [cluster:blue]` },
    { name: 'with both', comment: 'a', options: { clusterId: 'blue' }, text: `${MARK} [cluster:blue] a` },
    { name: 'without spaces at its ends', comment: '  a  ', options: {}, text: `${MARK} a` },
    { name: 'of spaces alone', comment: '  ', options: {}, text: MARK },
  ])('$name', ({ comment, options, text }) => {
    expect(buildManagedComment(OWNER, comment, options)).toBe(text)
  })

  it('of an object without a namespace', () => {
    expect(buildManagedComment({ kind: 'VirtualNetwork', namespace: '', name: 'net' }, '')).toBe(
      '[managed-by:VirtualNetwork/net]',
    )
  })
})

describe('CF-OWN-05 a comment is one line of whole characters', () => {
  it.each([
    { name: 'line breaks', comment: 'a\r\nb\nc', text: 'a b c' },
    { name: 'control characters', comment: 'a\u0000\u0007b\u0085c\t', text: 'a b c' },
    { name: 'half a character', comment: 'a\ud83d', text: 'a\ufffd' },
  ])('$name', ({ comment, text }) => {
    expect(oneLine(comment)).toBe(text)
    expect(buildManagedComment(OWNER, comment)).toBe(`${MARK} ${text}`)
  })

  it('its length counts characters, not units', () => {
    const comment = '🦊'.repeat(58)
    expect(buildManagedComment(OWNER, comment, { limit: 100 })).toBe(`${MARK} ${comment}`)
    expect(buildManagedComment(OWNER, `${comment}🦊`, { limit: 100 })).toBe(`${MARK} ${'🦊'.repeat(57)}…`)
  })
})

describe('CF-OWN-06 a comment fits its limit', () => {
  it.each([
    { name: '99 characters', comment: 57, fitting: 'a'.repeat(57) },
    { name: '100 characters', comment: 58, fitting: 'a'.repeat(58) },
    { name: '101 characters', comment: 59, fitting: `${'a'.repeat(57)}…` },
    { name: '600 characters', comment: 600, fitting: `${'a'.repeat(57)}…` },
  ])('$name', ({ comment, fitting }) => {
    const text = `${MARK} ${fitting}`
    const isTruncated = fitting.length !== comment
    expect(managedComment(OWNER, 'a'.repeat(comment), { limit: 100 })).toEqual({ text, isTruncated })
  })

  it.each([
    { name: 'with room for five characters it is cut', limit: 47, text: `${MARK} abcd…` },
    { name: 'with room for four it is left out', limit: 46, text: MARK },
    { name: 'a short one that fits stays', limit: 46, comment: 'abcd', text: `${MARK} abcd` },
    { name: 'the mark alone fits exactly', limit: 41, text: MARK },
  ])('$name', ({ limit, comment = 'abcdefgh', text }) => {
    expect(buildManagedComment(OWNER, comment, { limit })).toBe(text)
  })

  it('the short mark is written where the full one does not fit', () => {
    const owner = { ...OWNER, name: 'a'.repeat(80) }
    const text = buildManagedComment(owner, 'b'.repeat(80), { limit: 100, clusterId: 'blue' })
    expect(text).toMatch(SHORT)
    expect(text.slice(44)).toBe(` [cluster:blue] ${'b'.repeat(39)}…`)
    expect(markingOf(text)).toMatchObject({ state: 'one', cluster: 'blue' })
  })

  it('the token of the cluster is never left out, even beyond the limit', () => {
    expect(buildManagedComment(OWNER, 'abc', { limit: 10, clusterId: 'blue' }).slice(44)).toBe(' [cluster:blue]')
  })
})

const LABEL = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,18}[a-z0-9])?$/)
const COMMENT = fc
  .string({ unit: 'grapheme', maxLength: 600 })
  .filter((text) => !RESERVED_WORDS.some((word) => text.includes(word)))

describe('CF-TST-01 CF-OWN-02 CF-OWN-06 whatever is written is read again', () => {
  it('owner, cluster and comment', () => {
    fc.assert(
      fc.property(LABEL, LABEL, LABEL, COMMENT, (namespace, name, clusterId, comment) => {
        const owner = { kind: 'DNSRecord', namespace, name }
        const text = buildManagedComment(owner, comment, { clusterId })
        expect(markingOf(text)).toEqual({ state: 'one', owner, cluster: clusterId, isLegacy: false })
        expect(extractUserComment(text)).toBe(oneLine(comment))
      }),
    )
  })

  it('within any limit that takes the short mark, and the same for the same input', () => {
    fc.assert(
      fc.property(LABEL, COMMENT, fc.integer({ min: 75, max: 600 }), (name, comment, limit) => {
        const write = () => managedComment({ ...OWNER, name }, comment, { clusterId: 'blue', limit })
        expect([...write().text].length).toBeLessThanOrEqual(limit)
        expect(write()).toEqual(write())
        expect(write().isTruncated).toBe(extractUserComment(write().text) !== oneLine(comment))
      }),
    )
  })
})
