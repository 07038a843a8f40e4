import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { SHARED_CONFIG_MAP } from '../../../../webhooks/cloudflare/aggregation/shared-config-map.ts'
import { configMapName } from '../../../../webhooks/cloudflare/aggregation/sources.ts'
import { INGRESS_CLASS_CONFIG } from '../../../../webhooks/cloudflare/ingressclass/schema.ts'
import { INGRESS, INGRESS_CLASS, ORIGIN_SERVICE } from '../../../../webhooks/cloudflare/kubernetes.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import {
  aConfig,
  anIngress,
  aRule,
  aService,
  aTunnelWorld,
  CLASS,
  CONFIG_MAP,
  CONFIGURED,
  OTHER_ID,
} from '../../../support/tunnel-world.ts'

const TUNNEL = 'ClusterTunnel/main'
const A = 'Ingress/demo/a'
const B = 'Ingress/demo/b'
const ref = (name: string, namespace = 'demo') => ({ namespace, name })

describe('the configuration of a tunnel', () => {
  it('has all of its sources in one ConfigMap, and a second turn writes nothing', async () => {
    const binding = aCloudflare('TunnelBinding', {
      subjects: [{ name: 'web', spec: { fqdn: 'bound.example.com' } }],
      tunnelRef: { kind: 'ClusterTunnel', name: 'main' },
    })
    await using world = await aTunnelWorld(anIngress('a'), anIngress('b'), binding)
    expect(await world.settled({}, 20_000)).toMatchObject({ reasons: ['Deprecated'] })
    expect(await world.keys()).toEqual([TUNNEL, A, B, 'TunnelBinding/demo/a'])
    expect(world.sent()).toEqual([['bound.example.com', 'a.example.com', 'b.example.com']])
    expect(await world.settled({}, 20_000)).toMatchObject({ writes: [], calls: [], reasons: [] })
  })
  it('loses what is deleted, and keeps the rest', async () => {
    await using world = await aTunnelWorld(anIngress('a'), anIngress('b'))
    await world.settled({}, 20_000)
    await world.cluster.remove(INGRESS, ref('a'))
    await world.settled({}, 20_000)
    expect(await world.keys()).toEqual([TUNNEL, B])
    expect(world.hostnames()).toEqual(['b.example.com'])
  })
  it('a hundred Ingresses are one change of the ConfigMap and one PUT', async () => {
    const many = Array.from({ length: 100 }, (_, i) => anIngress(`a${i}`))
    await using world = await aTunnelWorld(...many)
    await world.settled({}, 20_000)
    expect(world.sent().map(({ length }) => length)).toEqual([100])
    expect((await world.stored())?.metadata.resourceVersion).toBeDefined()
  })
})

describe('CF-CNV-01 CF-CNV-02 an Ingress', () => {
  const other: Built = { ...CLASS, metadata: { name: 'nginx' }, spec: { controller: 'k8s.io/ingress-nginx' } }

  it.each([
    { name: 'of a class without parameters is one of the only tunnel', objects: [anIngress('a')], has: [A], says: [] },
    {
      name: 'of another class is not ours',
      objects: [other, anIngress('a', { ingressClassName: 'nginx' })],
      has: [],
      says: [],
    },
    {
      name: 'of two tunnels and no parameters is told so',
      objects: [anIngress('a'), aCloudflare('ClusterTunnel', {}, { name: 'second' })],
      has: [],
      says: ['ConfigError'],
    },
  ])('$name', async ({ objects, has, says }) => {
    await using world = await aTunnelWorld(...objects)
    expect((await world.settled({}, 20_000)).reasons).toEqual(says)
    expect(await world.keys()).toEqual([TUNNEL, ...has])
  })
  it('has the tunnel of its config, and only in the namespaces of that', async () => {
    await using world = await aTunnelWorld(aConfig({ watchNamespaces: ['demo'] }), anIngress('a'), {
      ...anIngress('b'),
      metadata: { name: 'b', namespace: 'elsewhere' },
    })
    world.cluster.seed([CONFIGURED])
    await world.settled({}, 20_000)
    expect(await world.keys()).toEqual([TUNNEL, A])
  })
  it('that is of another class now goes', async () => {
    await using world = await aTunnelWorld(anIngress('a'), other)
    await world.settled({}, 20_000)
    await world.cluster.merge(INGRESS, ref('a'), { spec: { ingressClassName: 'nginx' } })
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual([])
  })
})

describe('CF-AGG-21 what a source needs is not there any more', () => {
  it.each([
    { name: 'its class', of: INGRESS_CLASS, gone: ref('cloudflare', '') },
    { name: 'the config of its class', of: INGRESS_CLASS_CONFIG, gone: ref('c', 'tars-system') },
  ])('$name: it stays as it was', async ({ of, gone }) => {
    await using world = await aTunnelWorld(aConfig(), anIngress('a'))
    world.cluster.seed([CONFIGURED])
    await world.settled({}, 20_000)
    await world.cluster.remove(of, gone)
    await world.settled({}, 20_000)
    expect(await world.keys()).toEqual([TUNNEL, A])
    expect(world.hostnames()).toEqual(['a.example.com'])
  })
})

describe('CF-AGG-20 a source whose object is gone', () => {
  const upstream = { kind: 'Ingress', rules: [{ hostname: 'old.example.com', service: 'http://old' }] }
  it('goes, and one of a kind that is not ours to judge stays', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, 20_000)
    const stored = await world.stored()
    const content: { sources: object } = JSON.parse(stored?.data?.['config.json'] ?? '{}')
    const sources = {
      ...content.sources,
      'Ingress/tars-system/config': upstream,
      'External/x': { ...upstream, kind: 'External' },
      odd: {},
      'Ingress/a/b/c': {},
    }
    const text = JSON.stringify({ ...content, sources })
    await world.cluster.merge(SHARED_CONFIG_MAP, CONFIG_MAP, { data: { 'config.json': text } })
    await world.settled({}, 20_000)
    expect(await world.keys()).toEqual([TUNNEL, 'External/x', A, 'Ingress/a/b/c', 'odd'].toSorted())
  })
})

describe('CF-AGG-16 an Ingress that moves to another tunnel', () => {
  it('is in the new one before it leaves the old one', async () => {
    const second = { ...aCloudflare('ClusterTunnel', {}, { name: 'second' }), status: { tunnelId: OTHER_ID } }
    await using world = await aTunnelWorld(aConfig(), anIngress('a'), second)
    world.cluster.seed([CONFIGURED])
    world.addTunnel(OTHER_ID)
    await world.settled({}, 20_000)
    expect([world.hostnames(), world.hostnames(OTHER_ID)]).toEqual([['a.example.com'], []])
    await world.cluster.merge(INGRESS_CLASS_CONFIG, ref('c', 'tars-system'), {
      spec: { tunnelRef: { name: 'second' } },
    })
    world.double.log.splice(0)
    await world.settled({}, 30_000)
    expect(await world.keys(configMapName(OTHER_ID))).toEqual(['ClusterTunnel/second', A])
    expect(await world.keys()).toEqual([TUNNEL])
    expect([world.hostnames(), world.hostnames(OTHER_ID)]).toEqual([[], ['a.example.com']])
    expect(world.sent()).toEqual([['a.example.com'], []])
  })
})

describe('CF-CNV-03 CF-CNV-06 what an Ingress cannot have is told once', () => {
  it.each([
    { name: 'a rule without a host', spec: { rules: [{ http: aRule('').http }] }, says: ['RuleSkipped'] },
    {
      name: 'a Service that is not there',
      spec: { rules: [aRule('a.example.com', '/', { service: { name: 'x', port: { number: 80 } } })] },
      says: ['ServiceNotFound'],
    },
    {
      name: 'a host twice',
      spec: { rules: [aRule('a.example.com'), aRule('a.example.com')] },
      says: ['DuplicateRule'],
    },
    { name: 'a path that no tunnel can match', spec: { rules: [aRule('a_b!.example.com')] }, says: ['InvalidRule'] },
  ])('$name', async ({ spec, says }) => {
    await using world = await aTunnelWorld(anIngress('a', spec))
    expect((await world.settled({}, 20_000)).reasons).toEqual(says)
  })
  it('a port of a Service that changes is another service', async () => {
    const named = { service: { name: 'web', port: { name: 'http' } } }
    const ports = (port: number) => ({ ports: [{ name: 'http', port }] })
    await using world = await aTunnelWorld(anIngress('a', { rules: [aRule('a.example.com', '/', named)] }))
    world.cluster.seed([aService(ports(8080))])
    await world.settled({}, 20_000)
    expect(world.remote()?.config).toMatchObject({ ingress: [{ service: 'http://web.demo.svc:8080' }, {}] })
    await world.cluster.merge(ORIGIN_SERVICE, ref('web'), { spec: ports(9090) })
    await world.settled({}, 20_000)
    expect(world.remote()?.config).toMatchObject({ ingress: [{ service: 'http://web.demo.svc:9090' }, {}] })
  })
})

describe('CF-AGG-10 of two sources that have one rule', () => {
  it('the one that lost is told of the winner', async () => {
    await using world = await aTunnelWorld(anIngress('a'), anIngress('b', { rules: [aRule('a.example.com')] }))
    expect((await world.settled({}, 20_000)).reasons).toEqual(['DuplicateRule'])
    expect(world.hostnames()).toEqual(['a.example.com'])
  })
})
