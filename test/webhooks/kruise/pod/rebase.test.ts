import { describe, expect, it } from 'vitest'
import {
  admitted,
  type DaemonSetChange,
  named,
  ofContainer,
  type PodCase,
  type PodChange,
  recorded,
} from '../../../support/daemonset-pods.ts'

const GPU = { resources: { limits: { cpu: 2 } } }

describe('values derived from the template go where a patch touches what they came from', () => {
  const container = async (patch: object, given?: PodCase, name = 'agent') =>
    named((await admitted([patch], given)).spec.containers, name)

  it.each(['native', 'kruise'] as const)('PATCH-POD-RB-1 requests filled from limits, of a pod of %s', async (of) => {
    expect(named(recorded(of).pod.spec.containers, 'agent').resources).toHaveProperty('requests.cpu', '500m')
    expect((await container(ofContainer('agent', GPU), { of })).resources).toEqual({
      limits: { cpu: 2, memory: '64Mi' },
    })
    expect((await container(ofContainer('agent', { image: 'x:2' }), { of })).resources).toHaveProperty(
      'requests.cpu',
      '500m',
    )
  })

  it.each(['native', 'kruise'] as const)('PATCH-POD-RB-1 what a LimitRange added, of a pod of %s', async (of) => {
    const arrived = { limits: { memory: '32Mi' }, requests: { cpu: '10m', memory: '32Mi' } }
    expect(named(recorded(of).pod.spec.containers, 'helper').resources).toEqual(arrived)
    expect((await container(ofContainer('helper', GPU), { of }, 'helper')).resources).toEqual({ limits: { cpu: 2 } })
    expect((await container(ofContainer('agent', GPU), { of }, 'helper')).resources).toEqual(arrived)
    const initial = { spec: { initContainers: [{ name: 'setup', ...GPU }] } }
    expect(named((await admitted([initial], { of })).spec.initContainers, 'setup').resources).toEqual({
      limits: { cpu: 2 },
    })
  })

  it('PATCH-POD-RB-1 a container of another webhook keeps its own', async () => {
    const injected = { name: 'injected', image: 'i', resources: { requests: { cpu: 1 } } }
    const pod: PodChange = (each) => ({ ...each, spec: { ...each.spec, containers: [injected] } })
    expect((await container(ofContainer('injected', GPU), { pod }, 'injected')).resources).toEqual({
      limits: { cpu: 2 },
      requests: { cpu: 1 },
    })
  })

  it('PATCH-POD-RB-2 resources of the pod go with those of a container, unless the template has them', async () => {
    const resources = { limits: { cpu: 9 } }
    const pod: PodChange = (each) => ({ ...each, spec: { ...each.spec, resources } })
    expect((await admitted([ofContainer('agent', GPU)], { pod })).spec).not.toHaveProperty('resources')
    expect((await admitted([ofContainer('agent', { image: 'x:2' })], { pod })).spec).toHaveProperty(
      'resources',
      resources,
    )
    const daemonSet: DaemonSetChange = ({ spec, ...each }) => ({
      ...each,
      spec: { ...spec, template: { ...spec.template, spec: { ...Object(spec.template.spec), resources } } },
    })
    expect((await admitted([ofContainer('agent', GPU)], { pod, daemonSet })).spec).toHaveProperty(
      'resources',
      resources,
    )
  })

  it('PATCH-POD-RB-3 the pull policy of another image, unless the template says it', async () => {
    const image = { image: 'registry.example/agent' }
    expect(await container(ofContainer('agent', image), { of: 'kruise' })).not.toHaveProperty('imagePullPolicy')
    expect(
      await container(ofContainer('agent', { image: 'x', imagePullPolicy: 'Never' }), { of: 'kruise' }),
    ).toHaveProperty('imagePullPolicy', 'Never')
    expect(await container(ofContainer('agent', GPU), { of: 'kruise' })).toHaveProperty(
      'imagePullPolicy',
      'IfNotPresent',
    )
    expect(await container(ofContainer('agent', image), { of: 'native' })).toHaveProperty(
      'imagePullPolicy',
      'IfNotPresent',
    )
  })

  it('PATCH-POD-RB-4 host ports where the host network changes, unless the template has them', async () => {
    const port = (hostPort?: number) => [{ containerPort: 9100, protocol: 'TCP', ...(hostPort && { hostPort }) }]
    const off = { spec: { hostNetwork: false } }
    expect(named(recorded('kruise-host').pod.spec.containers, 'agent').ports).toEqual(port(9100))
    expect((await container(off, { of: 'kruise-host' })).ports).toEqual(port())
    expect((await container({ spec: { hostPID: true } }, { of: 'kruise-host' })).ports).toEqual(port(9100))
    expect((await container(off, { of: 'native-host' })).ports).toEqual(port())
    const ports = ofContainer('agent', { ports: port(9100) })
    const daemonSet: DaemonSetChange = ({ spec, ...each }) => ({ ...each, spec: { ...spec, template: ports } })
    expect((await container(off, { of: 'native-host', daemonSet })).ports).toEqual(port(9100))
  })

  it('PATCH-POD-RB-5 the emptyDir of a volume without a source, where a patch brings one', async () => {
    const volume = async (more: object, of: PodCase['of'] = 'kruise') =>
      named((await admitted([{ spec: { volumes: [{ name: 'scratch', ...more }] } }], { of })).spec.volumes, 'scratch')
    const hostPath = { path: '/scratch' }
    expect(await volume({ hostPath })).toEqual({ name: 'scratch', hostPath })
    expect(await volume({ emptyDir: { medium: 'Memory' } })).toEqual({
      name: 'scratch',
      emptyDir: { medium: 'Memory' },
    })
    expect(await volume({})).toEqual({ name: 'scratch', emptyDir: {} })
    expect(await volume({ hostPath }, 'native')).toEqual({ name: 'scratch', hostPath, emptyDir: {} })
  })

  it('PATCH-POD-RB-6 the pull secrets of the old service account, unless template or patch have some', async () => {
    const field = 'imagePullSecrets'
    expect(recorded('native').pod.spec).toHaveProperty(field, [{ name: 'pull' }])
    expect((await admitted([{ spec: { serviceAccountName: 'b' } }])).spec).not.toHaveProperty(field)
    const brings = { spec: { serviceAccountName: 'b', [field]: [{ name: 'other' }] } }
    expect((await admitted([brings])).spec).toHaveProperty(field, [{ name: 'other' }, { name: 'pull' }])
    expect((await admitted([{ spec: { hostPID: true } }])).spec).toHaveProperty(field, [{ name: 'pull' }])
  })

  it('and what no patch touches stays as it arrived', async () => {
    const { patch } = await admitted([{ spec: { hostPID: true } }])
    const paths = Array.isArray(patch) ? patch.map(({ op, path }) => `${op} ${path}`) : []
    const stamps = ['patch-combined-hash', 'applied-patches', 'patched-template-hash']
    expect(paths).toEqual([
      ...stamps.map((key) => `add /metadata/annotations/daemonset.kruise.io~1${key}`),
      'add /spec/hostPID',
    ])
  })
})
