import { describe, expect, it } from 'vitest'
import { ttemplate } from '../../../../webhooks/tars/ttemplate/kind.ts'

describe('TTemplate meets the API server as tars.md 2.1 says', () => {
  const common = { failurePolicy: 'Fail', timeoutSeconds: 10, sideEffects: 'None' }

  it('twice, at doors that it shares with the other kinds', () => {
    expect(ttemplate.doors).toEqual([
      {
        ...common,
        name: 'mutating.tars.io',
        path: '/mutating',
        phase: 'mutate',
        operations: ['CREATE', 'UPDATE'],
        reinvocation: 'IfNeeded', // its mutations may run twice (W-8)
      },
      {
        ...common,
        name: 'validating.tars.io',
        path: '/validating',
        phase: 'validate',
        operations: ['CREATE', 'UPDATE', 'DELETE'],
      },
    ])
  })

  it('under the names of tars.md 1.1', () => {
    expect(ttemplate.resource).toMatchObject({
      group: 'k8s.tars.io',
      version: 'v1beta2',
      plural: 'ttemplates',
      kind: 'TTemplate',
      scope: 'Namespaced',
    })
  })
})
