import { describe, expect, it } from 'vitest'
import { configurations } from '../../../src/print/configurations.ts'
import { nacosConfigMap } from '../../../webhooks/nacos/configmap/kind.ts'
import { nacosKind } from '../../../webhooks/nacos/nacos/kind.ts'
import { treesOf } from '../../support/builders/trees.ts'

const webhooks = configurations([nacosKind, nacosConfigMap], { namespace: 'ns', kubeMinor: 33 }).flatMap((each) =>
  treesOf(each.webhooks),
)

describe('NC-ADM-01 NC-ADM-03 the webhooks of the specification (6.1)', () => {
  const nacos = { apiGroups: ['nacos.io'], apiVersions: ['v1alpha1'], resources: ['nacos'] }
  it.each([
    {
      name: 'mutating-nacos.nacos.io',
      rules: [{ ...nacos, operations: ['CREATE', 'UPDATE'] }],
      failurePolicy: 'Fail',
      timeoutSeconds: 5,
    },
    {
      name: 'validating-nacos.nacos.io',
      rules: [{ ...nacos, operations: ['CREATE', 'UPDATE', 'DELETE'] }],
      failurePolicy: 'Fail',
      timeoutSeconds: 5,
    },
    {
      name: 'validating-configmap.nacos.io',
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['UPDATE', 'DELETE'] }],
      failurePolicy: 'Ignore',
      timeoutSeconds: 3,
      objectSelector: { matchExpressions: [{ key: 'nacos.io/config-role', operator: 'Exists' }] },
    },
  ])('$name', (wanted) => {
    const found = webhooks.find(({ name }) => name === wanted.name)
    expect(found).toMatchObject({ sideEffects: 'None', ...wanted })
    expect(found?.objectSelector).toEqual(wanted.objectSelector)
  })

  it('and no other', () => {
    expect(webhooks).toHaveLength(3)
  })
})
