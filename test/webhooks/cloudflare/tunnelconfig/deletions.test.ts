import { describe, expect, it } from 'vitest'
import { SHARED_CONFIG_MAP } from '../../../../webhooks/cloudflare/aggregation/shared-config-map.ts'
import { INGRESS } from '../../../../webhooks/cloudflare/kubernetes.ts'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'
import { CLUSTER_TUNNEL } from '../../../../webhooks/cloudflare/tunnel/schema.ts'
import { CONFIG_FINALIZER } from '../../../../webhooks/cloudflare/tunnelconfig/plan.ts'
import { anIngress, aTunnelWorld, CONFIG_MAP } from '../../../support/tunnel-world.ts'

const MAIN = { namespace: '', name: 'main' }
const many = (count: number) => Array.from({ length: count }, (_, i) => anIngress(`a${i}`))

describe('CF-AGG-05 CF-AGG-06 a tunnel that is deleted', () => {
  const deleted = async () => {
    const world = await aTunnelWorld(...many(12))
    await world.annotate({ [ANNOTATIONS.remoteOrigin]: 'created' })
    await world.cluster.merge(CLUSTER_TUNNEL, MAIN, { spec: { enableWarpRouting: true } })
    await world.settled({}, 20_000)
    expect((await world.stored())?.metadata.ownerReferences).toMatchObject([
      { kind: 'ClusterTunnel', controller: true },
    ])
    await world.cluster.remove(CLUSTER_TUNNEL, MAIN)
    return world
  }
  const expectLeft = async (world: Awaited<ReturnType<typeof deleted>>) => {
    expect((await world.stored())?.metadata.ownerReferences ?? []).toEqual([])
    expect(await world.keys()).toHaveLength(12)
    expect(await world.cluster.get(CLUSTER_TUNNEL, MAIN)).toBeUndefined()
    expect(world.remote()?.config).toMatchObject({ 'warp-routing': { enabled: false } })
    expect(new Set(world.sent().map(({ length }) => length))).toEqual(new Set([12]))
  }
  it('leaves the ConfigMap to its other sources, and its settings go', async () => {
    await using world = await deleted()
    expect((await world.cluster.get(CLUSTER_TUNNEL, MAIN))?.metadata.finalizers).toEqual([CONFIG_FINALIZER])
    await world.settled({}, 20_000)
    await expectLeft(world)
    expect(await world.settled({}, 20_000)).toMatchObject({ writes: [], calls: [] })
  })
  it('in the foreground takes the ConfigMap, which is made again', async () => {
    await using world = await deleted()
    await world.cluster.remove(SHARED_CONFIG_MAP, CONFIG_MAP)
    await world.settled({}, 20_000)
    await expectLeft(world)
  })
  it('waits while the ConfigMap cannot be read, and not for one of others', async () => {
    await using world = await deleted()
    await world.cluster.merge(SHARED_CONFIG_MAP, CONFIG_MAP, { data: { 'config.json': '{' } })
    await world.settled({}, 20_000)
    expect(await world.cluster.get(CLUSTER_TUNNEL, MAIN)).toBeDefined()
    const labels = { 'cloudflare-operator.io/type': null, 'cloudflare-operator.io/tunnel-id': null }
    await world.cluster.merge(SHARED_CONFIG_MAP, CONFIG_MAP, { metadata: { labels } })
    await world.settled({}, 20_000)
    expect(await world.cluster.get(CLUSTER_TUNNEL, MAIN)).toBeUndefined()
  })
  it('and its last source: Cloudflare has the fallback alone, and the ConfigMap is gone', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, 20_000)
    await world.cluster.remove(CLUSTER_TUNNEL, MAIN)
    await world.settled({}, 20_000)
    await world.cluster.remove(INGRESS, { namespace: 'demo', name: 'a' })
    await world.settled({}, 20_000)
    expect([await world.stored(), world.hostnames()]).toEqual([undefined, []])
  })
})

describe('the rebuild rule', () => {
  it('a ConfigMap that is deleted by hand is made again, and nothing is sent', async () => {
    await using world = await aTunnelWorld(...many(50))
    await world.settled({}, 20_000)
    await world.cluster.remove(SHARED_CONFIG_MAP, CONFIG_MAP)
    expect((await world.settled({}, 20_000)).calls).toEqual([])
    expect(await world.keys()).toHaveLength(51)
    expect(world.sent().map(({ length }) => length)).toEqual([50])
  })
  it('one without sources is not sent while nobody can tell where an Ingress contributes', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, 20_000)
    await world.cluster.remove(CLUSTER_TUNNEL, MAIN)
    await world.settled({}, 20_000)
    await world.cluster.merge(SHARED_CONFIG_MAP, CONFIG_MAP, { data: { 'config.json': '{}' } })
    expect((await world.settled({}, 20_000)).calls).toEqual([])
    expect(world.hostnames()).toEqual(['a.example.com'])
  })
  const lost = async () => {
    const world = await aTunnelWorld(...many(12))
    await world.settled({}, 20_000)
    await world.cluster.remove(CLUSTER_TUNNEL, MAIN)
    await world.settled({}, 20_000)
    const { version = 0 } = world.remote() ?? {}
    await world.cluster.remove(SHARED_CONFIG_MAP, CONFIG_MAP)
    return { ...world, version }
  }
  it('CF-AGG-23 a ConfigMap without an object of its tunnel is made again by the annotations of its sources', async () => {
    await using world = await lost()
    expect((await world.settled({}, 20_000)).calls).toEqual([])
    expect(await world.keys()).toHaveLength(12)
    expect([await world.status(), world.remote()?.version]).toEqual(['Synced', world.version])
    await world.cluster.remove(INGRESS, { namespace: 'demo', name: 'a0' })
    await world.settled({}, 20_000)
    expect(world.hostnames()).toHaveLength(11)
  })
  it('CF-AGG-23 and one that is another one than at Cloudflare is not sent: authors can write annotations', async () => {
    await using world = await lost()
    Object.assign(world.remote() ?? {}, { config: { ingress: [{ service: 'http_status:404' }] } })
    expect(await world.settled({}, 20_000)).toMatchObject({ calls: [], reasons: ['ForeignRules'] })
    expect([await world.status(), world.hostnames()]).toEqual(['Blocked', []])
    for (let i = 0; i < 12; i += 1) await world.cluster.remove(INGRESS, { namespace: 'demo', name: `a${i}` })
    expect(await world.settled({}, 20_000)).toMatchObject({ calls: [] })
    expect(await world.stored()).toBeUndefined()
  })
  it('what takes many hostnames away is sent after a second look', async () => {
    await using world = await aTunnelWorld(...many(30))
    await world.settled({}, 20_000)
    for (let i = 0; i < 29; i += 1) await world.cluster.remove(INGRESS, { namespace: 'demo', name: `a${i}` })
    expect((await world.settled({}, 5_000)).reasons).toEqual(['MassRemoval'])
    expect(world.hostnames()).toHaveLength(30)
    await world.settled({}, 30_000)
    expect(world.hostnames()).toEqual(['a29.example.com'])
  })
})
