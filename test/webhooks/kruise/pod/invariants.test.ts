import { describe, expect, it } from 'vitest'
import { isTree } from '../../../../src/schema.ts'
import {
  admitted,
  type DaemonSetChange,
  named,
  ofContainer,
  type PodCase,
  type PodChange,
  recorded,
} from '../../../support/daemonset-pods.ts'

const specOf = async (spec: object, given?: PodCase) => (await admitted([{ spec }], given)).spec
const tolerating = (name: string, effect: string) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect })
const USUAL = [
  ...['not-ready', 'unreachable'].map((name) => tolerating(name, 'NoExecute')),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
    tolerating(name, 'NoSchedule'),
  ),
]
const ON_HOST = tolerating('network-unavailable', 'NoSchedule')

describe('what no patch may change stays as it was received', () => {
  const revision = 'controller-revision-hash'

  it('PATCH-POD-INV-1 the labels of the controller', async () => {
    const labels = { [revision]: 'x', 'pod-template-generation': null, tier: 'a' }
    const { result, sent } = await admitted([{ metadata: { labels } }])
    const before = isTree(sent) && isTree(sent.metadata) ? sent.metadata.labels : undefined
    expect(before).toHaveProperty(revision)
    expect(result).toHaveProperty('metadata.labels', { ...Object(before), tier: 'a' })
    const without = await admitted([{ metadata: { labels: { 'pod-template-generation': '1' } } }], { of: 'kruise' })
    expect(without.result).not.toHaveProperty('metadata.labels.pod-template-generation')
  })

  it('PATCH-POD-INV-1 the labels that its DaemonSet selects by, or it is refused', async () => {
    expect((await admitted([{ metadata: { labels: { app: 'other' } } }])).words).toMatch(
      /^422 Invalid: daemonset recorded\/native: node large-1: patched labels no longer match spec\.selector; .* \(PATCH-POD-30\)$/,
    )
    expect((await admitted([{ metadata: { labels: { app: 'agent' } } }])).words).toBe('allowed')
    const daemonSet: DaemonSetChange = ({ spec: { template }, ...each }) => ({ ...each, spec: { template } })
    expect((await admitted([{ metadata: { labels: { app: 7 } } }], { daemonSet })).words).toBe('allowed')
  })

  it('PATCH-POD-INV-2 tolerations of the controller come behind those of a patch', async () => {
    expect(recorded('native').pod.spec.tolerations).toEqual(USUAL)
    const own = { key: 'gpu', operator: 'Exists' }
    expect((await specOf({ tolerations: [own] })).tolerations).toEqual([own, ...USUAL])
    const [first, ...others] = USUAL
    expect((await specOf({ tolerations: [first, own] })).tolerations).toEqual([first, own, ...others])
    expect((await specOf({ tolerations: null })).tolerations).toEqual(USUAL)
    expect((await specOf({ hostPID: true })).tolerations).toEqual(USUAL)
  })

  it('PATCH-POD-INV-2 that for the host network goes by the host network of the result', async () => {
    expect((await specOf({ hostNetwork: true })).tolerations).toEqual([...USUAL, ON_HOST])
    expect((await specOf({ hostNetwork: false }, { of: 'kruise-host' })).tolerations).toEqual(USUAL)
    expect((await specOf({ tolerations: [] }, { of: 'kruise-host' })).tolerations).toEqual([...USUAL, ON_HOST])
    const daemonSet: DaemonSetChange = ({ spec, ...each }) => ({
      ...each,
      spec: {
        ...spec,
        template: { ...spec.template, spec: { ...Object(spec.template.spec), tolerations: [ON_HOST] } },
      },
    })
    expect((await specOf({ hostNetwork: false }, { of: 'kruise-host', daemonSet })).tolerations).toEqual([
      ...USUAL,
      ON_HOST,
    ])
  })

  it('PATCH-POD-INV-3 the readiness gates of OpenKruise, and no others', async () => {
    const gates = (...types: readonly string[]) => types.map((conditionType) => ({ conditionType }))
    const pod: PodChange = (each) => ({
      ...each,
      spec: { ...each.spec, readinessGates: gates('InPlaceUpdateReady', 'own', 'KruisePodReady') },
    })
    const patched = { readinessGates: gates('mine', 'KruisePodReady') }
    expect((await specOf(patched, { pod })).readinessGates).toEqual(
      gates('mine', 'KruisePodReady', 'InPlaceUpdateReady'),
    )
    expect((await specOf({ readinessGates: null }, { pod })).readinessGates).toEqual(
      gates('InPlaceUpdateReady', 'KruisePodReady'),
    )
    expect((await specOf(patched)).readinessGates).toEqual(gates('mine', 'KruisePodReady'))
  })

  it('PATCH-POD-INV-4 the Node, however it is named', async () => {
    const { affinity } = recorded('native').pod.spec
    const other = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } }
    for (const patched of [null, other, { nodeAffinity: null }, { $patch: 'delete' }])
      expect(await specOf({ affinity: patched, nodeName: 'other' })).toMatchObject({ affinity })
    expect(await specOf({ nodeName: 'other' })).not.toHaveProperty('nodeName')
    const bound: PodChange = ({ spec: { affinity: _, ...spec }, ...each }) => ({
      ...each,
      spec: { ...spec, nodeName: 'large-1' },
    })
    const result = await specOf({ nodeName: null, affinity: other }, { pod: bound })
    expect(result).toMatchObject({ nodeName: 'large-1' })
    expect(result).not.toHaveProperty('affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution')
    const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [] }
    expect((await specOf({ affinity: { podAffinity } })).affinity).toEqual({ ...Object(affinity), podAffinity })
  })

  it('PATCH-POD-INV-5 its names, its namespace and its owner', async () => {
    const { metadata } = recorded('native').pod
    const { generateName, namespace, ownerReferences } = metadata
    const patch = {
      metadata: {
        name: 'x',
        generateName: 'x-',
        namespace: 'x',
        ownerReferences: [{ uid: 'x' }],
        labels: { tier: 'a' },
      },
    }
    const { result } = await admitted([patch])
    expect(result).toMatchObject({ metadata: { generateName, namespace, ownerReferences, labels: { tier: 'a' } } })
    expect(result).not.toHaveProperty('metadata.name')
  })
})

describe('what derives from a patched value is derived again, of recorded pods', () => {
  it('PATCH-POD-INV-6 priority and preemption', async () => {
    expect(recorded('native').pod.spec).toMatchObject({ priority: 7, preemptionPolicy: 'Never' })
    const high = await specOf({ priorityClassName: 'high' })
    expect([high.priorityClassName, high.priority, high.preemptionPolicy]).toEqual(['high', undefined, undefined])
    expect(await specOf({ priorityClassName: 'low' })).toMatchObject({ priority: 7, preemptionPolicy: 'Never' })
  })
  it('PATCH-POD-INV-7 the overhead', async () => {
    const pod: PodChange = (each) => ({
      ...each,
      spec: { ...each.spec, runtimeClassName: 'runc', overhead: { cpu: 1 } },
    })
    expect(await specOf({ runtimeClassName: 'kata' }, { pod })).not.toHaveProperty('overhead')
    expect(await specOf({ hostPID: true }, { pod })).toHaveProperty('overhead', { cpu: 1 })
  })
  it('PATCH-POD-INV-8 the alias of the service account', async () => {
    expect(await specOf({ serviceAccountName: 'b' })).toMatchObject({ serviceAccountName: 'b', serviceAccount: 'b' })
    expect(await specOf({ hostPID: true })).toHaveProperty('serviceAccount', recorded('native').pod.spec.serviceAccount)
  })
  it('PATCH-POD-INV-9 the limit of an extended resource', async () => {
    const gpu = ofContainer('helper', { resources: { requests: { 'nvidia.com/gpu': 1 } } })
    const { spec } = await admitted([gpu])
    expect(named(spec.containers, 'helper').resources).toEqual({
      requests: { 'nvidia.com/gpu': 1 },
      limits: { 'nvidia.com/gpu': 1 },
    })
    expect(named(spec.containers, 'agent').resources).not.toHaveProperty('limits.nvidia.com/gpu')
  })
})
