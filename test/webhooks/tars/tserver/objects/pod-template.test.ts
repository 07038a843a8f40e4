import { describe, expect, it } from 'vitest'
import { aRelease } from '../../../../support/builders/servers.ts'
import { containerOf, podSpecOf, templateOf } from '../../../../support/mapped.ts'

const BOTH = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }
const CONFIG = {
  metadata: { name: 'tars-framework', namespace: 'demo' },
  nodeImage: { image: 'tarsnode:v7', secret: 'of-config' },
}
const NORMAL = { normal: [] } as const

describe('MP-11 the metadata of the pods', () => {
  it.each([
    { name: 'both labels without a release', wishes: {}, labels: BOTH },
    {
      name: 'and the id of the release',
      wishes: { release: aRelease() },
      labels: { ...BOTH, 'tars.io/ServerID': 'r1' },
    },
  ])('$name, no name and no annotations', ({ wishes, labels }) => {
    expect(templateOf({ ...wishes, annotations: { a: 'b' } })).toMatchObject({ metadata: { labels } })
    expect(Object.keys(Object(Object(templateOf(wishes)).metadata))).toEqual(['labels'])
  })
})

describe('MP-12 the fixed fields of the pods', () => {
  it.each([
    { k8s: {}, spec: { hostNetwork: false, hostIPC: false, dnsPolicy: 'ClusterFirst' } },
    { k8s: { hostNetwork: true }, spec: { hostNetwork: true, hostIPC: false, dnsPolicy: 'ClusterFirstWithHostNet' } },
    { k8s: { hostIPC: true }, spec: { hostNetwork: false, hostIPC: true, dnsPolicy: 'ClusterFirst' } },
  ])('$k8s', ({ k8s, spec }) => {
    const options = [{ name: 'ndots', value: '2' }]
    const fixed = { restartPolicy: 'Always', enableServiceLinks: false, dnsConfig: { options } }
    expect(templateOf({ k8s })).toMatchObject({ spec: { ...fixed, ...spec } })
  })
  it('the service account stands in both fields, or in none', () => {
    expect(templateOf({ k8s: { serviceAccount: 'echo' } })).toMatchObject({
      spec: { serviceAccountName: 'echo', serviceAccount: 'echo' },
    })
    for (const k8s of [{}, { serviceAccount: '' }]) {
      expect(podSpecOf('serviceAccount', { k8s })).toBeUndefined()
      expect(podSpecOf('serviceAccountName', { k8s })).toBeUndefined()
    }
  })
  it('there are no probes', () => expect(JSON.stringify(templateOf({ release: aRelease() }))).not.toContain('Probe'))
})

describe('MP-13 TE-R5 the readiness gates', () => {
  it.each([
    { name: 'tars', wishes: {}, gates: ['tars.io/active'] },
    { name: 'tars without', wishes: { k8s: { readinessGate: '' } }, gates: ['tars.io/active'] },
    { name: 'tars with its own', wishes: { k8s: { readinessGate: 'a.b/c' } }, gates: ['a.b/c', 'tars.io/active'] },
    { name: 'normal', wishes: NORMAL, gates: undefined },
    { name: 'normal, empty', wishes: { ...NORMAL, k8s: { readinessGate: '' } }, gates: undefined },
    { name: 'normal with its own', wishes: { ...NORMAL, k8s: { readinessGate: 'a.b/c' } }, gates: ['a.b/c'] },
  ])('$name', ({ wishes, gates }) => {
    expect(podSpecOf('readinessGates', wishes)).toEqual(gates?.map((conditionType) => ({ conditionType })))
  })
})

describe('MP-14 the Secrets of the images', () => {
  const released = (release: object, rest: object = {}) => ({ release: aRelease(release), ...rest })
  it.each([
    { name: 'none without a release', wishes: {}, config: CONFIG, names: undefined },
    { name: 'none where none is given', wishes: released({}), names: undefined },
    { name: 'that of the release first', wishes: released({ secret: 'a', nodeSecret: 'b' }), names: ['a', 'b'] },
    { name: 'two equal ones are one', wishes: released({ secret: 'a', nodeSecret: 'a' }), names: ['a'] },
    { name: 'empty ones are none', wishes: released({ secret: '', nodeSecret: '' }), names: undefined },
    {
      name: 'the node agent’s may come from the configuration',
      wishes: released({ secret: 'a', nodeSecret: '' }),
      config: CONFIG,
      names: ['a', 'of-config'],
    },
    {
      name: 'a normal server has no node agent',
      wishes: released({ secret: 'a', nodeSecret: 'b' }, NORMAL),
      config: CONFIG,
      names: ['a'],
    },
  ])('$name', ({ wishes, config, names }) => {
    expect(podSpecOf('imagePullSecrets', wishes, { config })).toEqual(names?.map((name) => ({ name })))
  })
})

const FIELDS = [
  { name: 'Namespace', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
  { name: 'PodName', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  { name: 'PodIP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
  { name: 'ServerApp', value: 'Demo' },
  { name: 'ServerName', value: 'Echo' },
]
const agent = (image: string, ...more: readonly object[]) => ({
  name: 'tarsnode',
  image,
  imagePullPolicy: 'Always',
  env: [...FIELDS, ...more],
  volumeMounts: [{ name: 'tarsnode-work-dir', mountPath: '/usr/local/app/tars/tarsnode' }],
})

describe('MP-16 the init containers', () => {
  it('a normal server has none', () => expect(podSpecOf('initContainers', NORMAL)).toBeUndefined())
  it('a tars server has the node agent alone', () => {
    expect(podSpecOf('initContainers', { release: aRelease() })).toEqual([agent('registry.example/tars/tarsnode:v1')])
  })
})

describe('MP-17 the node agent', () => {
  it.each([
    { name: 'its image is that of the release', wishes: { release: aRelease({ nodeImage: 'n:1' }) }, image: 'n:1' },
    { name: 'else of the configuration', wishes: { release: aRelease({ nodeImage: '' }) }, image: 'tarsnode:v7' },
    { name: 'also without a release', wishes: {}, image: 'tarsnode:v7' },
    { name: 'else a space', wishes: {}, config: { metadata: CONFIG.metadata }, image: ' ' },
    { name: 'and where there is no configuration', wishes: {}, config: undefined, image: ' ' },
  ])('$name', ({ wishes, image, ...around }) => {
    const { config } = { config: CONFIG, ...around }
    expect(podSpecOf('initContainers', wishes, { config })).toEqual([agent(image)])
  })
})

describe('MP-19 the launcher type', () => {
  const launched = (launcherType: string) => ({ k8s: { launcherType } })
  it.each([
    { launcherType: 'background', more: [] },
    { launcherType: 'foreground', more: [{ name: 'LauncherType', value: 'foreground' }] },
  ])('$launcherType is known to the node agent', ({ launcherType, more }) => {
    expect(podSpecOf('initContainers', launched(launcherType))).toEqual([agent(' ', ...more)])
  })
  it('and to nothing else', () => {
    const [one, other] = ['background', 'foreground'].map((launcherType) => containerOf('', launched(launcherType)))
    expect(one).toEqual(other)
  })
})

describe('MP-18 the main container', () => {
  it('without a release has the placeholder for an image', () => {
    expect(podSpecOf('containers', { ...NORMAL })).toEqual([
      {
        name: 'demo-echo',
        image: ' ',
        imagePullPolicy: 'Always',
        volumeMounts: [{ name: 'host-timezone', mountPath: '/etc/localtime' }],
      },
    ])
  })
  it('is copied from spec.k8s, with every empty value inside', () => {
    const k8s = {
      imagePullPolicy: 'Never',
      env: [
        { name: 'EMPTY', value: '' },
        { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      ],
      envFrom: [{ prefix: '', configMapRef: { name: 'a', optional: false } }],
      resources: { limits: {}, requests: { cpu: '0.5' } },
    }
    expect(podSpecOf('containers', { ...NORMAL, k8s, release: aRelease() })).toMatchObject([
      { image: 'registry.example/demo/echo:r1', ...k8s },
    ])
  })
  it.each(['env', 'envFrom', 'resources'])('an empty %s is left out', (field) => {
    const k8s = { [field]: field === 'resources' ? {} : [] }
    expect(containerOf(field, { k8s })).toBeUndefined()
  })
  it('of two variables of one name the last is written (WK-13)', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'B', value: '$(A)' },
      { name: 'A', value: '2' },
    ]
    expect(containerOf('env', { k8s: { env } })).toEqual(env.slice(1))
  })
})
