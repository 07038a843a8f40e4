import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { INGRESS } from '../../../../webhooks/cloudflare/kubernetes.ts'
import { CLUSTER_TUNNEL } from '../../../../webhooks/cloudflare/tunnel/schema.ts'
import { CONFIG_FINALIZER } from '../../../../webhooks/cloudflare/tunnelconfig/plan.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import { TUNNEL_ID } from '../../../support/cloudflare-world.ts'
import { anIngress, aWholeTunnelWorld } from '../../../support/tunnel-world.ts'

// A tunnel has two controllers: one makes and deletes it, the other one sends its configuration.

const SHOP = { namespace: '', name: 'shop' }
const aTunnel = (spec: Tree) => aCloudflare('ClusterTunnel', { enableWarpRouting: true, ...spec }, SHOP)
const FOR_MS = 20_000
const QUIET = { writes: [], calls: [], reasons: [] }

/** With what is at rest after its first turns. */
async function settledWorld(spec: Tree) {
  const world = await aWholeTunnelWorld(aTunnel(spec), anIngress('a'))
  const settled = () => world.settled({}, FOR_MS)
  await settled()
  const tunnel = await world.cluster.get(CLUSTER_TUNNEL, SHOP)
  const { tunnelId = '' } = tunnel?.status ?? {}
  const name = `tunnel-config-${tunnelId}`
  return { ...world, settledLonger: settled, tunnel, tunnelId, name }
}

describe('both controllers of a tunnel', () => {
  it.each<{ name: string; spec: Tree }>([
    { name: 'that is made', spec: {} },
    { name: 'that was there', spec: { existingTunnel: { id: TUNNEL_ID } } },
  ])('$name come to rest with one finalizer each, and a second pass writes nothing', async ({ spec }) => {
    await using world = await settledWorld(spec)
    const { metadata, status } = world.tunnel ?? {}
    expect(metadata?.finalizers?.toSorted()).toEqual(['cloudflare-operator.io/finalizer', CONFIG_FINALIZER])
    expect(status).toMatchObject({ state: 'active', tunnelId: world.tunnelId })
    expect([world.hostnames(world.tunnelId), world.sent()]).toEqual([['a.example.com'], [['a.example.com']]])
    expect(await world.settledLonger()).toEqual(QUIET)
    expect(await world.cluster.get(CLUSTER_TUNNEL, SHOP)).toEqual(world.tunnel)
  })

  it.each<{ name: string; spec: Tree; left: Tree; status: string }>([
    {
      name: 'one that was made goes at Cloudflare',
      spec: {},
      left: { deleted_at: expect.any(String) },
      status: 'TunnelGone',
    },
    {
      name: 'one that was there stays, without its settings',
      spec: { existingTunnel: { id: TUNNEL_ID } },
      left: { deleted_at: null, config: { 'warp-routing': { enabled: false } } },
      status: 'Synced',
    },
  ])('CF-AGG-05 free it when it is deleted: $name', async ({ spec, left, status }) => {
    await using world = await settledWorld(spec)
    await world.cluster.remove(CLUSTER_TUNNEL, SHOP)
    await world.settledLonger()
    expect(await world.cluster.get(CLUSTER_TUNNEL, SHOP)).toBeUndefined()
    expect(await world.keys(world.name)).toEqual(['Ingress/demo/a'])
    const { ownerReferences = [], annotations } = (await world.stored(world.name))?.metadata ?? {}
    expect([ownerReferences, annotations?.['cloudflare-operator.io/sync-status']]).toEqual([[], status])
    expect(world.remote(world.tunnelId)).toMatchObject(left)
    expect(new Set(world.sent().map(String))).toEqual(new Set(['a.example.com']))
    expect(await world.settledLonger()).toMatchObject({ writes: [], reasons: [] })
    await world.cluster.remove(INGRESS, { namespace: 'demo', name: 'a' })
    await world.settledLonger()
    expect(await world.stored(world.name)).toBeUndefined()
  })
})
