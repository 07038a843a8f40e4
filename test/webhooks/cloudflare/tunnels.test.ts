import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../src/schema.ts'
import { NETWORK_ROUTE } from '../../../webhooks/cloudflare/networkroute/schema.ts'
import { CLUSTER_TUNNEL, TUNNEL } from '../../../webhooks/cloudflare/tunnel/schema.ts'
import { aCloudflare } from '../../support/builders/cloudflare.ts'
import { cloudflareWorld, TUNNEL_ID } from '../../support/cloudflare-world.ts'

type World = Awaited<ReturnType<typeof cloudflareWorld>>
const A = { namespace: 'demo', name: 'a' }
const SHOP = { namespace: '', name: 'shop' }
const QUIET = { writes: [], calls: [], reasons: [] }
const aTunnel = (spec: Tree = {}) => aCloudflare('Tunnel', spec)
const ofCluster = (spec: Tree = {}) => aCloudflare('ClusterTunnel', spec, { name: 'shop' })
const namesOf = ({ account }: World) =>
  [...account.tunnels.values()].filter(({ deleted_at }) => deleted_at === null).map(({ name }) => name)

describe('CF-CRD-10 a tunnel that is there already', () => {
  it.each<{ name: string; existing: Tree }>([
    { name: 'id', existing: { id: TUNNEL_ID } },
    { name: 'name', existing: { name: 'main' } },
    { name: 'id before the name', existing: { id: TUNNEL_ID, name: 'else' } },
  ])('is taken over by its $name, and stays when its object goes', async ({ existing }) => {
    await using world = await cloudflareWorld(aTunnel({ existingTunnel: existing, cloudflare: { zoneId: 'z' } }))
    expect(await world.settled()).toMatchObject({ calls: [], reasons: ['Adopted'] })
    const status = {
      tunnelId: TUNNEL_ID,
      tunnelName: 'main',
      accountId: world.account.id,
      zoneId: 'z',
      state: 'active',
    }
    expect(await world.cluster.get(TUNNEL, A)).toMatchObject({ status })
    expect(await world.settled()).toEqual(QUIET)
    await world.cluster.remove(TUNNEL, A)
    expect(await world.settled()).toMatchObject({ calls: [] })
    expect(await world.cluster.get(TUNNEL, A)).toBeUndefined()
    expect(namesOf(world)).toEqual(['main'])
  })

  it.each<{ name: string; existing: Tree }>([
    { name: 'id', existing: { id: '99999999-2222-4333-8444-555555555555' } },
    { name: 'name', existing: { name: 'else' } },
  ])('is not made where there is none of its $name, and the status has all its keys', async ({ existing }) => {
    await using world = await cloudflareWorld(aTunnel({ existingTunnel: existing }))
    expect(await world.settled()).toMatchObject({ calls: [], reasons: ['InvalidConfig'] })
    expect(await world.cluster.get(TUNNEL, A)).toMatchObject({
      status: { tunnelId: '', tunnelName: '', accountId: '', zoneId: '', state: 'error' },
    })
  })

  it('is another one where the author names another, and the first stays as it is', async () => {
    await using world = await cloudflareWorld(aTunnel({ existingTunnel: { name: 'main' } }))
    await world.settled()
    await world.ask('POST', `/accounts/${world.account.id}/cfd_tunnel`, { name: 'second', config_src: 'cloudflare' })
    await world.cluster.merge(TUNNEL, A, { spec: { existingTunnel: { name: 'second' } } })
    expect(await world.settled()).toMatchObject({ calls: [], reasons: ['Adopted'] })
    expect(await world.cluster.get(TUNNEL, A)).toMatchObject({ status: { tunnelName: 'second' } })
    expect(namesOf(world)).toEqual(['main', 'second'])
  })
})

describe('a tunnel without a word on its name', () => {
  it('has that of its object, and its configuration is kept at Cloudflare', async () => {
    await using world = await cloudflareWorld(aTunnel())
    await world.settled()
    expect(world.double.log.find(({ method }) => method === 'POST')?.body).toEqual({
      name: 'a',
      config_src: 'cloudflare',
    })
  })
})

describe('CF-ONE-01 a Tunnel and a ClusterTunnel', () => {
  it.each<{ name: string; spec: Tree }>([
    { name: 'the same name', spec: { newTunnel: { name: 'shop' } } },
    { name: 'a name that is there', spec: { existingTunnel: { name: 'shop' } } },
  ])('do not share a tunnel by $name', async ({ spec }) => {
    const younger = { ...aTunnel(spec).metadata, creationTimestamp: '2026-11-18T12:00:01Z' }
    await using world = await cloudflareWorld(ofCluster(), { ...aTunnel(spec), metadata: younger })
    await world.settled()
    expect(await world.ready(CLUSTER_TUNNEL, SHOP)).toBe('Synced')
    expect(await world.ready(TUNNEL, A)).toMatch(/^DuplicateClaim: .*ClusterTunnel\/shop$/)
    expect(namesOf(world)).toEqual(['main', 'shop'])
  })
  it('do not share it by the id that one of them records', async () => {
    const other = aCloudflare('ClusterTunnel', {}, { name: 'main' })
    const recorded = { ...other, status: { tunnelId: TUNNEL_ID } }
    const younger = aTunnel({ existingTunnel: { id: TUNNEL_ID } })
    const metadata = { ...younger.metadata, creationTimestamp: '2026-11-18T12:00:01Z' }
    await using world = await cloudflareWorld(recorded, { ...younger, metadata })
    await world.settled()
    expect(await world.ready(TUNNEL, A)).toMatch(/^DuplicateClaim: .*ClusterTunnel\/main$/)
  })
})

describe('CF-OWN-15 the end of a tunnel', () => {
  const routeOf = (tunnelRef: Tree) => aCloudflare('NetworkRoute', { network: '10.1.0.0/16', tunnelRef })
  const OF_CLUSTER = { namespace: '', name: 'a' }

  it.each([
    { name: 'a ClusterTunnel', object: ofCluster(), of: CLUSTER_TUNNEL, ref: SHOP, tunnelRef: { name: 'shop' } },
    { name: 'a Tunnel', object: aTunnel(), of: TUNNEL, ref: A, tunnelRef: { kind: 'Tunnel', ...A } },
  ])('of $name waits for its routes', async ({ object, of, ref, tunnelRef }) => {
    await using world = await cloudflareWorld(object, routeOf(tunnelRef))
    await world.settled()
    await world.settled()
    expect(world.account.routes.size).toBe(1)
    await world.cluster.remove(of, ref)
    expect(await world.settled()).toMatchObject({ calls: [] })
    expect(await world.ready(of, ref)).toBe('Deleting: waits for NetworkRoute/a')
    await world.cluster.remove(NETWORK_ROUTE, OF_CLUSTER)
    await world.settled()
    expect(await world.cluster.get(of, ref)).toBeUndefined()
    expect(namesOf(world)).toEqual(['main'])
  })

  it.each([
    { name: 'another kind', tunnelRef: { kind: 'Tunnel', namespace: 'demo', name: 'shop' } },
    { name: 'another name', tunnelRef: { name: 'else' } },
  ])('waits for no route of $name', async ({ tunnelRef }) => {
    await using world = await cloudflareWorld(ofCluster(), routeOf(tunnelRef))
    await world.settled()
    await world.cluster.remove(CLUSTER_TUNNEL, SHOP)
    await world.settled()
    expect(await world.cluster.get(CLUSTER_TUNNEL, SHOP)).toBeUndefined()
  })
  it('waits for no route of a Tunnel of another namespace', async () => {
    await using world = await cloudflareWorld(aTunnel(), routeOf({ kind: 'Tunnel', namespace: 'else', name: 'a' }))
    await world.settled()
    await world.cluster.remove(TUNNEL, A)
    await world.settled()
    expect(await world.cluster.get(TUNNEL, A)).toBeUndefined()
  })

  it('waits as long as connectors use it, with code 1022', async () => {
    await using world = await cloudflareWorld(aTunnel())
    await world.settled()
    const [, made] = world.account.tunnels.values()
    Object.assign(made ?? {}, { connections: 2 })
    await world.cluster.remove(TUNNEL, A)
    expect(await world.settled()).toMatchObject({ reasons: ['DeleteFailed'] })
    expect(await world.ready(TUNNEL, A)).toMatch(/^APIError: .*1022 .*active connections/)
    expect(await world.cluster.get(TUNNEL, A)).toMatchObject({ status: { state: 'deleting' } })
    Object.assign(made ?? {}, { connections: 0 })
    await world.settled()
    expect(await world.cluster.get(TUNNEL, A)).toBeUndefined()
    expect(namesOf(world)).toEqual(['main'])
  })
})
