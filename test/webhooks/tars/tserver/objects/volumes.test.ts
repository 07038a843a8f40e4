import { describe, expect, it } from 'vitest'
import { aMount, SOURCES } from '../../../../support/builders/servers.ts'
import { containerOf, partOf, podSpecOf } from '../../../../support/mapped.ts'

const PLAIN = ['configMap', 'secret', 'emptyDir', 'hostPath', 'persistentVolumeClaim'] as const
const CLAIMS = ['persistentVolumeClaimTemplate', 'tLocalVolume'] as const
const TIMEZONE = { name: 'host-timezone', hostPath: { path: '/etc/localtime' } }
const WORK_DIR = { name: 'tarsnode-work-dir', emptyDir: {} }
const AT_TIMEZONE = { name: 'host-timezone', mountPath: '/etc/localtime' }
const AT_WORK_DIR = { name: 'tarsnode-work-dir', mountPath: '/usr/local/app/tars/tarsnode' }
const DATA = { name: 'data', mountPath: '/data', readOnly: false }
const NO_TIMEZONE = { settings: { mountHostTimezone: false } }

const volumesWith = (...mounts: readonly object[]) => podSpecOf('volumes', { k8s: { mounts } })
const mountsWith = (...mounts: readonly object[]) => containerOf('volumeMounts', { k8s: { mounts } })

describe('MP-22a the volumes of the pod template', () => {
  it.each(PLAIN)('%s is copied', (of) => {
    expect(volumesWith(aMount({ of }))).toEqual([{ name: 'data', [of]: SOURCES[of] }, TIMEZONE, WORK_DIR])
  })
  it.each(CLAIMS)('%s is none', (of) => expect(volumesWith(aMount({ of }))).toEqual([TIMEZONE, WORK_DIR]))

  it('stand in the order of the mounts, with every empty value in them', () => {
    const source = { configMap: { name: 'a', items: [], optional: false } }
    const volumes = volumesWith(aMount({ name: 'z', source }), aMount({ name: 'a', mountPath: '/a' }))
    expect(volumes).toEqual([{ name: 'z', ...source }, { name: 'a', emptyDir: {} }, TIMEZONE, WORK_DIR])
  })
  it('a normal server has no node agent', () => expect(podSpecOf('volumes', { normal: [] })).toEqual([TIMEZONE]))
  it('the time zone is a setting', () => {
    expect(podSpecOf('volumes', {}, NO_TIMEZONE)).toEqual([WORK_DIR])
    expect(podSpecOf('volumes', { normal: [] }, NO_TIMEZONE)).toBeUndefined()
    expect(containerOf('volumeMounts', { normal: [] }, NO_TIMEZONE)).toBeUndefined()
  })
})

describe('MP-22b where the main container finds them', () => {
  it.each([...PLAIN, ...CLAIMS])('%s', (of) => {
    expect(mountsWith(aMount({ of }))).toEqual([DATA, AT_TIMEZONE, AT_WORK_DIR])
  })
  it.each([{ readOnly: true }, { subPath: 'a' }, { subPathExpr: '$(PodName)' }, { mountPropagation: 'None' }])(
    '%o is copied',
    (field) => {
      expect(mountsWith(aMount(field))).toEqual([{ ...DATA, ...field }, AT_TIMEZONE, AT_WORK_DIR])
    },
  )
  it.each(CLAIMS)('MP-40 a DaemonSet has no %s', (of) => {
    const k8s = { daemonSet: true, mounts: [aMount({ of })] }
    expect(containerOf('volumeMounts', { k8s })).toEqual([AT_TIMEZONE, AT_WORK_DIR])
    expect(partOf('DaemonSet', '/spec/volumeClaimTemplates', { k8s })).toBeUndefined()
  })
})

describe('WK-13 mounts that cannot stand together, stored while the webhook was away', () => {
  it.each([
    { name: 'of one name the first', mounts: [aMount({}), aMount({ mountPath: '/b' })] },
    { name: 'of one path the first', mounts: [aMount({}), aMount({ name: 'b' })] },
    { name: 'a claim and a volume of one name', mounts: [aMount({}), aMount({ of: 'tLocalVolume', mountPath: '/b' })] },
    { name: 'a name of the controller', mounts: [aMount({ name: 'host-timezone', mountPath: '/b' }), aMount({})] },
    { name: 'a path of the controller', mounts: [aMount({ mountPath: '/etc/localtime' }), aMount({})] },
  ])('$name', ({ mounts }) => {
    expect(volumesWith(...mounts)).toEqual([{ name: 'data', emptyDir: {} }, TIMEZONE, WORK_DIR])
    expect(mountsWith(...mounts)).toEqual([DATA, AT_TIMEZONE, AT_WORK_DIR])
    expect(partOf('StatefulSet', '/spec/volumeClaimTemplates', { k8s: { mounts } })).toBeUndefined()
  })
})

const claimsOf = (mount: object, settings = {}) =>
  partOf('StatefulSet', '/spec/volumeClaimTemplates', { k8s: { mounts: [mount] } }, { settings })
const claim = (metadata: object, spec: object) => [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec }]

describe('MP-22c, D-18 a claim template', () => {
  const { spec } = SOURCES.persistentVolumeClaimTemplate
  it('has the name of the mount', () => {
    expect(claimsOf(aMount({ of: 'persistentVolumeClaimTemplate' }))).toEqual(claim({ name: 'data' }, spec))
  })
  it('keeps its labels and annotations, and no other name', () => {
    const kept = { labels: { disk: 'fast' }, annotations: { note: 'a: b' } }
    const template = { metadata: { ...kept, name: 'other', namespace: 'other' }, spec }
    const mount = aMount({ source: { persistentVolumeClaimTemplate: template } })
    expect(claimsOf(mount)).toEqual(claim({ name: 'data', ...kept }, spec))
  })
  it('leaves out empty ones', () => {
    const template = { metadata: { labels: {}, annotations: {} }, spec }
    const mount = aMount({ source: { persistentVolumeClaimTemplate: template } })
    expect(claimsOf(mount)).toEqual(claim({ name: 'data' }, spec))
  })
})

describe('MP-22d a tLocalVolume', () => {
  const labels = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo', 'tars.io/LocalVolume': 'data' }
  const spec = {
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    storageClassName: 'tars-storage-class',
    resources: { requests: { storage: '1G' } },
    selector: { matchLabels: labels },
  }
  it.each([{}, { uid: '1000', gid: '1000', mode: '750' }])(
    'of %o: no owner, no namespace, and neither user nor mode',
    (tLocalVolume) => {
      expect(claimsOf(aMount({ source: { tLocalVolume } }))).toEqual(claim({ name: 'data', labels }, spec))
    },
  )
  it('D-20 its StorageClass is a setting', () => {
    const storageClassName = 'local'
    const mount = aMount({ of: 'tLocalVolume' })
    expect(claimsOf(mount, { localVolumeStorageClass: storageClassName })).toEqual(
      claim({ name: 'data', labels }, { ...spec, storageClassName }),
    )
  })
})
