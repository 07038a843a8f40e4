import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { podProblems } from '../../../../webhooks/kruise/template/pod.ts'

const container = (fields: Tree) => ({ name: 'agent', image: 'agent:1', ...fields })
const pod = (spec: Tree, metadata: Tree = {}) => ({ metadata, spec: { containers: [container({})], ...spec } })
const holding = (fields: Tree, spec: Tree = {}) => pod({ containers: [container(fields)], ...spec })
const env = (fields: Tree) => holding({ env: [{ name: 'a', ...fields }] })
const volume = (fields: Tree) => pod({ volumes: [{ name: 'a', ...fields }] })
const mounting = (paths: readonly string[], spec: Tree = { volumes: [{ name: 'a' }] }) =>
  holding({ volumeMounts: paths.map((mountPath) => ({ name: 'a', mountPath })) }, spec)
const ports = (list: readonly Tree[], spec: Tree = {}) => holding({ ports: list }, spec)
const limited = (requests: Tree, limits: Tree) => holding({ resources: { requests, limits } })
const two = (list: string, one: Tree, other: Tree) => pod({ [list]: [one, other] })

const A = 'spec containers 0'
const AMONG_OTHERS = 'must equal containerPort, for the pod is in the network of its node'
const rows = [
  {
    name: 'has a container',
    bad: pod({ containers: [] }),
    good: pod({}),
    found: 'spec containers: a pod has at least one container',
  },
  {
    name: 'names are DNS labels',
    bad: pod({ containers: [container({ name: 'a_b' })] }),
    good: pod({ containers: [container({ name: 'a-b' })] }),
    found: `${A} name: must be a DNS label of at most 63 characters`,
  },
  {
    name: 'names are unique, init containers included',
    bad: pod({ initContainers: [container({})] }),
    good: pod({ initContainers: [container({ name: 'b' })] }),
    found: 'spec containers 0 name: another container has this name',
  },
  {
    name: 'a container has an image',
    bad: holding({ image: ' ' }),
    good: holding({ image: 'b' }),
    found: `${A} image: a container needs an image`,
  },
  {
    name: 'SMP-TRAP-1 a variable has value or valueFrom',
    bad: env({ value: 'b', valueFrom: {} }),
    good: env({ value: '', valueFrom: {} }),
    found: `${A} env 0: has both value and valueFrom; the patch sets the other to null, or names one in $retainKeys`,
  },
  {
    name: 'SMP-TRAP-3 a volume has one source',
    bad: volume({ emptyDir: {}, hostPath: {} }),
    good: volume({}),
    found: 'spec volumes 0: has emptyDir and hostPath; a patch of another source names it in $retainKeys',
  },
  {
    name: 'volumes have names of their own',
    bad: two('volumes', { name: 'a' }, { name: 'a' }),
    good: two('volumes', { name: 'a' }, { name: 'b' }),
    found: 'spec volumes 1 name: another volume has this name',
  },
  {
    name: 'SMP-TRAP-3 a probe has one handler',
    bad: holding({ livenessProbe: { exec: {}, grpc: {} } }),
    good: holding({ livenessProbe: { exec: {} } }),
    found: `${A} livenessProbe: has exec and grpc; a patch of another handler says $patch: replace`,
  },
  {
    name: 'a hook has a handler',
    bad: holding({ lifecycle: { preStop: {} } }),
    good: holding({ lifecycle: { preStop: { sleep: {} } } }),
    found: `${A} lifecycle preStop: needs a handler`,
  },
  {
    name: 'a mount names a volume',
    bad: mounting(['/a'], {}),
    good: mounting(['/a']),
    found: `${A} volumeMounts 0 name: no volume is named "a"`,
  },
  {
    name: 'a path is mounted once',
    bad: mounting(['/a', '/a']),
    good: mounting(['/a', '/b']),
    found: `${A} volumeMounts 1 mountPath: another volume is mounted here`,
  },
  {
    name: 'a port is in range',
    bad: ports([{ containerPort: 65_536 }]),
    good: ports([{ containerPort: 65_535 }]),
    found: `${A} ports 0 containerPort: must be between 1 and 65535`,
  },
  {
    name: 'a port of the host is in range',
    bad: ports([{ containerPort: 1, hostPort: -1 }]),
    good: ports([{ containerPort: 1, hostPort: 0 }]),
    found: `${A} ports 0 hostPort: must be between 1 and 65535`,
  },
  {
    name: 'ports have names of their own',
    bad: ports([
      { containerPort: 1, name: 'a' },
      { containerPort: 2, name: 'a' },
    ]),
    good: ports([{ containerPort: 1 }, { containerPort: 2 }]),
    found: `${A} ports 1 name: another port has this name`,
  },
  {
    name: 'in the network of the host both ports are one',
    bad: ports([{ containerPort: 1, hostPort: 2 }], { hostNetwork: true }),
    good: ports([{ containerPort: 1, hostPort: 2 }]),
    found: `${A} ports 0 hostPort: ${AMONG_OTHERS}`,
  },
  {
    name: 'or that of the host is left out',
    bad: ports([{ containerPort: 1, hostPort: 2 }], { hostNetwork: true }),
    good: ports([{ containerPort: 1 }, { containerPort: 2, hostPort: 2 }], { hostNetwork: true }),
    found: `${A} ports 0 hostPort: ${AMONG_OTHERS}`,
  },
  {
    name: 'a request is within its limit',
    bad: limited({ cpu: '1.5' }, { cpu: '1' }),
    good: limited({ cpu: '1000m' }, { cpu: 1 }),
    found: `${A} resources requests cpu: must be at most the limit of cpu`,
  },
  {
    name: 'it restarts always',
    bad: pod({ restartPolicy: 'Never' }),
    good: pod({ restartPolicy: 'Always' }),
    found: 'spec restartPolicy: must be Always in a DaemonSet',
  },
  {
    name: 'labels have values of labels',
    bad: pod({}, { labels: { a: 7 } }),
    good: pod({}, { labels: { a: '7' } }),
    found: 'metadata labels a: expected a string',
  },
  {
    name: 'annotations are texts',
    bad: pod({}, { annotations: { A: 7 } }),
    good: pod({}, { annotations: { A: '7 ä' } }),
    found: 'metadata annotations A: expected a string',
  },
  {
    name: 'annotations have 256 KiB',
    bad: pod({}, { annotations: { a: 'b'.repeat(262_144) } }),
    good: pod({}, { annotations: { a: 'b'.repeat(262_143) } }),
    found: 'metadata annotations: must have at most 262144 bytes',
  },
]

const shown = (template: Tree) => podProblems(template).map(({ at, text }) => `${at.join(' ')}: ${text}`)

describe('PATCH-V-18 of a pod template', () => {
  it.each(rows)('$name', ({ bad, good, found }) => {
    expect(shown(bad)).toEqual([found])
    expect(shown(good)).toEqual([])
  })

  it('nothing is thrown by what no API server stores', () => {
    const odd = [7, null, 'x', [], { env: 7, ports: [null], resources: [], lifecycle: 'x', livenessProbe: 7 }]
    expect(() =>
      podProblems({ metadata: 7, spec: { containers: odd, volumes: odd, initContainers: {} } }),
    ).not.toThrow()
    expect(shown({ spec: null })).toEqual(['spec containers: a pod has at least one container'])
  })
})
