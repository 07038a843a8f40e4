import { describe, expect, it } from 'vitest'
import { configurations } from '../../../../src/print/configurations.ts'
import { crds } from '../../../../src/print/crds.ts'
import { guards } from '../../../../webhooks/tars/guards/kind.ts'
import { at } from '../../../support/builders/trees.ts'

describe('the guards meet the API server as tars.md 2.1 says', () => {
  it('at one door, which lets all pass while nobody answers', () => {
    const [validating] = configurations(guards, { namespace: 'tars-system', kubeMinor: 36 })
    const ruleOf = (apiGroup: string, plural: string) => ({
      apiGroups: [apiGroup],
      apiVersions: ['v1'],
      operations: ['CREATE', 'UPDATE'],
      resources: [plural],
      scope: 'Namespaced',
    })
    expect(at(validating, 'webhooks')).toEqual([
      {
        name: 'guard.tars.io',
        admissionReviewVersions: ['v1'],
        clientConfig: {
          service: { namespace: 'tars-system', name: 'tars-webhook-service', path: '/validating', port: 443 },
        },
        failurePolicy: 'Ignore',
        matchConditions: [
          {
            name: 'not-the-controller',
            expression: "request.userInfo.username != 'system:serviceaccount:tars-system:tars-controller'",
          },
        ],
        matchPolicy: 'Exact',
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'tars-system'] },
          ],
        },
        objectSelector: {
          matchExpressions: [
            { key: 'tars.io/ServerApp', operator: 'Exists' },
            { key: 'tars.io/ServerName', operator: 'Exists' },
          ],
        },
        sideEffects: 'None',
        timeoutSeconds: 5,
        rules: [ruleOf('', 'services'), ruleOf('apps', 'statefulsets'), ruleOf('apps', 'daemonsets')],
      },
    ])
  })

  it('and define nothing: the kinds are those of Kubernetes', () => {
    expect(crds({ kinds: guards })).toEqual([])
  })
})
