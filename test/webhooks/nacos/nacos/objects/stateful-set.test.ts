import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../../src/schema.ts'
import { settingsOf } from '../../../../../src/setting.ts'
import { statefulSetFor } from '../../../../../webhooks/nacos/nacos/objects/stateful-set.ts'
import type { NacosSubject } from '../../../../../webhooks/nacos/nacos/objects/subject.ts'
import { aNacos, aSubject } from '../../../../support/builders/nacos.ts'

const FIXED = { app: 'my-nacos', component: 'nacos', middleware: 'nacos' }
const built = (spec: Tree = {}, rest: Partial<NacosSubject> = {}, metadata: Tree = {}) =>
  statefulSetFor(aSubject(aNacos(spec, metadata), rest))
const live = (spec: Tree) => ({ metadata: { name: 'my-nacos', uid: 's' }, spec })

describe('a new StatefulSet', () => {
  it('NC-STS-01, NC-STS-02, NC-STS-03, NC-STS-10, NC-STS-31, NC-STS-60 of a cluster', () => {
    expect(built()).toMatchObject({
      metadata: { annotations: { 'nacos.io/template-revision': '1' } },
      spec: {
        serviceName: 'my-nacos-headless',
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: FIXED },
        minReadySeconds: 10,
      },
    })
    expect(built().spec).toHaveProperty('updateStrategy', { type: 'RollingUpdate' })
    expect(built({}, { settings: settingsOf({ nacosMinReadySeconds: 1 }) }).spec).toHaveProperty('minReadySeconds', 1)
  })

  it('NC-STS-01 of one server', () => {
    const { spec } = built({ type: 'standalone', replicas: 1 })
    expect(spec).toMatchObject({ serviceName: 'my-nacos', replicas: 1 })
  })

  it.each([
    { type: 'cluster', replicas: 3 },
    { type: 'standalone', replicas: 1 },
  ])('NC-ADM-07 has $replicas members as a $type that does not say', ({ type, replicas }) => {
    expect(built({ type, replicas: undefined }).spec).toHaveProperty('replicas', replicas)
  })

  it('NC-STS-11, NC-DIG-22 has the labels of the Nacos on its pods, and none of its annotations', () => {
    const { spec } = built({}, {}, { labels: { team: 'edge', 'helm.sh/chart': 'x' }, annotations: { note: 'x' } })
    expect(spec).toHaveProperty('template.metadata', {
      labels: { team: 'edge', ...FIXED },
      annotations: { 'nacos.io/config-digest': '0a636216853f632b' },
    })
  })

  it('NC-DIG-11, NC-REC-30 mounts nothing and has no digest where there is no configuration', () => {
    const { spec } = built({}, { config: undefined })
    expect(spec).not.toHaveProperty('template.metadata.annotations')
    expect(spec).not.toHaveProperty('template.spec.volumes')
  })

  it('NC-STS-14 is the same for a spec whose fields stand in another order', () => {
    const spec = {
      env: [
        { name: 'B', value: '1' },
        { name: 'A', value: '2' },
      ],
      nodeSelector: { b: 'x', a: 'y' },
    }
    const turned = { nodeSelector: { a: 'y', b: 'x' }, env: spec.env.toReversed() }
    expect(built(turned)).toEqual(built(spec))
  })
})

describe('a StatefulSet that stands', () => {
  const immutable = {
    serviceName: 'other',
    podManagementPolicy: 'OrderedReady',
    selector: { matchLabels: { app: 'my-nacos' } },
    volumeClaimTemplates: [{ metadata: { name: 'db' }, status: { phase: 'Pending' } }],
  }
  const template = { metadata: { labels: { app: 'my-nacos', old: 'label' } } }

  it('NC-STS-41, NC-STS-50 gets its immutable fields back', () => {
    expect(built({}, { live: live({ ...immutable, template }) }).spec).toMatchObject(immutable)
    const bare = built({ volume: { enabled: true } }, { live: live({ selector: immutable.selector }) })
    expect(bare.spec).not.toHaveProperty('volumeClaimTemplates')
    expect(bare.spec).not.toHaveProperty('serviceName')
  })

  it('NC-STS-11, NC-STS-13 keeps the labels of its pods when the Nacos gets others', () => {
    const { metadata, spec } = built({}, { live: live({ template }) }, { labels: { team: 'edge' } })
    expect(metadata.labels).toEqual({ team: 'edge', ...FIXED })
    expect(spec).toHaveProperty('template.metadata.labels', { old: 'label', ...FIXED })
  })

  it('NC-MRG-40, NC-STS-30 keeps its probe while the configuration is held', () => {
    const readinessProbe = { httpGet: { path: '/other/v1/console/health/readiness', port: 8848 } }
    const standing = live({ template: { spec: { containers: [{ name: 'my-nacos', readinessProbe }] } } })
    const { spec } = built({}, { live: standing, contextPath: undefined })
    expect(spec).toHaveProperty('template.spec.containers[0].readinessProbe', readinessProbe)
  })
})

describe('NC-STS-28, NC-STS-52 the claim of a member', () => {
  const claimOf = (volume: Tree) => built({ volume }).spec

  it('is the template, with the size that is named beside it', () => {
    const volumeClaimTemplate = { spec: { storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } } }
    expect(claimOf({ volumeClaimTemplate, persistentVolumeSize: '2Gi' })).toHaveProperty('volumeClaimTemplates', [
      {
        metadata: { name: 'db' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'fast',
          resources: { requests: { storage: '2Gi' } },
        },
      },
    ])
  })

  it('NC-CRD-03 is that of the other dialect', () => {
    const volume = { enabled: true, requests: { storage: '1Gi' }, storageClass: 'fast' }
    expect(claimOf(volume)).toHaveProperty('volumeClaimTemplates', [
      {
        metadata: { name: 'db' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          storageClassName: 'fast',
        },
      },
    ])
  })
})
