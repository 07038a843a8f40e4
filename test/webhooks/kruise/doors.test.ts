import { describe, expect, it } from 'vitest'
import { configurations } from '../../../src/print/configurations.ts'
import { settingsOf } from '../../../src/setting.ts'
import { MUTATE_SPEC, mutatePods, VALIDATE } from '../../../webhooks/kruise/doors.ts'
import { aKind } from '../../support/builders/gadgets.ts'
import { at, treesOf } from '../../support/builders/trees.ts'

const printed = (settings = {}, kubeMinor = 30) => {
  const kind = aKind({ doors: [VALIDATE, MUTATE_SPEC, mutatePods(settingsOf(settings))] })
  return configurations([kind], { namespace: 'ns', kubeMinor })
}
const webhook = (name: string, ...how: Parameters<typeof printed>) =>
  printed(...how)
    .flatMap(({ webhooks }) => treesOf(webhooks))
    .find((each) => each.name === name)
const PODS = 'pods.daemonset-patches.kruise.io'
const notIn = (values: readonly string[]) => ({
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values }],
})

describe('the doors of node patches', () => {
  it('stand in two configurations, whose names sort before those of other injectors (PATCH-POD-19)', () => {
    const names = printed().map(({ metadata, webhooks }) => [at(metadata, 'name'), treesOf(webhooks).map(nameOf)])
    expect(names).toEqual([
      ['daemonset-patches-mutator', ['spec.daemonset-patches.kruise.io', PODS]],
      ['daemonset-patches-validator', ['daemonset-patches.kruise.io']],
    ])
    const others = ['istio-sidecar-injector', 'kruise-mutating-webhook-configuration', 'vpa-webhook-config']
    for (const other of others) expect('daemonset-patches-mutator' < other).toBe(true)
  })

  it.each([
    { name: 'daemonset-patches.kruise.io', path: '/validate-daemonset-patches', policy: 'Fail', seconds: 5 },
    { name: 'spec.daemonset-patches.kruise.io', path: '/mutate-daemonset-patches', policy: 'Ignore', seconds: 2 },
    { name: PODS, path: '/mutate-daemonset-pods', policy: 'Ignore', seconds: 2 },
  ])('$name waits $seconds s, then $policy (PATCH-POD-33)', ({ name, path, policy, seconds }) => {
    const found = webhook(name)
    expect(found).toMatchObject({ failurePolicy: policy, timeoutSeconds: seconds, admissionReviewVersions: ['v1'] })
    expect(at(found, 'clientConfig.service.path')).toBe(path)
    expect(found).toMatchObject({ sideEffects: name === PODS ? 'NoneOnDryRun' : 'None', matchPolicy: 'Equivalent' })
    expect(found).not.toHaveProperty('reinvocationPolicy')
  })

  it('meets pods as they are created, and at no other time (PATCH-POD-1)', () => {
    expect(treesOf(webhook(PODS)?.rules)).toMatchObject([{ operations: ['CREATE'], scope: 'Namespaced' }])
    expect(at(treesOf(webhook(PODS)?.rules)[0], 'resources')).toEqual(['gadgets'])
  })

  it('asks only for pods of a DaemonSet, where the API server can tell (PATCH-POD-2)', () => {
    const expression =
      "has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(r, has(r.controller) && r.controller && r.kind == 'DaemonSet' && (r.apiVersion.startsWith('apps/') || r.apiVersion.startsWith('apps.kruise.io/')))"
    expect(webhook(PODS)?.matchConditions).toEqual([{ name: 'owned-by-daemonset', expression }])
    expect(webhook(PODS, {}, 29)).not.toHaveProperty('matchConditions')
  })

  it.each([
    { given: {}, policy: 'Ignore', values: ['ns'] },
    { given: { excludedNamespaces: ['quiet', 'ns'] }, policy: 'Ignore', values: ['quiet', 'ns'] },
    { given: { podsWebhookFailurePolicy: 'Fail' }, policy: 'Fail', values: ['kube-system', 'ns'] },
    {
      given: { podsWebhookFailurePolicy: 'Fail', excludedNamespaces: ['quiet'] },
      policy: 'Fail',
      values: ['kube-system', 'quiet', 'ns'],
    },
  ])('leaves out $values under $policy (PATCH-POD-3)', ({ given, policy, values }) => {
    const found = webhook(PODS, given)
    expect(found).toMatchObject({ failurePolicy: policy, namespaceSelector: notIn(values) })
    expect(found).not.toHaveProperty('objectSelector')
  })

  it('validate DaemonSets of every namespace that have patches, or had', () => {
    const found = webhook('daemonset-patches.kruise.io')
    expect(found).not.toHaveProperty('namespaceSelector')
    expect(treesOf(found?.rules)).toMatchObject([{ operations: ['CREATE', 'UPDATE'] }])
    expect(at(treesOf(found?.matchConditions)[0], 'expression')).toBe(
      "[object, oldObject].exists(o, o != null && ((has(o.metadata.annotations) && 'daemonset.kruise.io/patches' in o.metadata.annotations) || (has(o.spec) && has(o.spec.patches))))",
    )
  })
})

const nameOf = ({ name }: { readonly name?: unknown }) => name
