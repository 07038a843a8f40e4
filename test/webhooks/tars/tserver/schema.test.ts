import { describe, expect, it } from 'vitest'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { aMount, aPort, aRelease, aServant, aTServer, SOURCES } from '../../../support/builders/servers.ts'
import { at } from '../../../support/builders/trees.ts'
import { clusterOf } from '../../../support/clusters.ts'

const claim = { ...SOURCES.persistentVolumeClaimTemplate.spec, volumeMode: 'Block' }
const file = { key: 'a', path: 'b', mode: 0 }
const sources = {
  ...SOURCES,
  configMap: { name: 'a', items: [file], defaultMode: 0, optional: false },
  secret: { secretName: 'a', items: [file], defaultMode: 0, optional: false },
  emptyDir: { medium: '', sizeLimit: '1Gi' },
  persistentVolumeClaimTemplate: { metadata: { labels: { a: 'b' }, annotations: { a: 'b c' } }, spec: claim },
  tLocalVolume: { uid: '0', gid: '0', mode: '755' },
}
const KINDS = ['configMap', 'secret', 'emptyDir', 'hostPath', 'persistentVolumeClaim'] as const
const CLAIMS = ['persistentVolumeClaimTemplate', 'tLocalVolume'] as const
const mounts = [...KINDS, ...CLAIMS].map((of, i) =>
  aMount({ name: `m${i}`, source: { [of]: sources[of] }, subPath: 'a', readOnly: true, mountPropagation: 'None' }),
)

/** Every field of tars.md 3.2 is there. */
const whole = {
  ...aTServer({
    servants: [
      aServant({ thread: 3, capacity: 1, connection: 1, timeout: 1, isTars: true, isTcp: true }),
      aServant({ name: 'OtherObj', port: 10_001 }),
    ],
    ports: [aPort({ isTcp: false })],
    release: aRelease({ secret: 'pull', nodeSecret: 'pull' }),
    k8s: {
      env: [
        { name: 'A', value: '' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: 1 } } },
        { name: 'D', valueFrom: { configMapKeyRef: { name: 'a', key: 'b', optional: false } } },
        { name: 'E', valueFrom: { secretKeyRef: { name: 'a', key: 'b', optional: false } } },
      ],
      envFrom: [{ prefix: 'A_', configMapRef: { name: 'a' } }, { secretRef: { name: 'a', optional: false } }],
      hostPorts: [{ nameRef: 'EchoObj', port: 9_990 }],
      mounts,
      nodeSelector: [{ key: 'zone', operator: 'In', values: ['a'] }],
      resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: 1, memory: '1e9' } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    },
    spec: { important: 3 },
  }),
  status: { replicas: 1, readyReplicas: 1, currentReplicas: 1, selector: 'a=b' },
}

/** The same but for one field, which is not there when it is undefined. */
function changed(path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(whole)
  const steps = path.split('.')
  const key = steps.pop() ?? ''
  const holder = Object(steps.length === 0 ? copy : at(copy, steps.join('.')))
  if (value === undefined) Reflect.deleteProperty(holder, key)
  else Reflect.set(holder, key, value)
  return copy
}
const fits = (path: string, value: unknown) => TSERVER.is(changed(path, value))
const text = (length: number) => 'a'.repeat(length)

const SERVANT = 'spec.tars.servants.0'
const PORT = 'spec.tars.ports.0'
const K8S = 'spec.k8s'
const sourceOf = (kind: (typeof KINDS | typeof CLAIMS)[number]) =>
  `${K8S}.mounts.${[...KINDS, ...CLAIMS].indexOf(kind)}.source.${kind}`

describe('what is a TServer the schema says (tars.md 3.2)', () => {
  it('a whole one is one, and so is one of no more than what must be', () => {
    expect(TSERVER.is(whole)).toBe(true)
    expect(TSERVER.is(aTServer({ normal: [] }))).toBe(true)
    expect(TSERVER.is({ ...aTServer(), spec: { app: 'A', server: 'B', subType: 'tars', k8s: {} } })).toBe(true)
  })

  it.each([
    { path: 'spec.important', from: 1, to: 20 },
    { path: 'spec.tars.asyncThread', from: 0, to: 50 },
    { path: `${SERVANT}.port`, from: 1, to: 65_535 },
    { path: `${SERVANT}.thread`, from: 1, to: 99 },
    { path: `${SERVANT}.capacity`, from: 1, to: 3_000_000 },
    { path: `${SERVANT}.connection`, from: 1, to: 3_000_000 },
    { path: `${SERVANT}.timeout`, from: -1, to: 6_000_000 },
    { path: `${PORT}.port`, from: 1, to: 65_535 },
    { path: `${K8S}.replicas`, from: 0, to: 99 },
    { path: `${K8S}.hostPorts.0.port`, from: 1, to: 65_535 },
    ...(['configMap', 'secret'] as const).flatMap((kind) => [
      { path: `${sourceOf(kind)}.defaultMode`, from: 0, to: 511 },
      { path: `${sourceOf(kind)}.items.0.mode`, from: 0, to: 511 },
    ]),
  ])('$path is a whole number from $from to $to', ({ path, from, to }) => {
    for (const value of [from, to]) expect(fits(path, value)).toBe(true)
    for (const value of [from - 1, to + 1, from + 0.5, String(to)]) expect(fits(path, value)).toBe(false)
  })

  it.each([
    { path: 'spec.subType', of: ['tars', 'normal'] },
    { path: `${K8S}.abilityAffinity`, of: ['AppRequired', 'ServerRequired', 'AppOrServerPreferred', 'None'] },
    { path: `${K8S}.imagePullPolicy`, of: ['Always', 'Never', 'IfNotPresent'] },
    { path: `${K8S}.launcherType`, of: ['foreground', 'background'] },
    { path: `${K8S}.podManagementPolicy`, of: ['OrderedReady', 'Parallel'] },
    { path: `${K8S}.updateStrategy.type`, of: ['RollingUpdate', 'OnDelete'] },
    { path: `${K8S}.nodeSelector.0.operator`, of: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] },
    { path: `${K8S}.mounts.0.mountPropagation`, of: ['None', 'HostToContainer', 'Bidirectional'] },
    { path: `${sourceOf('emptyDir')}.medium`, of: ['', 'Memory'] },
    {
      path: `${sourceOf('hostPath')}.type`,
      of: ['', 'Directory', 'DirectoryOrCreate', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'],
    },
    {
      path: `${sourceOf('persistentVolumeClaimTemplate')}.spec.accessModes.0`,
      of: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'],
    },
  ])('$path is one of $of', ({ path, of }) => {
    for (const value of of) expect(fits(path, value)).toBe(true)
    for (const value of ['Other', 1, null]) expect(fits(path, value)).toBe(false)
  })

  const SECRETS = { good: ['', 'a', 'a.b-c', text(253)], bad: ['A', 'a_b', '.a', text(254)] }
  const IMAGES = { good: ['R/e_p:5000/a@sha256:AB', text(500)], bad: ['', 'a b', 'a\n', 'ä', text(501)] }
  const QUANTITIES = { good: [1, '1', '0.5', '500m', '1.5Gi', '1e3'], bad: ['', 'x', '1 Gi', '1g', 0.5] }
  it.each([
    { path: 'spec.app', good: ['A', 'a1', text(63)], bad: ['', '1a', 'a-b', 'a.b', text(64)] },
    { path: 'spec.server', good: ['A', 'a1', text(63)], bad: ['', '1a', 'a-b', 'a.b', text(64)] },
    { path: 'spec.tars.template', good: ['tars.cpp', text(253)], bad: ['', 'A', 'a_b', text(254)] },
    { path: `${SERVANT}.name`, good: ['A', 'Echo1', text(63)], bad: ['', '1a', 'a-b', text(64)] },
    { path: `${PORT}.name`, good: ['1', 'http-2', text(15)], bad: ['', '-a', 'a-', 'Http', text(16)] },
    { path: `${K8S}.hostPorts.0.nameRef`, good: ['1', 'Http-2', text(63)], bad: ['', '-a', 'a-', 'a.b', text(64)] },
    { path: `${K8S}.mounts.0.name`, good: ['1', 'Http-2', text(63)], bad: ['', '-a', 'a-', 'a.b', text(64)] },
    { path: `${K8S}.env.0.name`, good: ['-', 'a.B_1', text(63)], bad: ['', 'a b', 'a=b', text(64)] },
    { path: `${K8S}.envFrom.0.prefix`, good: ['A', 'A_1', text(63)], bad: ['', '_A', '1A', 'A-', text(64)] },
    { path: `${K8S}.readinessGate`, good: ['', 'a', 'a.b/C_d', text(63)], bad: ['/a', 'a/', 'a/b/c', text(64)] },
    { path: `${K8S}.serviceAccount`, good: ['a', text(63)], bad: [text(64), 1] },
    { path: `${sourceOf('tLocalVolume')}.uid`, good: ['0', '999999'], bad: ['', '01', '1000000', '-1', 0] },
    { path: `${sourceOf('tLocalVolume')}.gid`, good: ['0', '999999'], bad: ['', '01', '1000000', '-1', 0] },
    { path: `${sourceOf('tLocalVolume')}.mode`, good: ['755', '0755', '000'], bad: ['', '75', '758', '1755', 755] },
    { path: `${K8S}.resources.limits.cpu`, ...QUANTITIES },
    { path: `${K8S}.resources.requests.memory`, ...QUANTITIES },
    { path: `${K8S}.env.2.valueFrom.resourceFieldRef.divisor`, ...QUANTITIES },
    { path: `${sourceOf('emptyDir')}.sizeLimit`, ...QUANTITIES },
    { path: 'spec.release.id', good: ['1', 'v1.2_b-3', text(63)], bad: ['', '-1', 'v1.', text(64)] },
    { path: 'spec.release.image', ...IMAGES },
    { path: 'spec.release.nodeImage', ...IMAGES },
    { path: 'spec.release.secret', ...SECRETS },
    { path: 'spec.release.nodeSecret', ...SECRETS },
    { path: 'spec.release.time', good: ['2022-03-01T08:00:00Z'], bad: ['', '2022-03-01', 'now'] },
  ])('$path has its form', ({ path, good, bad }) => {
    for (const value of good) expect([value, fits(path, value)]).toEqual([value, true])
    for (const value of bad) expect([value, fits(path, value)]).toEqual([value, false])
  })

  it.each([
    ...['spec', 'spec.app', 'spec.server', 'spec.subType', K8S, 'spec.tars.template', 'spec.tars.servants'],
    ...[`${SERVANT}.name`, `${SERVANT}.port`, `${PORT}.name`, `${PORT}.port`],
    ...[`${K8S}.env.0.name`, `${K8S}.hostPorts.0.nameRef`, `${K8S}.hostPorts.0.port`],
    ...[`${K8S}.mounts.0.name`, `${K8S}.mounts.0.source`, `${K8S}.mounts.0.mountPath`],
    ...[`${K8S}.nodeSelector.0.key`, `${K8S}.nodeSelector.0.operator`, 'spec.release.id', 'spec.release.image'],
    ...[`${sourceOf('configMap')}.name`, `${sourceOf('secret')}.secretName`],
    ...[`${sourceOf('hostPath')}.path`, `${sourceOf('hostPath')}.type`],
    ...[`${sourceOf('persistentVolumeClaim')}.claimName`, `${sourceOf('persistentVolumeClaimTemplate')}.spec`],
    ...['accessModes', 'resources', 'resources.requests', 'resources.requests.storage'].map(
      (field) => `${sourceOf('persistentVolumeClaimTemplate')}.spec.${field}`,
    ),
    ...['replicas', 'readyReplicas', 'currentReplicas', 'selector'].map((field) => `status.${field}`),
  ])('%s must be there', (path) => {
    expect(fits(path, undefined)).toBe(false)
  })

  it.each([
    { name: 'a source of none', path: `${K8S}.mounts.0.source`, value: {} },
    { name: 'a source of two', path: `${K8S}.mounts.0.source.emptyDir`, value: {} },
    { name: 'a variable of nothing', path: `${K8S}.env.0.value`, value: undefined },
    { name: 'a variable of two', path: `${K8S}.env.1.value`, value: '' },
    { name: 'a value from nowhere', path: `${K8S}.env.1.valueFrom`, value: {} },
    { name: 'a value from two', path: `${K8S}.env.1.valueFrom.secretKeyRef`, value: { name: 'a', key: 'b' } },
    { name: 'variables from nowhere', path: `${K8S}.envFrom.1`, value: {} },
    { name: 'variables from two', path: `${K8S}.envFrom.0.secretRef`, value: { name: 'a' } },
    {
      name: 'no access mode',
      path: `${sourceOf('persistentVolumeClaimTemplate')}.spec.accessModes`,
      value: [],
    },
    { name: 'more servants than rules look at', path: 'spec.tars.servants', value: Array(65).fill(aServant()) },
    { name: 'more ports than rules look at', path: 'spec.tars.ports', value: Array(65).fill(aPort()) },
    { name: 'more mounts than rules look at', path: `${K8S}.mounts`, value: Array(65).fill(aMount()) },
    {
      name: 'more hostPorts than rules look at',
      path: `${K8S}.hostPorts`,
      value: Array(65).fill({ nameRef: 'a', port: 1 }),
    },
  ])('$name is none', ({ path, value }) => {
    expect(fits(path, value)).toBe(false)
  })
})

describe('what a TServer does not say the schema gives', () => {
  const stored = async (spec: object) =>
    at(await clusterOf().create(TSERVER, { ...aTServer(), spec: { app: 'Demo', server: 'Echo', ...spec } }), 'spec')
  const usual = {
    app: 'Demo',
    server: 'Echo',
    important: 3,
    k8s: {
      replicas: 1,
      abilityAffinity: 'AppOrServerPreferred',
      daemonSet: false,
      hostIPC: false,
      hostNetwork: false,
      notStacked: false,
      imagePullPolicy: 'Always',
      launcherType: 'background',
      nodeSelector: [],
      podManagementPolicy: 'Parallel',
      resources: {},
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    },
  }

  it('a tars server', async () => {
    const tars = { template: 'base', servants: [{ name: 'EchoObj', port: 1 }], ports: [{ name: 'http', port: 2 }] }
    expect(await stored({ subType: 'tars', tars, k8s: {} })).toEqual({
      ...usual,
      subType: 'tars',
      tars: {
        template: 'base',
        asyncThread: 3,
        servants: [
          {
            name: 'EchoObj',
            port: 1,
            thread: 3,
            capacity: 10_000,
            connection: 10_000,
            timeout: 60_000,
            isTars: true,
            isTcp: true,
          },
        ],
        ports: [{ name: 'http', port: 2, isTcp: true }],
      },
    })
    expect(at(await stored({ subType: 'tars', tars: { template: 'base' }, k8s: {} }), 'tars.servants')).toEqual([])
  })

  it('any other server', async () => {
    expect(await stored({ subType: 'normal', normal: {}, k8s: {} })).toEqual({
      ...usual,
      subType: 'normal',
      normal: { ports: [] },
    })
  })

  it('its variables and mounts', async () => {
    const key = { name: 'a', key: 'b' }
    const k8s = {
      env: [
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        { name: 'B', valueFrom: { configMapKeyRef: key } },
        { name: 'C', valueFrom: { secretKeyRef: key } },
      ],
      envFrom: [{ configMapRef: { name: 'a' } }, { secretRef: { name: 'a' } }],
      mounts: [
        aMount({ source: { configMap: { name: 'a', items: [{ key: 'b', path: 'c' }] } } }),
        aMount({ source: { secret: { secretName: 'a' } } }),
        aMount({ source: { persistentVolumeClaim: { claimName: 'a' } } }),
        aMount({ source: { tLocalVolume: {} } }),
      ],
    }
    const read = { name: 'data', mountPath: '/data', readOnly: false }
    expect(await stored({ subType: 'normal', normal: {}, k8s })).toMatchObject({
      k8s: {
        env: [
          { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { ...key, optional: true } } },
          { name: 'C', valueFrom: { secretKeyRef: { ...key, optional: true } } },
        ],
        envFrom: [{ configMapRef: { name: 'a', optional: true } }, { secretRef: { name: 'a', optional: true } }],
        mounts: [
          {
            ...read,
            source: {
              configMap: {
                name: 'a',
                items: [{ key: 'b', path: 'c', mode: 420 }],
                defaultMode: 420,
                optional: true,
              },
            },
          },
          { ...read, source: { secret: { secretName: 'a', defaultMode: 420, optional: true } } },
          { ...read, source: { persistentVolumeClaim: { claimName: 'a', readOnly: false } } },
          { ...read, source: { tLocalVolume: { uid: '0', gid: '0', mode: '755' } } },
        ],
      },
    })
  })
})
