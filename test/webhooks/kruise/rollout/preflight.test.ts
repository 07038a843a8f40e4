import { describe, expect, it } from 'vitest'
import { type Built, Refused } from '../../../../src/cluster/port.ts'
import { isStored } from '../../../../src/cluster/stored.ts'
import { Fault } from '../../../../src/faults.ts'
import { bypassIn, isToReplace } from '../../../../webhooks/kruise/rollout/preflight.ts'
import { aDaemonPod, aRollout, LARGE, MUTATING_CONFIGURATION, marked } from '../../../support/builders/rollouts.ts'
import { readerOf } from '../../../support/fakes/readers.ts'

const PODS = 'pods.daemonset-patches.kruise.io'
const selector = (...values: readonly string[]) => ({
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values }],
})
const configuration = (...webhooks: readonly object[]): Built => ({ ...MUTATING_CONFIGURATION, webhooks })
const [webhook] = MUTATING_CONFIGURATION.webhooks
const NAMESPACE = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'demo', labels: { 'kubernetes.io/metadata.name': 'demo' } },
}
const status = { status: 'Failure', code: 422, reason: 'Invalid', message: 'PATCH-V-02' } as const
const refusing = () => Promise.reject(new Refused(status))

/** With what the API server answers to the list that the webhook refuses. */
const bypassOf = (there: readonly Built[], dryRun: ReturnType<typeof readerOf>['dryRun'] = refusing) =>
  bypassIn('demo', { ...readerOf(...there), dryRun })

describe('PATCH-ROLL-9 a: before a pod is marked the webhook is seen to be in place', () => {
  it.each([
    { name: 'it is', there: [configuration({ ...webhook }), NAMESPACE], bypass: undefined },
    {
      name: 'it leaves out other namespaces',
      there: [configuration({ ...webhook, namespaceSelector: selector('far') }), NAMESPACE],
      bypass: undefined,
    },
    {
      name: 'it leaves this one out',
      there: [configuration({ ...webhook, namespaceSelector: selector('demo') }), NAMESPACE],
      bypass: `webhook ${PODS} is not asked for pods of namespace demo`,
    },
    { name: 'there is no configuration', there: [NAMESPACE], bypass: `webhook ${PODS} is not registered` },
    {
      name: 'it has another webhook',
      there: [configuration({ name: 'other' }), NAMESPACE],
      bypass: `webhook ${PODS} is not registered`,
    },
    {
      name: 'it has no authority',
      there: [configuration({ ...webhook, clientConfig: {} }), NAMESPACE],
      bypass: `webhook ${PODS} has no caBundle`,
    },
  ])('$name', async ({ there, bypass }) => {
    expect(await bypassOf(there)).toBe(bypass)
  })

  const there = [configuration({ ...webhook }), NAMESPACE]
  it.each([
    {
      name: 'a 500, as the API server gives where it cannot call it',
      cause: new Fault('CLUSTER_UNREACHABLE', 'answers 500'),
    },
    { name: 'a time-out', cause: new Fault('DEADLINE', 'too long') },
  ])('$name: it does not answer', async ({ cause }) => {
    expect(await bypassOf(there, () => Promise.reject(cause))).toBe('the webhook does not answer')
  })

  it.each([
    {
      name: 'for a lack of rights, which comes before it, says nothing of it',
      message: 'daemonsets.apps is forbidden: User "worker" cannot create resource "daemonsets" in API group "apps"',
      bypass: expect.stringContaining('the webhook cannot be asked: daemonsets.apps is forbidden'),
    },
    { name: 'of another webhook is an answer', message: 'admission webhook "x" denied the request', bypass: undefined },
  ])('a refusal $name', async ({ message, bypass }) => {
    const refused = new Refused({ status: 'Failure', code: 403, reason: 'Forbidden', message })
    expect(await bypassOf(there, () => Promise.reject(refused))).toEqual(bypass)
  })

  it('a list that passes, since rules only warn here, is an answer', async () => {
    const trials: Built[] = []
    const taking = async (_: unknown, object: Built) => {
      trials.push(object)
      if (!isStored(object)) throw new Error('no object')
      return object
    }
    expect(await bypassOf(there, taking)).toBeUndefined()
    expect(trials).toMatchObject([
      { metadata: { namespace: 'demo', annotations: { 'daemonset.kruise.io/patches': 'none' } } },
    ])
  })

  it.each([
    { name: 'a stale pod', pod: aDaemonPod(), asked: true },
    { name: 'not a current one', pod: aDaemonPod({ by: [LARGE] }), asked: false },
    { name: 'not one that is marked', pod: marked(aDaemonPod()), asked: false },
    { name: 'not one that has ended', pod: aDaemonPod({ status: { phase: 'Failed' } }), asked: false },
    { name: 'not one of an unknown Node', pod: aDaemonPod({ node: 'gone' }), asked: false },
  ])('it is asked for $name', ({ pod, asked }) => {
    expect(aRollout({ pods: [pod] }).pods.some(isToReplace)).toBe(asked)
  })
})
