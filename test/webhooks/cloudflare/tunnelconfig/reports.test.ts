import { describe, expect, it } from 'vitest'
import type { Built, KubeObject, Resource } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { statusIn } from '../../../../webhooks/cloudflare/engine/seen.ts'
import { HTTP_ROUTE, INGRESS, INGRESS_CLASS } from '../../../../webhooks/cloudflare/kubernetes.ts'
import { CLUSTER_TUNNEL } from '../../../../webhooks/cloudflare/tunnel/schema.ts'
import { TUNNEL_BINDING } from '../../../../webhooks/cloudflare/tunnelbinding/schema.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import { TUNNEL_ID } from '../../../support/cloudflare-world.ts'
import { NOW } from '../../../support/clusters.ts'
import { anIngress, aTunnelWorld, type TunnelWorld } from '../../../support/tunnel-world.ts'

const ref = (name: string, namespace = 'demo') => ({ namespace, name })
const FOR_MS = 20_000
const QUIET = { writes: [], calls: [], reasons: [] }
const ANNOTATION = 'cloudflare-operator.io/tunnel-id'
const ADDRESS = { loadBalancer: { ingress: [{ hostname: `${TUNNEL_ID}.cfargotunnel.com` }] } }

async function found(world: TunnelWorld, of: Resource<KubeObject>, at = ref('a')) {
  const object = await world.cluster.get(of, at)
  return { status: object && statusIn(object), annotations: object?.metadata.annotations ?? {} }
}

describe('CF-CRD-02 the status of a tunnel', () => {
  it('has the version that was sent and its hostnames, and is written once', async () => {
    await using world = await aTunnelWorld(anIngress('a'), anIngress('b'))
    await world.settled({}, FOR_MS)
    const { status } = await found(world, CLUSTER_TUNNEL, ref('main', ''))
    expect(status).toMatchObject({ configVersion: 1, syncedHostnames: ['a.example.com', 'b.example.com'] })
    expect(await world.settled({}, FOR_MS)).toEqual(QUIET)
  })
  it('that was not written when its configuration was sent is written later, without a call', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, FOR_MS)
    await world.cluster.merge(CLUSTER_TUNNEL, ref('main', ''), { status: { configVersion: null } })
    expect((await world.settled({}, FOR_MS)).calls).toEqual([])
    expect((await found(world, CLUSTER_TUNNEL, ref('main', ''))).status).toMatchObject({ configVersion: 1 })
  })
})

describe('CF-CNV-01 CF-AGG-23 an Ingress', () => {
  it('has the address of its tunnel, and the annotation by which it finds it', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, FOR_MS)
    expect(await found(world, INGRESS)).toEqual({ status: ADDRESS, annotations: { [ANNOTATION]: TUNNEL_ID } })
    world.double.faults.plan({ times: 99, do: 'html' })
    await world.cluster.remove(CLUSTER_TUNNEL, ref('main', ''))
    await world.settled({}, FOR_MS)
    expect((await found(world, INGRESS)).status).toEqual(ADDRESS)
  })
  it.each<{ name: string; status: Tree; left: Tree }>([
    { name: 'has neither any more', status: {}, left: { loadBalancer: {} } },
    {
      name: 'keeps the address that the other one wrote',
      status: { loadBalancer: { ingress: [{ hostname: 'other.example.com' }] } },
      left: { loadBalancer: { ingress: [{ hostname: 'other.example.com' }] } },
    },
  ])('that another controller serves from now on $name', async ({ status, left }) => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, FOR_MS)
    await world.cluster.merge(INGRESS, ref('a'), { status })
    world.cluster.seed([otherClass])
    await world.cluster.merge(INGRESS, ref('a'), { spec: { ingressClassName: 'other' } })
    await world.settled({}, FOR_MS)
    expect(await found(world, INGRESS)).toEqual({ status: left, annotations: {} })
    expect(await world.settled({}, FOR_MS)).toEqual(QUIET)
  })
  it('of a hundred gets both in a later turn, and the configuration does not wait for it', async () => {
    await using world = await aTunnelWorld(...Array.from({ length: 100 }, (_, i) => anIngress(`a${i}`)))
    await world.settled({}, FOR_MS)
    expect(world.sent().map(({ length }) => length)).toEqual([100])
    const all = await world.cluster.list(INGRESS, { namespace: 'demo' })
    expect(new Set(all.map((each) => JSON.stringify(statusIn(each))))).toEqual(new Set([JSON.stringify(ADDRESS)]))
    expect(await world.settled({}, FOR_MS)).toEqual(QUIET)
  })
  const otherClass: Built = {
    apiVersion: 'networking.k8s.io/v1',
    kind: INGRESS_CLASS.kind,
    metadata: { name: 'other' },
    spec: { controller: 'example.com/other' },
  }
})

describe('CF-CNV-10 a TunnelBinding', () => {
  const subjects = [
    { name: 'web', spec: { fqdn: 'web.example.com' } },
    { name: 'gone', spec: { fqdn: 'a.example.com' } },
  ]
  const binding = aCloudflare('TunnelBinding', { subjects, tunnelRef: { kind: 'ClusterTunnel', name: 'main' } })

  it('says what was published, and once in each generation that it is deprecated', async () => {
    await using world = await aTunnelWorld(binding)
    expect((await world.settled({}, FOR_MS)).reasons.toSorted()).toEqual(['Deprecated', 'ServiceNotFound'])
    expect((await found(world, TUNNEL_BINDING)).status).toEqual({
      hostnames: 'web.example.com,a.example.com',
      services: [
        { hostname: 'web.example.com', target: 'http://web.demo.svc:80' },
        { hostname: 'a.example.com', target: 'http_status:404' },
      ],
      configVersion: 1,
      syncedHostnames: ['a.example.com', 'web.example.com'],
    })
    expect((await world.settled({}, FOR_MS)).reasons).toEqual(['ServiceNotFound'])
    await world.cluster.merge(TUNNEL_BINDING, ref('a'), { subjects: subjects.slice(1) })
    expect((await world.settled({}, FOR_MS)).reasons.toSorted()).toEqual(['Deprecated', 'ServiceNotFound'])
  })
  it('has an annotation that names a conflict, as long as there is one', async () => {
    const older = { ...anIngress('a'), metadata: { ...ref('a', 'other'), creationTimestamp: '2020-01-01T00:00:00Z' } }
    await using world = await aTunnelWorld(binding, older)
    await world.settled({}, FOR_MS)
    const conflict = async () => (await found(world, TUNNEL_BINDING)).annotations['cloudflare-operator.io/conflict']
    expect(await conflict()).toContain('Ingress/other/a of another namespace had the hostname first')
    await world.cluster.remove(INGRESS, ref('a', 'other'))
    await world.settled({}, FOR_MS)
    expect(await conflict()).toBeUndefined()
  })
})

describe('CF-CNV-11 an HTTPRoute', () => {
  const gatewayObject = (kind: string, name: string, spec: Tree, namespace?: string): Built => ({
    ...{ apiVersion: 'gateway.networking.k8s.io/v1', kind, spec },
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  })
  const parametersRef = {
    ...{ group: 'networking.cloudflare-operator.io', kind: 'TunnelGatewayClassConfig' },
    ...{ name: 'g', namespace: 'tars-system' },
  }
  const controllerName = 'cloudflare-operator.io/gateway-controller'
  const gateway = (listener: Tree = {}) =>
    gatewayObject('Gateway', 'edge', { gatewayClassName: 'tunnels', listeners: [{ name: 'all', ...listener }] }, 'demo')
  const around = [
    gatewayObject('GatewayClass', 'tunnels', { controllerName, parametersRef }),
    aCloudflare('TunnelGatewayClassConfig', {}, { name: 'g', namespace: 'tars-system' }),
  ]
  const aRoute = (...rules: readonly Tree[]): Built => {
    const usual = [{ backendRefs: [{ name: 'web', port: 80 }] }]
    const spec = { parentRefs: [{ name: 'edge' }], hostnames: ['r.example.com'], rules: [...usual, ...rules] }
    return gatewayObject('HTTPRoute', 'a', spec, 'demo')
  }
  const condition = (type: string, status: string, reason: string) => ({
    type,
    status,
    reason,
    lastTransitionTime: NOW,
  })
  const foreign = { parentRef: { name: 'edge' }, controllerName: 'example.com/other', conditions: [] }
  const denied = { allowedRoutes: { namespaces: { from: 'None' } } }

  it.each<{ name: string; listener?: Tree; rules?: readonly Tree[]; conditions: readonly Tree[] }>([
    {
      name: 'that is published',
      conditions: [condition('Accepted', 'True', 'Accepted'), condition('ResolvedRefs', 'True', 'ResolvedRefs')],
    },
    {
      name: 'of which a part is published',
      rules: [{ matches: [{ method: 'GET' }], backendRefs: [{ name: 'gone', port: 80 }] }],
      conditions: [
        condition('Accepted', 'True', 'Accepted'),
        condition('ResolvedRefs', 'False', 'BackendNotFound'),
        condition('PartiallyInvalid', 'True', 'UnsupportedValue'),
      ],
    },
    {
      name: 'that its Gateway does not allow',
      listener: denied,
      conditions: [
        condition('Accepted', 'False', 'NotAllowedByListeners'),
        condition('ResolvedRefs', 'True', 'ResolvedRefs'),
      ],
    },
  ])('$name says so, beside what another controller says', async ({ listener, rules = [], conditions }) => {
    const route = { ...aRoute(...rules), status: { parents: [foreign] } }
    await using world = await aTunnelWorld(...around, gateway(listener), route)
    await world.settled({}, FOR_MS)
    const ours = { parentRef: { name: 'edge' }, controllerName, conditions }
    expect((await found(world, HTTP_ROUTE)).status).toMatchObject({ parents: [foreign, ours] })
    expect((await world.settled({}, FOR_MS)).writes).toEqual([])
  })
  it('that is denied from now on is told in its place, and without a parent of ours nothing is left of it', async () => {
    await using world = await aTunnelWorld(...around, gateway(), aRoute())
    await world.settled({}, FOR_MS)
    world.cluster.seed([gateway(denied)])
    await world.settled({}, FOR_MS)
    expect((await found(world, HTTP_ROUTE)).status).toMatchObject({
      parents: [
        {
          conditions: [
            { type: 'Accepted', status: 'False' },
            { type: 'ResolvedRefs', status: 'True' },
          ],
        },
      ],
    })
    await world.cluster.merge(HTTP_ROUTE, ref('a'), { spec: { parentRefs: [] } })
    await world.settled({}, FOR_MS)
    expect((await found(world, HTTP_ROUTE)).status).toEqual({ parents: [] })
  })
})
