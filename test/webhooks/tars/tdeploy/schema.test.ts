import { expect, it } from 'vitest'
import { TDEPLOY } from '../../../../webhooks/tars/tdeploy/schema.ts'
import { APPROVED, aTDeploy } from '../../../support/builders/deploys.ts'

it.each([
  { name: 'a request', object: aTDeploy(), fits: true },
  {
    name: 'both blocks, which is TS-V5’s business',
    object: aTDeploy({ apply: { normal: { ports: [] } } }),
    fits: true,
  },
  { name: 'a decision', object: aTDeploy({ approve: APPROVED, deployed: true }), fits: true },
  { name: 'a decision of no time', object: aTDeploy({ approve: { ...APPROVED, time: 'now' } }), fits: false },
])('a TDeploy with $name: $fits', ({ object, fits }) => {
  expect(TDEPLOY.is(object)).toBe(fits)
})
