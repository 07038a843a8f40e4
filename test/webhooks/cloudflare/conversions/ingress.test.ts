import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import {
  classOf,
  configRefOf,
  INGRESS_CONTROLLER,
  onlyTunnel,
  tunnelKeyIn,
  watches,
} from '../../../../webhooks/cloudflare/conversions/classes.ts'
import { builtSource } from '../../../../webhooks/cloudflare/conversions/converted.ts'
import { rulesOfIngress } from '../../../../webhooks/cloudflare/conversions/ingress.ts'
import { settingsOfTunnel } from '../../../../webhooks/cloudflare/conversions/tunnel.ts'

const aClass = (name: string, metadata: Tree = {}, spec: Tree = {}) => ({
  metadata: { name, ...metadata },
  spec: { controller: INGRESS_CONTROLLER, ...spec },
})
const isDefault = { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } }
const OTHER = { metadata: { name: 'nginx' }, spec: { controller: 'nginx' } }

describe('CF-CNV-01 the class of an Ingress', () => {
  const ours = aClass('cloudflare')
  const annotated = (name: string) => ({
    metadata: { name: 'a', annotations: { 'kubernetes.io/ingress.class': name } },
  })
  it.each([
    { name: 'its field', ingress: { spec: { ingressClassName: 'cloudflare' } }, classes: [OTHER, ours], found: ours },
    { name: 'the field of another', ingress: { spec: { ingressClassName: 'nginx' } }, classes: [OTHER, ours] },
    { name: 'a class that does not exist', ingress: { spec: { ingressClassName: 'none' } }, classes: [ours] },
    { name: 'its annotation', ingress: annotated('cloudflare'), classes: [ours], found: ours },
    {
      name: 'the field before the annotation',
      ingress: { ...annotated('cloudflare'), spec: { ingressClassName: 'nginx' } },
      classes: [OTHER, ours],
    },
    { name: 'none, and no default', ingress: {}, classes: [ours] },
  ])('$name', ({ ingress, classes, found }) => expect(classOf(ingress, classes)).toBe(found))

  it('of several defaults the youngest, then the first by name', () => {
    const old = { ...aClass('a', { ...isDefault, creationTimestamp: '2025-01-01T00:00:00Z' }) }
    const young = { ...aClass('c', { ...isDefault, creationTimestamp: '2026-01-01T00:00:00Z' }) }
    const alike = { ...aClass('b', { ...isDefault, creationTimestamp: '2026-01-01T00:00:00Z' }) }
    expect(classOf({}, [old, young])).toBe(young)
    expect(classOf({}, [young, alike, old])).toBe(alike)
    expect(
      classOf({}, [
        young,
        { ...OTHER, metadata: { name: 'd', ...isDefault, creationTimestamp: '2027-01-01T00:00:00Z' } },
      ]),
    ).toBeUndefined()
  })
})

describe('CF-CNV-02 the tunnel of a class', () => {
  const parameters = { apiGroup: 'networking.cloudflare-operator.io', kind: 'TunnelIngressClassConfig', name: 'main' }
  it.each([
    { parameters, ref: { namespace: 'operator', name: 'main' } },
    { parameters: { ...parameters, scope: 'Cluster' }, ref: { namespace: 'operator', name: 'main' } },
    { parameters: { ...parameters, scope: 'Namespace', namespace: 'a' }, ref: { namespace: 'a', name: 'main' } },
    {
      parameters: { ...parameters, kind: 'ConfigMap' },
      ref: { problem: 'parameters name no TunnelIngressClassConfig' },
    },
  ])('$parameters', ({ parameters: given, ref }) => {
    expect(configRefOf(aClass('a', {}, { parameters: given }), 'operator')).toEqual(ref)
  })
  it('without parameters is the one ClusterTunnel of the cluster', () => {
    const tunnel = (name: string) => ({ metadata: { name } })
    expect(configRefOf(aClass('a'), 'operator')).toBeUndefined()
    expect(onlyTunnel([tunnel('main')])).toEqual({ kind: 'ClusterTunnel', namespace: '', name: 'main' })
    for (const tunnels of [[], [tunnel('a'), tunnel('b')]])
      expect(onlyTunnel(tunnels)).toEqual({ problem: expect.stringContaining(`${tunnels.length} ClusterTunnels`) })
  })
  it('of a config is that of its namespace, or the one that it names', () => {
    const config = (tunnelRef: Tree, spec: Tree = {}) => ({
      metadata: { namespace: 'a', name: 'c' },
      spec: { tunnelRef, ...spec },
    })
    const kind = 'Tunnel'
    expect(tunnelKeyIn(config({ kind, name: 't' }))).toEqual({ kind, namespace: 'a', name: 't' })
    expect(tunnelKeyIn(config({ kind, name: 't', namespace: 'b' }))).toEqual({ kind, namespace: 'b', name: 't' })
    expect(tunnelKeyIn(config({ kind: 'ClusterTunnel', name: 't', namespace: 'b' }))).toMatchObject({ namespace: '' })
    expect(tunnelKeyIn(config({}))).toBeUndefined()
    expect(
      [{}, { watchNamespaces: [] }, { watchNamespaces: ['b'] }].map((spec) => watches(config({}, spec), 'a')),
    ).toEqual([true, true, false])
  })
})

const SERVICES: Readonly<Record<string, Tree>> = {
  web: {
    ports: [
      { name: 'http', port: 80 },
      { name: 'admin', port: 8_080 },
    ],
  },
}
const serviceOf = (name: string) =>
  SERVICES[name] === undefined ? undefined : { metadata: { name }, spec: SERVICES[name] }
const to = (name: string, port: Tree = { number: 80 }) => ({ service: { name, port } })
const atPath = (path: string, backend: Tree, pathType = 'Prefix') => ({ path, pathType, backend })
const ofHost = (host: string, ...paths: Tree[]) => ({ host, http: { paths } })
const anIngress = (rules: readonly Tree[], rest: Tree = {}, annotations: Record<string, string> = {}) => ({
  metadata: {
    namespace: 'default',
    name: 'app',
    annotations,
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { rules, ...rest },
})
const converted = (ingress: object, config?: object) => rulesOfIngress({ ingress, serviceOf, config })
const reasons = (ingress: object) => converted(ingress).notes.map(({ reason }) => reason)

describe('CF-CNV-03 the rules of an Ingress', () => {
  it('are one for each path of each host', () => {
    const ingress = anIngress([
      ofHost('a.b', atPath('/', to('web')), atPath('/x', to('web'))),
      ofHost('c.d', atPath('/', to('web'))),
    ])
    expect(converted(ingress)).toEqual({
      rules: [
        { hostname: 'a.b', path: '', service: 'http://web.default.svc:80' },
        { hostname: 'a.b', path: '^/x(/.*)?$', service: 'http://web.default.svc:80' },
        { hostname: 'c.d', path: '', service: 'http://web.default.svc:80' },
      ],
      notes: [],
    })
  })
  it('a rule without a host, and a default backend, belong to the tunnel', () => {
    const ingress = anIngress([ofHost('', atPath('/', to('web'))), { host: 'a.b' }], { defaultBackend: to('web') })
    expect(converted(ingress).rules).toEqual([])
    expect(reasons(ingress)).toEqual(['RuleSkipped', 'RuleSkipped', 'RuleSkipped'])
  })
  it('a backend that is no Service answers 503, so that no wildcard catches its hostname', () => {
    const ingress = anIngress([ofHost('a.b', atPath('/x', { resource: { kind: 'Bucket', name: 'c' } }))])
    expect(converted(ingress).rules).toEqual([{ hostname: 'a.b', path: '^/x(/.*)?$', service: 'http_status:503' }])
    expect(reasons(ingress)).toEqual(['Unsupported'])
  })
  it('CF-CNV-04 hosts of spec.tls make none', () => {
    expect(converted(anIngress([], { tls: [{ hosts: ['a.b'] }] }))).toEqual({ rules: [], notes: [] })
  })
  it('no Ingress has none', () => expect(converted({})).toEqual({ rules: [], notes: [] }))
})

describe('CF-CNV-06 the URL of a Service', () => {
  it.each([
    { name: 'a number', backend: to('web', { number: 8_080 }), service: 'http://web.default.svc:8080' },
    { name: 'a name', backend: to('web', { name: 'admin' }), service: 'http://web.default.svc:8080' },
    { name: 'neither', backend: to('web', {}), service: 'http://web.default.svc:80' },
    {
      name: 'a number without its Service',
      backend: to('gone'),
      service: 'http://gone.default.svc:80',
      reason: 'ServiceNotFound',
    },
    {
      name: 'a name without its Service',
      backend: to('gone', { name: 'a' }),
      service: 'http_status:503',
      reason: 'ServiceNotFound',
    },
    {
      name: 'a name that the Service does not have',
      backend: to('web', { name: 'a' }),
      service: 'http_status:503',
      reason: 'ServiceNotFound',
    },
  ])('$name', ({ backend, service, reason }) => {
    const ingress = anIngress([ofHost('a.b', atPath('/', backend), atPath('/x', backend))])
    expect(converted(ingress).rules.map((rule) => rule.service)).toEqual([service, service])
    expect(reasons(ingress)).toEqual(reason === undefined ? [] : [reason])
  })
})

describe('what a source says', () => {
  it('CF-AGG-07 it has its priority twice, and the age of its object', () => {
    const { rules } = converted(anIngress([ofHost('a.b', atPath('/', to('web')))]))
    expect(builtSource('Ingress', anIngress([]), 100, { rules })).toEqual({
      key: 'Ingress/default/app',
      source: {
        kind: 'Ingress',
        namespace: 'default',
        name: 'app',
        generation: 1,
        priority: 100,
        rules: [{ hostname: 'a.b', service: 'http://web.default.svc:80', priority: 100 }],
        createdAt: '2026-01-01T00:00:00Z',
      },
    })
  })
  it.each([
    { spec: {}, settings: { warpRouting: false, fallbackTarget: 'http_status:404' } },
    {
      spec: { enableWarpRouting: true, fallbackTarget: 'http://a', noTlsVerify: true, originCaPool: 'ca' },
      settings: {
        warpRouting: true,
        fallbackTarget: 'http://a',
        originRequest: { noTLSVerify: true, caPool: '/etc/cloudflared/certs/ca' },
      },
    },
    {
      spec: { noTlsVerify: false, originCaPool: '../a' },
      settings: { warpRouting: false, fallbackTarget: 'http_status:404' },
    },
  ])('CF-AGG-08 of a tunnel: $spec', ({ spec, settings }) => {
    expect(settingsOfTunnel({ spec })).toEqual(settings)
    const { key, source } = builtSource('ClusterTunnel', { metadata: { name: 'main' } }, 10, { settings })
    expect([key, source]).toEqual([
      'ClusterTunnel/main',
      { kind: 'ClusterTunnel', name: 'main', priority: 10, settings },
    ])
  })
})
