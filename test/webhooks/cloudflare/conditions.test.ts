import { describe, expect, it } from 'vitest'
import { conditionsOf, isTransition } from '../../../webhooks/cloudflare/conditions.ts'

const at = new Date('2026-11-19T12:00:00.500Z')
const later = new Date('2026-11-19T12:05:00Z')
const outlook = { reason: 'Synced', message: 'as it should be', generation: 2, at } as const
const shown = (given: Parameters<typeof conditionsOf>[1]) =>
  conditionsOf(undefined, given).map(({ type, status, reason }) => `${type} ${status} ${reason}`)

describe('CF-CRD-09 conditions', () => {
  it.each([
    { reason: 'Synced', conditions: ['Ready True Synced', 'Conflicted False NoConflict'] },
    { reason: 'SourceDeleted', conditions: ['Ready True SourceDeleted', 'Conflicted False NoConflict'] },
    { reason: 'CredentialError', conditions: ['Ready False CredentialError', 'Conflicted False NoConflict'] },
    { reason: 'ManagedByAnother', conditions: ['Ready False ManagedByAnother', 'Conflicted True ManagedByAnother'] },
    { reason: 'AdoptionConflict', conditions: ['Ready False AdoptionConflict', 'Conflicted True AdoptionConflict'] },
    { reason: 'DuplicateClaim', conditions: ['Ready False DuplicateClaim', 'Conflicted True DuplicateClaim'] },
  ] as const)('$reason', ({ reason, conditions }) => {
    expect(shown({ ...outlook, reason })).toEqual(conditions)
  })

  it('keep the time of their last change', () => {
    const before = conditionsOf(undefined, outlook)
    expect(before[0]).toMatchObject({ lastTransitionTime: '2026-11-19T12:00:00Z', observedGeneration: 2 })
    const same = conditionsOf(before, { ...outlook, at: later, message: 'again' })
    expect(same[0]).toMatchObject({ lastTransitionTime: '2026-11-19T12:00:00Z', message: 'again' })
    const other = conditionsOf(before, { ...outlook, at: later, reason: 'DuplicateClaim' })
    expect(other.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
      '2026-11-19T12:05:00Z',
      '2026-11-19T12:05:00Z',
    ])
  })

  it('have a message of whole characters and a bounded length', () => {
    const [ready] = conditionsOf(undefined, { ...outlook, message: `${'🦊'.repeat(2_000)}\ud83d` })
    expect(ready?.message).toBe('🦊'.repeat(1_024))
  })

  it('are told by an event when the reason changes alone', () => {
    const before = conditionsOf(undefined, outlook)
    expect(isTransition(undefined, outlook)).toBe(true)
    expect(isTransition(before, { ...outlook, message: 'again' })).toBe(false)
    expect(isTransition(before, { ...outlook, reason: 'APIError' })).toBe(true)
  })
})
