import { describe, expect, it } from 'vitest'
import type { Door } from '../../../src/admission/door.ts'
import { configurations, type Reach } from '../../../src/print/configurations.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aKind } from '../../support/builders/gadgets.ts'
import { treesOf } from '../../support/builders/trees.ts'

const DOOR: Door = {
  name: 'door.test',
  path: '/mutating',
  phase: 'mutate',
  operations: ['CREATE'],
  failurePolicy: 'Fail',
  timeoutSeconds: 10,
  sideEffects: 'None',
}
const BOLT = { ...GADGET, kind: 'Bolt', plural: 'bolts' }
const aDoor = (wishes: Partial<Door> = {}): Door => ({ ...DOOR, ...wishes })

/** The webhooks of both configurations, one kind a list of doors. */
function printed(doors: readonly (readonly Door[])[], reach: Partial<Reach> = {}) {
  const kinds = doors.map((each, at) => aKind({ doors: each, resource: at === 0 ? GADGET : BOLT }))
  const [mutating, validating] = configurations(kinds, { namespace: 'ns', kubeMinor: 30, ...reach })
  return { mutating: treesOf(mutating?.webhooks), validating: treesOf(validating?.webhooks) }
}

describe('a door is a webhook', () => {
  it('in the configuration of its phase', () => {
    const doors = [aDoor(), aDoor({ name: 'other.test', phase: 'validate', path: '/validating' })]
    const { mutating, validating } = printed([doors])
    expect([mutating, validating].map((each) => each.map(({ name }) => name))).toEqual([['door.test'], ['other.test']])
  })
  it('that says all that the door says', () => {
    expect(printed([[aDoor({ reinvocation: 'IfNeeded', sideEffects: 'NoneOnDryRun' })]]).mutating).toEqual([
      {
        name: 'door.test',
        admissionReviewVersions: ['v1'],
        clientConfig: { service: { namespace: 'ns', name: 'tars-webhook-service', path: '/mutating', port: 443 } },
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        sideEffects: 'NoneOnDryRun',
        timeoutSeconds: 10,
        reinvocationPolicy: 'IfNeeded',
        rules: [
          {
            apiGroups: ['test.tars.io'],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['gadgets'],
            scope: 'Namespaced',
          },
        ],
      },
    ])
  })
  it('of a subresource has a rule of it alone', () => {
    expect(printed([[aDoor({ subresource: 'scale' })]]).mutating[0]?.rules).toEqual([
      expect.objectContaining({ resources: ['gadgets/scale'] }),
    ])
  })
})

describe('doors of one name', () => {
  it('are one webhook, with a rule for each', () => {
    const { mutating } = printed([[aDoor()], [aDoor({ operations: ['CREATE', 'UPDATE'] })]])
    expect(mutating).toHaveLength(1)
    expect(treesOf(mutating[0]?.rules).map(({ resources, operations }) => [resources, operations])).toEqual([
      [['gadgets'], ['CREATE']],
      [['bolts'], ['CREATE', 'UPDATE']],
    ])
  })
  it.each([
    { name: 'path', other: { path: '/elsewhere' } },
    { name: 'policy', other: { failurePolicy: 'Ignore' } },
    { name: 'timeout', other: { timeoutSeconds: 5 } },
    { name: 'side effects', other: { sideEffects: 'NoneOnDryRun' } },
    { name: 'reinvocation', other: { reinvocation: 'IfNeeded' } },
    { name: 'match policy', other: { matchPolicy: 'Exact' } },
    { name: 'selector', other: { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } } },
    { name: 'namespaces', other: { exceptNamespaces: ['kube-system'] } },
    { name: 'configuration', other: { configuration: 'other' } },
    { name: 'conditions', other: { matchConditions: [{ name: 'a', expression: 'true' }] } },
    { name: 'callers', other: { exceptOurselves: true } },
    { name: 'controllers', other: { exceptController: true } },
  ] satisfies { name: string; other: Partial<Door> }[])('that differ in their $name are refused', ({ other }) => {
    expect(() => printed([[aDoor()], [aDoor(other)]])).toThrow(
      'the doors named door.test differ in more than their rules',
    )
  })
})

describe('a door that is narrower', () => {
  const webhook = (wishes: Partial<Door>, reach: Partial<Reach> = {}) => printed([[aDoor(wishes)]], reach).mutating[0]

  it('is not, unless it says so', () => {
    for (const word of ['objectSelector', 'namespaceSelector', 'matchConditions'])
      expect(webhook({})).not.toHaveProperty(word)
    expect(webhook({})).toHaveProperty('matchPolicy', 'Equivalent')
  })

  it('selects objects by their labels', () => {
    const objectSelector = { matchExpressions: [{ key: 'tars.io/ServerApp', operator: 'Exists' }] } as const
    expect(webhook({ objectSelector })).toHaveProperty('objectSelector', objectSelector)
  })

  it.each([
    { namespace: 'ns', values: ['kube-system', 'ns'] },
    { namespace: 'kube-system', values: ['kube-system'] },
  ])('leaves out the system and ourselves in $namespace: they start without us (SV-13)', ({ namespace, values }) => {
    expect(webhook({ exceptNamespaces: ['kube-system'] }, { namespace })).toHaveProperty('namespaceSelector', {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values }],
    })
  })

  it.each([
    { kubeMinor: 30, is: 'leaves out what we write ourselves (SV-13)' },
    { kubeMinor: 29, is: 'is asked of it where the API server would refuse the field' },
  ])('on Kubernetes 1.$kubeMinor $is', ({ kubeMinor }) => {
    const expression = "request.userInfo.username != 'system:serviceaccount:ns:tars-webhook'"
    const expected = kubeMinor === 30 ? [{ name: 'not-ourselves', expression }] : undefined
    expect(webhook({ exceptOurselves: true }, { kubeMinor })?.matchConditions).toEqual(expected)
  })

  it('leaves out what the controller writes', () => {
    const account = (name: string) => `request.userInfo.username != 'system:serviceaccount:ns:${name}'`
    const controller = { name: 'not-the-controller', expression: account('tars-controller') }
    const ourselves = { name: 'not-ourselves', expression: account('tars-webhook') }
    expect(webhook({ exceptController: true })?.matchConditions).toEqual([controller])
    const both = webhook({ exceptController: true, exceptOurselves: true })
    expect(both?.matchConditions).toEqual([ourselves, controller])
  })

  it('selects namespaces, and the system still stays out', () => {
    const namespaceSelector = { matchExpressions: [{ key: 'patched', operator: 'DoesNotExist' }] } as const
    const system = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'ns'] }
    expect(webhook({ namespaceSelector })).toHaveProperty('namespaceSelector', namespaceSelector)
    expect(webhook({ namespaceSelector, exceptNamespaces: ['kube-system'] })).toHaveProperty('namespaceSelector', {
      matchExpressions: [...namespaceSelector.matchExpressions, system],
    })
  })

  it('asks further conditions behind those about callers', () => {
    const patched = { name: 'patched', expression: 'has(object.spec.patches)' }
    expect(webhook({ matchConditions: [patched] })?.matchConditions).toEqual([patched])
    const both = webhook({ matchConditions: [patched], exceptOurselves: true })?.matchConditions
    expect(both).toEqual([expect.objectContaining({ name: 'not-ourselves' }), patched])
    expect(webhook({ matchConditions: [patched] }, { kubeMinor: 29 })).not.toHaveProperty('matchConditions')
  })

  it('takes the version that it names alone', () => {
    expect(webhook({ matchPolicy: 'Exact' })).toHaveProperty('matchPolicy', 'Exact')
  })
})

describe('how we are reached', () => {
  const clientConfig = (reach: Partial<Reach>) => printed([[aDoor()]], reach).mutating[0]?.clientConfig
  it('by URL, where one is given', () => {
    expect(clientConfig({ webhookUrl: 'https://a:1/below' })).toEqual({ url: 'https://a:1/below/mutating' })
  })
  it('with the CA in base64, where one is given', () => {
    expect(clientConfig({ ca: 'PEM' })).toMatchObject({ caBundle: 'UEVN' })
  })
})
