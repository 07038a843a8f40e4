import { describe, expect, it } from 'vitest'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { aMount, aPort, aRelease, aServant, aTServer, SOURCES } from '../../../support/builders/servers.ts'
import { at } from '../../../support/builders/trees.ts'

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
    { name: 'a source of none', path: `${K8S}.mounts.0.source`, value: {} },
    { name: 'a source of two', path: `${K8S}.mounts.0.source.emptyDir`, value: {} },
    { name: 'a variable of nothing', path: `${K8S}.env.0.value`, value: undefined },
    { name: 'a variable of two', path: `${K8S}.env.1.value`, value: '' },
    { name: 'a value from nowhere', path: `${K8S}.env.1.valueFrom`, value: {} },
    { name: 'a value from two', path: `${K8S}.env.1.valueFrom.secretKeyRef`, value: { name: 'a', key: 'b' } },
    { name: 'variables from nowhere', path: `${K8S}.envFrom.1`, value: {} },
    { name: 'variables from two', path: `${K8S}.envFrom.0.secretRef`, value: { name: 'a' } },
  ])('$name is none', ({ path, value }) => {
    expect(fits(path, value)).toBe(false)
  })
})
