import { describe, expect, it } from 'vitest'
import { isHealthy, type PhaseFacts, phaseOf } from '../../../../../webhooks/nacos/nacos/status/phase.ts'
import { quorumOf } from '../../../../../webhooks/nacos/nacos/status/rollout.ts'

const RUNS: PhaseFacts = {
  isSpecValid: true,
  hasRun: true,
  isPastDeadline: true,
  isQuorumLostForLong: false,
  wanted: 3,
  replicas: 3,
  ready: 3,
  isRolledOut: true,
  wasScaling: false,
}

describe('NC-REC-60 the phase (spec 4.9)', () => {
  it.each<{ name: string; facts: Partial<PhaseFacts>; phase: string; healthy: boolean }>([
    { name: 'all is well', facts: {}, phase: 'Running', healthy: true },
    { name: 'the spec is wrong', facts: { isSpecValid: false }, phase: 'Failed', healthy: false },
    { name: 'it is new', facts: { hasRun: false, ready: 2, isPastDeadline: false }, phase: 'Creating', healthy: false },
    { name: 'it is new for too long', facts: { hasRun: false, ready: 2 }, phase: 'Failed', healthy: false },
    { name: 'a member is replaced', facts: { ready: 2, isRolledOut: false }, phase: 'Updating', healthy: true },
    { name: 'a member is missing', facts: { ready: 2 }, phase: 'Running', healthy: true },
    { name: 'the quorum is lost', facts: { ready: 1, isRolledOut: false }, phase: 'Running', healthy: false },
    { name: 'it is lost for long', facts: { ready: 1, isQuorumLostForLong: true }, phase: 'Failed', healthy: false },
    { name: 'it grows', facts: { wanted: 5, isRolledOut: false }, phase: 'Scaling', healthy: true },
    {
      name: 'it has grown and goes on',
      facts: { wasScaling: true, isRolledOut: false },
      phase: 'Scaling',
      healthy: true,
    },
    { name: 'it has grown', facts: { wasScaling: true }, phase: 'Running', healthy: true },
  ])('$name: $phase', ({ facts, phase, healthy }) => {
    const all = { ...RUNS, ...facts }
    expect([phaseOf(all), isHealthy(phaseOf(all), all)]).toEqual([phase, healthy])
  })

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
  ])('NC-REC-52 of %i members %i are a majority', (replicas, quorum) => {
    expect(quorumOf(replicas)).toBe(quorum)
  })
})
