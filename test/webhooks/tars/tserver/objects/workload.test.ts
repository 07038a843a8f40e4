import { describe, expect, it } from 'vitest'
import { ANNOTATIONS as KRUISE } from '../../../../../webhooks/kruise/names.ts'
import { NODE_PATCHES } from '../../../../../webhooks/tars/names.ts'
import { aRelease } from '../../../../support/builders/servers.ts'
import { partOf, podSpecOf, templateOf, workloadOf } from '../../../../support/mapped.ts'

const BOTH = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }
const release = aRelease()

describe('the StatefulSet', () => {
  it('MP-6 governs the pods of both labels, under the Service of its name', () => {
    expect(workloadOf({})).toMatchObject({ spec: { serviceName: 'demo-echo', selector: { matchLabels: BOTH } } })
  })
  it.each([
    { name: 'none without a release', wishes: { k8s: { replicas: 3 } }, replicas: 0 },
    {
      name: 'none without a release, whatever the bounds',
      wishes: { k8s: { replicas: 3 }, annotations: { 'tars.io/MinReplicas': '2' } },
      replicas: 0,
    },
    { name: 'as many as asked for', wishes: { release, k8s: { replicas: 3 } }, replicas: 3 },
    { name: 'one where none are asked for', wishes: { release, k8s: { replicas: undefined } }, replicas: 1 },
    {
      name: 'no fewer than the lower bound',
      wishes: { release, annotations: { 'tars.io/MinReplicas': '2' } },
      replicas: 2,
    },
    {
      name: 'no more than the upper bound',
      wishes: { release, k8s: { replicas: 9 }, annotations: { 'tars.io/MaxReplicas': '4' } },
      replicas: 4,
    },
    {
      name: 'bounds that contradict each other are ignored',
      wishes: {
        release,
        k8s: { replicas: 9 },
        annotations: { 'tars.io/MinReplicas': '5', 'tars.io/MaxReplicas': '4' },
      },
      replicas: 9,
    },
  ])('MP-7 replicas: $name', ({ wishes, replicas }) => {
    expect(partOf('StatefulSet', '/spec/replicas', wishes)).toBe(replicas)
  })
  it.each([
    { k8s: {}, policy: 'Parallel' },
    { k8s: { podManagementPolicy: 'OrderedReady' }, policy: 'OrderedReady' },
  ])('MP-8 podManagementPolicy of $k8s is $policy', ({ k8s, policy }) => {
    expect(partOf('StatefulSet', '/spec/podManagementPolicy', { k8s })).toBe(policy)
  })
  it.each([
    { given: undefined, written: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
    { given: {}, written: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
    {
      given: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
      written: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
    },
    { given: { type: 'OnDelete', rollingUpdate: { partition: 0 } }, written: { type: 'OnDelete' } },
  ])('MP-9 (U-11) updateStrategy $given is written $written', ({ given, written }) => {
    expect(partOf('StatefulSet', '/spec/updateStrategy', { k8s: { updateStrategy: given } })).toEqual(written)
  })
  it.each([false, true])('MP-10 revisionHistoryLimit belongs to others, daemonSet: %s', (daemonSet) => {
    expect(workloadOf({ release, k8s: { daemonSet } })?.spec).not.toHaveProperty('revisionHistoryLimit')
  })
})

describe('the DaemonSet', () => {
  const onEachNode = { daemonSet: true }
  it('MP-40 has the selector and the template of a StatefulSet, but for the ability', () => {
    const k8s = { abilityAffinity: 'None', hostIPC: true }
    expect(workloadOf({ k8s: onEachNode })).toMatchObject({ spec: { selector: { matchLabels: BOTH } } })
    expect(templateOf({ release, k8s: { ...k8s, ...onEachNode } })).toEqual(templateOf({ release, k8s }))
  })
  it('MP-40, MP-42 has these fields and no others', () => {
    const spec: unknown = workloadOf({ k8s: onEachNode })?.spec
    expect(Object.keys(Object(spec)).sort()).toEqual(['minReadySeconds', 'selector', 'template', 'updateStrategy'])
    expect(spec).toMatchObject({ minReadySeconds: 3 })
  })
  it.each([
    { given: undefined, written: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } },
    {
      given: { rollingUpdate: { partition: 0 } },
      written: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    },
    {
      given: { rollingUpdate: { partition: 3 } },
      written: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } },
    },
    { given: { type: 'OnDelete', rollingUpdate: { partition: 3 } }, written: { type: 'OnDelete' } },
  ])('MP-41 updateStrategy $given is written $written', ({ given, written }) => {
    const k8s = { ...onEachNode, updateStrategy: given }
    expect(partOf('DaemonSet', '/spec/updateStrategy', { k8s })).toEqual(written)
  })
  it('MP-43 (D-34) fits no node before there is a release', () => {
    expect(podSpecOf('nodeSelector', { k8s: onEachNode })).toEqual({ 'tars.io/unreleased': 'true' })
    expect(podSpecOf('nodeSelector', { k8s: onEachNode, release })).toBeUndefined()
    expect(podSpecOf('nodeSelector', {})).toBeUndefined()
  })
})

describe('PATCH-API-4 node patches of a TServer', () => {
  const { list, source } = NODE_PATCHES
  const annotations = { [list]: '[]', other: 'x' }

  it('are on its DaemonSet, with a marker', () => {
    const wishes = { annotations, k8s: { daemonSet: true } }
    expect(partOf('DaemonSet', '/metadata/annotations', wishes)).toEqual({ [list]: '[]', [source]: 'tserver' })
  })

  it.each([
    { name: 'without them', kind: 'DaemonSet', wishes: { k8s: { daemonSet: true } } },
    {
      name: 'without them, whatever else there is',
      kind: 'DaemonSet',
      wishes: { k8s: { daemonSet: true }, annotations: { [source]: 'x' } },
    },
    { name: 'for a StatefulSet', kind: 'StatefulSet', wishes: { annotations } },
    { name: 'for a Service', kind: 'Service', wishes: { annotations } },
  ])('$name there are no annotations', ({ kind, wishes }) => {
    expect(partOf(kind, '/metadata/annotations', wishes)).toBeUndefined()
  })

  it('are named as family kruise names them', () => {
    expect([list, source]).toEqual([KRUISE.patches, KRUISE.source])
  })
})
