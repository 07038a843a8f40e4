import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../../src/schema.ts'
import { settingsOf } from '../../../../../src/setting.ts'
import { clientServiceFor, peerServiceFor } from '../../../../../webhooks/nacos/nacos/objects/services.ts'
import { aNacos } from '../../../../support/builders/nacos.ts'

const SELECTOR = { app: 'my-nacos', component: 'nacos', middleware: 'nacos' }
const nacos = aNacos()
const standing = (spec: Tree) => ({ metadata: { name: 's', uid: 's' }, spec })
const client = (live?: ReturnType<typeof standing>, given: Tree = {}) =>
  clientServiceFor(nacos, settingsOf(given), live).spec

describe('the client Service', () => {
  it('NC-SVC-03 is of the type that the setting names', () => {
    expect(client()).toMatchObject({ type: 'ClusterIP', ipFamilyPolicy: 'SingleStack' })
    expect(client(undefined, { nacosClientServiceType: 'NodePort' })).toMatchObject({ type: 'NodePort' })
  })

  it('NC-SVC-04, NC-SVC-05, NC-SVC-08 sends back what a user made of it', () => {
    const live = { type: 'NodePort', publishNotReadyAddresses: true, ipFamilyPolicy: 'PreferDualStack' }
    expect(client(standing(live))).toMatchObject(live)
    expect(client()).not.toHaveProperty('publishNotReadyAddresses')
    expect(client(standing({ type: 'ClusterIP' }))).not.toHaveProperty('ipFamilyPolicy')
  })

  it('NC-SVC-07 never sends an address or a node port', () => {
    const ports = [{ name: 'client', port: 8848, nodePort: 30_000 }]
    const live = standing({ type: 'LoadBalancer', clusterIP: '10.0.0.1', loadBalancerIP: '1.2.3.4', ports })
    expect(JSON.stringify(client(live))).not.toMatch(/clusterIP|nodePort|loadBalancerIP|healthCheckNodePort/)
  })
})

describe('the Service of the members', () => {
  it('NC-SVC-01 is headless in a cluster, and stays so', () => {
    const { metadata, spec } = peerServiceFor(nacos, standing({ type: 'ClusterIP', clusterIP: 'None' }))
    expect(metadata.name).toBe('my-nacos-headless')
    expect(spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true })
  })

  it('NC-SVC-06 has the name of a single server, and an address', () => {
    const { metadata, spec } = peerServiceFor(aNacos({ type: 'standalone' }))
    expect(metadata.name).toBe('my-nacos')
    expect(spec).toEqual({
      type: 'ClusterIP',
      ipFamilyPolicy: 'SingleStack',
      ports: [
        { name: 'client', port: 8848, protocol: 'TCP' },
        { name: 'rpc', port: 7848, protocol: 'TCP' },
        { name: 'new-rpc', port: 9848, protocol: 'TCP' },
      ],
      selector: SELECTOR,
    })
  })
})

describe('labels and annotations of the Nacos', () => {
  const labelled = aNacos({}, { labels: { team: 'edge', app: 'other' }, annotations: { note: 'x' } })

  it('NC-DIG-20, NC-STS-12, NC-STS-13 come to its Services, but not to their selectors', () => {
    const { metadata, spec } = peerServiceFor(labelled)
    expect(metadata).toMatchObject({ labels: { team: 'edge', ...SELECTOR }, annotations: { note: 'x' } })
    expect(spec).toHaveProperty('selector', SELECTOR)
  })

  it.each([
    'kubectl.kubernetes.io/last-applied-configuration',
    'nacos.io/config-rollout',
    'argocd.argoproj.io/tracking-id',
    'kustomize.toolkit.fluxcd.io/name',
    'helm.toolkit.fluxcd.io/name',
    'meta.helm.sh/release-name',
    'helm.sh/chart',
    'deployment.kubernetes.io/revision',
    'app.kubernetes.io/instance',
    'app.kubernetes.io/managed-by',
  ])('NC-DIG-21 %s stays with the Nacos', (key) => {
    const { metadata } = peerServiceFor(aNacos({}, { labels: { [key]: 'x' }, annotations: { [key]: 'x', note: 'y' } }))
    expect(metadata).toMatchObject({ labels: SELECTOR, annotations: { note: 'y' } })
    expect(JSON.stringify(metadata)).not.toContain(key)
  })
})
