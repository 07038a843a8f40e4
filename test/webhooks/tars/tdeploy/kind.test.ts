import { describe, expect, it } from 'vitest'
import { MUTATING, VALIDATING } from '../../../../webhooks/tars/doors.ts'
import { tdeploy } from '../../../../webhooks/tars/tdeploy/kind.ts'
import { TDEPLOY } from '../../../../webhooks/tars/tdeploy/schema.ts'
import { APPROVED, aTDeploy } from '../../../support/builders/deploys.ts'

describe('TDeploy meets the API server as tars.md 2.1 says', () => {
  it('when it is written', () => {
    expect(tdeploy.doors).toEqual([MUTATING, VALIDATING])
  })
})

describe('what is a TDeploy the schema says', () => {
  it.each([
    { name: 'a request', object: aTDeploy(), fits: true },
    {
      name: 'both blocks, which is TS-V5’s business',
      object: aTDeploy({ apply: { normal: { ports: [] } } }),
      fits: true,
    },
    { name: 'a decision', object: aTDeploy({ approve: APPROVED, deployed: true }), fits: true },
    { name: 'no apply', object: { metadata: { name: 'a' } }, fits: false },
    { name: 'a long mark', object: aTDeploy({ apply: { mark: 'x'.repeat(301) } }), fits: false },
    { name: 'a long person', object: aTDeploy({ apply: { person: 'x'.repeat(101) } }), fits: false },
    {
      name: 'a decision of sixteen letters',
      object: aTDeploy({ approve: { ...APPROVED, person: 'a'.repeat(16) } }),
      fits: true,
    },
    {
      name: 'a decision of seventeen letters',
      object: aTDeploy({ approve: { ...APPROVED, person: 'a'.repeat(17) } }),
      fits: false,
    },
    { name: 'a long reason', object: aTDeploy({ approve: { ...APPROVED, reason: 'x'.repeat(301) } }), fits: false },
    { name: 'a decision of nobody', object: aTDeploy({ approve: { ...APPROVED, person: '' } }), fits: false },
    {
      name: 'a decision without a result',
      object: aTDeploy({ approve: { ...APPROVED, result: undefined } }),
      fits: false,
    },
    { name: 'a decision of no time', object: aTDeploy({ approve: { ...APPROVED, time: 'now' } }), fits: false },
  ])('with $name: $fits', ({ object, fits }) => {
    expect(TDEPLOY.is(JSON.parse(JSON.stringify(object)))).toBe(fits)
  })
  it('and a release is not asked for', () => {
    expect(TDEPLOY.schema.properties?.apply?.properties).not.toHaveProperty('release')
  })
})
