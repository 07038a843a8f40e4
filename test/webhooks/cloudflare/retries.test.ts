import { describe, expect, it } from 'vitest'
import { CloudflareFault } from '../../../src/remote/cloudflare/port.ts'
import { chanceOf, reasonOf, retryMsOf } from '../../../webhooks/cloudflare/retries.ts'

describe('CF-ONE-06 an object is looked at again', () => {
  const between = (given: Omit<Parameters<typeof retryMsOf>[0], 'chance'>) =>
    [0, 1].map((chance) => Math.round(retryMsOf({ ...given, chance })))
  it.each([
    { reason: 'Synced', failures: 0, resyncSeconds: 1_800, ms: [1_440_000, 2_160_000] },
    { reason: 'ManagedByAnother', failures: 3, resyncSeconds: 1_800, ms: [270_000, 330_000] },
    { reason: 'DuplicateClaim', failures: 3, resyncSeconds: 10, ms: [9_000, 11_000] },
    { reason: 'DependencyNotReady', failures: 3, resyncSeconds: 1_800, ms: [30_000, 30_000] },
    { reason: 'CredentialError', failures: 0, resyncSeconds: 1_800, ms: [300_000, 300_000] },
    { reason: 'InvalidConfig', failures: 0, resyncSeconds: 1_800, ms: [300_000, 300_000] },
    { reason: 'APIError', failures: 0, resyncSeconds: 1_800, ms: [1, 1_000] },
    { reason: 'APIError', failures: 3, resyncSeconds: 1_800, ms: [1, 8_000] },
    { reason: 'APIError', failures: 0, resyncSeconds: 1_800, isRefused: true, ms: [300_000, 300_000] },
    { reason: 'APIError', failures: 1_000_000, resyncSeconds: 1_800, ms: [1, 300_000] },
  ] as const)('$reason after $failures failures', ({ ms, ...given }) => {
    expect(between(given)).toEqual(ms)
  })

  it('at times that differ by object and by moment, and do not by asking', () => {
    const at = new Date(0)
    const chances = Array.from({ length: 1_000 }, (_, uid) => chanceOf(String(uid), at))
    expect(new Set(chances).size).toBe(1_000)
    expect(Math.min(...chances)).toBeLessThan(0.05)
    expect(Math.max(...chances)).toBeGreaterThan(0.95)
    expect(chances.every((chance) => chance >= 0 && chance < 1)).toBe(true)
    expect(chanceOf('a', at)).toBe(chanceOf('a', at))
    expect(chanceOf('a', at)).not.toBe(chanceOf('a', new Date(1)))
  })
})

describe('CF-CRD-09 a fault of the API is', () => {
  it.each([
    { code: 'REMOTE_DENIED', reason: 'CredentialError' },
    { code: 'REMOTE_THROTTLED', reason: 'RateLimited' },
    { code: 'REMOTE_FAILED', reason: 'APIError' },
    { code: 'REMOTE_REFUSED', reason: 'APIError' },
  ] as const)('$code: $reason', ({ code, reason }) => {
    expect(reasonOf(new CloudflareFault(code, 'x'))).toBe(reason)
  })

  it('and an error that is none: APIError', () => {
    expect(reasonOf(new TypeError('x'))).toBe('APIError')
  })
})
