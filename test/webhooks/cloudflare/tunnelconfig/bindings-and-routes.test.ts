import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { configMapName } from '../../../../webhooks/cloudflare/aggregation/sources.ts'
import { CREDENTIALS } from '../../../../webhooks/cloudflare/credentials/schema.ts'
import { GATEWAY_CLASS_CONFIG } from '../../../../webhooks/cloudflare/gatewayclass/schema.ts'
import { GATEWAY, GATEWAY_CLASS, HTTP_ROUTE } from '../../../../webhooks/cloudflare/kubernetes.ts'
import { CLUSTER_TUNNEL } from '../../../../webhooks/cloudflare/tunnel/schema.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import { TUNNEL_ID } from '../../../support/cloudflare-world.ts'
import { aTunnelWorld, OTHER_ID } from '../../../support/tunnel-world.ts'

const TUNNEL = 'ClusterTunnel/main'
const ref = (name: string, namespace = 'demo') => ({ namespace, name })

describe('a TunnelBinding', () => {
  const bound = (kind: string, name: string) =>
    aCloudflare('TunnelBinding', { subjects: [{ name: 'web' }], tunnelRef: { kind, name } })
  it('has the domain of its tunnel, or else of the credentials', async () => {
    await using world = await aTunnelWorld(bound('ClusterTunnel', 'main'))
    await world.cluster.merge(CREDENTIALS, ref('main', ''), { spec: { defaultDomain: 'example.org' } })
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual(['web.example.org'])
    await world.cluster.merge(CLUSTER_TUNNEL, ref('main', ''), { spec: { cloudflare: { domain: 'example.com' } } })
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual(['web.example.com'])
  })
  it.each([
    { name: 'a tunnel that is not there', binding: bound('Tunnel', 'x') },
    { name: 'no tunnel', binding: aCloudflare('TunnelBinding', { subjects: [] }) },
    {
      name: 'a tunnel without an id',
      binding: bound('Tunnel', 'new'),
    },
  ])('of $name is told so, and contributes nothing', async ({ binding }) => {
    await using world = await aTunnelWorld(binding, aCloudflare('Tunnel', {}, { name: 'new' }))
    expect((await world.settled({}, 20_000)).reasons).toEqual(['ConfigError'])
    expect(await world.keys()).toEqual([TUNNEL])
  })
  it('of a Tunnel is one of its namespace; the ConfigMap of that has no owner', async () => {
    const own = { ...aCloudflare('Tunnel', {}, { name: 'own' }), status: { tunnelId: OTHER_ID } }
    await using world = await aTunnelWorld(own, bound('Tunnel', 'own'))
    world.addTunnel(OTHER_ID)
    await world.settled({}, 20_000)
    const name = configMapName(OTHER_ID)
    expect(await world.keys(name)).toEqual(['Tunnel/demo/own', 'TunnelBinding/demo/a'])
    expect((await world.stored(name))?.metadata.ownerReferences ?? []).toEqual([])
  })
})

describe('two objects of one tunnel', () => {
  it('have both their settings, and the older one owns the ConfigMap', async () => {
    const second = { ...aCloudflare('ClusterTunnel', {}, { name: 'second' }), status: { tunnelId: TUNNEL_ID } }
    await using world = await aTunnelWorld(second)
    await world.settled({}, 20_000)
    await world.settled({}, 20_000)
    expect(await world.keys()).toEqual([TUNNEL, 'ClusterTunnel/second'])
    expect((await world.stored())?.metadata.ownerReferences).toMatchObject([{ name: 'main' }])
  })
})

describe('an HTTPRoute', () => {
  const group = 'gateway.networking.k8s.io'
  const gatewayObject = (kind: string, name: string, spec: Tree, namespace?: string): Built => ({
    ...{ apiVersion: `${group}/v1`, kind, spec },
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  })
  const parametersRef = {
    group: 'networking.cloudflare-operator.io',
    kind: 'TunnelGatewayClassConfig',
    name: 'g',
    namespace: 'tars-system',
  }
  const gatewayClass = (controllerName = 'cloudflare-operator.io/gateway-controller') =>
    gatewayObject('GatewayClass', 'tunnels', { controllerName, parametersRef })
  const gateway = gatewayObject(
    'Gateway',
    'edge',
    { gatewayClassName: 'tunnels', listeners: [{ name: 'all' }] },
    'demo',
  )
  const routeSpec = {
    parentRefs: [{ name: 'edge' }],
    hostnames: ['r.example.com'],
    rules: [{ backendRefs: [{ name: 'web', port: 80 }] }],
  }
  const route = gatewayObject('HTTPRoute', 'a', routeSpec, 'demo')
  const config = aCloudflare('TunnelGatewayClassConfig', {}, { name: 'g', namespace: 'tars-system' })
  const published = async () => {
    const world = await aTunnelWorld(gatewayClass(), gateway, route, config)
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual(['r.example.com'])
    return world
  }

  it.each([
    { name: 'its Gateway is gone', of: GATEWAY, gone: ref('edge'), left: ['r.example.com'] },
    {
      name: 'the config of its class is gone',
      of: GATEWAY_CLASS_CONFIG,
      gone: ref('g', 'tars-system'),
      left: ['r.example.com'],
    },
    { name: 'it is gone itself', of: HTTP_ROUTE, gone: ref('a'), left: [] },
  ])('of a Gateway of ours is published, and $name: $left', async ({ of, gone, left }) => {
    await using world = await published()
    await world.cluster.remove(of, gone)
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual(left)
  })
  it('CF-CNV-11 of a listener for the labels of its namespace is published as long as that has them', async () => {
    const allowedRoutes = { namespaces: { from: 'Selector', selector: { matchLabels: { team: 'a' } } } }
    const listeners = [{ name: 'all', allowedRoutes }]
    const labelled = gatewayObject('Gateway', 'edge', { gatewayClassName: 'tunnels', listeners }, 'demo')
    const space = (labels: Record<string, string>) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'demo', labels },
    })
    await using world = await aTunnelWorld(gatewayClass(), labelled, route, config, space({ team: 'a' }))
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual(['r.example.com'])
    world.cluster.seed([space({ team: 'b' })])
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual([])
  })
  it('stays where the Gateway API is not served any more', async () => {
    await using world = await published()
    for (const [of, gone] of [
      [HTTP_ROUTE, ref('a')],
      [GATEWAY_CLASS, ref('tunnels', '')],
    ] as const)
      await world.cluster.remove(of, gone)
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual(['r.example.com'])
  })
  it.each([
    { name: 'of another controller', change: () => gatewayClass('example.com/other') },
    {
      name: 'that allows no routes',
      change: () =>
        gatewayObject(
          'Gateway',
          'edge',
          {
            gatewayClassName: 'tunnels',
            listeners: [{ name: 'all', allowedRoutes: { namespaces: { from: 'None' } } }],
          },
          'demo',
        ),
    },
    {
      name: 'that is none, but a Service',
      change: () => ({ ...route, spec: { ...routeSpec, parentRefs: [{ kind: 'Service', group: '', name: 'web' }] } }),
    },
  ])('goes with a parent $name', async ({ change }) => {
    await using world = await published()
    world.cluster.seed([change()])
    await world.settled({}, 20_000)
    expect(world.hostnames()).toEqual([])
  })
})
