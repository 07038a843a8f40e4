import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { SHARED_CONFIG_MAP } from '../../../../webhooks/cloudflare/aggregation/shared-config-map.ts'
import { CREDENTIALS } from '../../../../webhooks/cloudflare/credentials/schema.ts'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'
import { TUNNEL_ID } from '../../../support/cloudflare-world.ts'
import { anIngress, aRule, aTunnelWorld, CONFIG_MAP } from '../../../support/tunnel-world.ts'

const MAIN = { namespace: '', name: 'main' }
const A = 'Ingress/demo/a'
const foreign = {
  ingress: [{ hostname: 'theirs.example.com', service: 'http://theirs' }, { service: 'http_status:404' }],
}
/** Compared with Cloudflare again in the next turn. */
const DRIFT = { cloudflareDriftSeconds: 1 }

describe('CF-AGG-14 the state of what was sent', () => {
  it('stands in annotations', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, 20_000)
    expect((await world.stored())?.metadata.annotations).toMatchObject({
      'cloudflare-operator.io/sync-status': 'Synced',
      'cloudflare-operator.io/config-version': '1',
      'cloudflare-operator.io/rule-count': '1',
    })
  })
  it('that was not noted is found at Cloudflare, and nothing is sent twice', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, 20_000)
    await world.cluster.merge(SHARED_CONFIG_MAP, CONFIG_MAP, { metadata: { annotations: null } })
    expect((await world.settled({}, 20_000)).calls).toEqual([])
    expect(await world.status()).toBe('Synced')
  })
  it.each([
    { name: 'an outage', fault: { do: 'html' }, status: 'Error', reason: 'SyncFailed' },
    { name: 'a limit of calls', fault: { do: 'answer', status: 429 }, status: 'RateLimited', reason: undefined },
    { name: 'a refusal', fault: { do: 'answer', status: 400, code: 1004 }, status: 'Error', reason: 'SyncFailed' },
  ] as const)(
    '$name is noted, leaves both sides as they are, and is over with it',
    async ({ fault, status, reason }) => {
      await using world = await aTunnelWorld(anIngress('a'))
      world.double.faults.plan({ method: 'PUT', times: 9, ...fault })
      expect((await world.settled({}, 1_000)).reasons).toEqual(reason === undefined ? [] : [reason])
      expect(await world.status()).toBe(status)
      expect(await world.keys()).toContain(A)
      expect(world.remote()?.version).toBe(0)
      world.double.faults.clear()
      await world.settled({}, 400_000)
      expect([await world.status(), world.hostnames()]).toEqual(['Synced', ['a.example.com']])
    },
  )
  it('says which credentials are missing', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await world.cluster.remove(CREDENTIALS, MAIN)
    expect((await world.settled({}, 1_000)).reasons).toEqual(['SyncFailed'])
    expect([await world.status(), world.double.log]).toEqual(['Error', []])
    expect(await world.keys()).toContain(A)
  })
  it('a tunnel that is gone at Cloudflare keeps its sources', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    world.account.tunnels.delete(TUNNEL_ID)
    await world.settled({}, 1_000)
    expect([await world.status(), await world.keys()]).toEqual(['TunnelGone', ['ClusterTunnel/main', A]])
  })
  it('and one that goes between the look and the PUT, too', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    world.double.faults.plan({ method: 'PUT', times: 9, do: 'answer', status: 404, code: 1003 })
    await world.settled({}, 1_000)
    expect(await world.status()).toBe('TunnelGone')
  })
  it('an outage is not asked about sooner because something else changes', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    world.double.faults.plan({ method: 'GET', times: 9, do: 'html' })
    await world.settled({}, 0)
    expect(world.double.log).toHaveLength(1)
  })
})

describe('CF-AGG-17 CF-TST-12 what somebody else changed at Cloudflare', () => {
  const changed = async (world: Awaited<ReturnType<typeof aTunnelWorld>>) => {
    await world.settled({}, 20_000)
    const remote = world.remote()
    if (remote !== undefined) Object.assign(remote, { config: foreign, version: 7 })
  }
  it('is told and sent again', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await changed(world)
    expect((await world.settled(DRIFT, 3_000)).reasons).toEqual(['DriftDetected'])
    expect(world.hostnames()).toEqual(['a.example.com'])
  })
  it('stays where an annotation asks for it', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    await changed(world)
    await world.cluster.merge(SHARED_CONFIG_MAP, CONFIG_MAP, {
      metadata: { annotations: { [ANNOTATIONS.drift]: 'ignore' } },
    })
    expect((await world.settled(DRIFT, 3_000)).reasons).toEqual([])
    expect(world.hostnames()).toEqual(['theirs.example.com'])
  })
})

describe('CF-AGG-18 rules of others in a tunnel that was there before', () => {
  const taken = async (annotations: Tree) => {
    const world = await aTunnelWorld(anIngress('a'))
    Object.assign(world.remote() ?? {}, { config: foreign, version: 3 })
    await world.annotate(annotations)
    return world
  }
  it('block it, and are told', async () => {
    await using world = await taken({})
    expect((await world.settled({}, 1_000)).reasons).toEqual(['ForeignRules'])
    expect([await world.status(), world.hostnames()]).toEqual(['Blocked', ['theirs.example.com']])
  })
  it.each([
    { name: 'where that is asked for', annotations: { [ANNOTATIONS.foreignRules]: 'overwrite' } },
    { name: 'in a tunnel that we made', annotations: { [ANNOTATIONS.remoteOrigin]: 'created' } },
  ])('are replaced $name', async ({ annotations }) => {
    await using world = await taken(annotations)
    await world.settled({}, 1_000)
    expect(world.hostnames()).toEqual(['a.example.com'])
  })
  it('a tunnel that is configured by a file is left alone', async () => {
    await using world = await taken({ [ANNOTATIONS.foreignRules]: 'overwrite' })
    Object.assign(world.remote() ?? {}, { source: 'local' })
    await world.settled({}, 1_000)
    expect(await world.status()).toBe('Blocked')
  })
})

describe('CF-AGG-13 a rule that Cloudflare calls bad', () => {
  it('is left out, and all others are sent', async () => {
    await using world = await aTunnelWorld(anIngress('a'), anIngress('b'))
    world.double.faults.plan({
      method: 'PUT',
      do: 'answer',
      status: 400,
      code: 1056,
      message: 'Bad Configuration: Rule #1: no',
    })
    expect((await world.settled({}, 1_000)).reasons).toEqual(['InvalidRule'])
    expect(world.hostnames()).toEqual(['b.example.com'])
    expect((await world.stored())?.metadata.annotations?.['cloudflare-operator.io/quarantined']).toContain(
      'a.example.com',
    )
  })
  it('without a number nothing is sent', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    world.double.faults.plan({
      method: 'PUT',
      times: 9,
      do: 'answer',
      status: 400,
      code: 1056,
      message: 'Bad Configuration',
    })
    await world.settled({}, 1_000)
    expect([await world.status(), world.hostnames()]).toEqual(['Error', []])
  })
})

describe('CF-AGG-03 a ConfigMap that is no configuration', () => {
  const broken = async () => {
    const world = await aTunnelWorld(anIngress('a'))
    await world.settled({}, 20_000)
    await world.cluster.merge(SHARED_CONFIG_MAP, CONFIG_MAP, { data: { 'config.json': '{"sources":' } })
    return world
  }
  it('is never overwritten, and nothing is sent', async () => {
    await using world = await broken()
    expect(await world.settled({}, 20_000)).toMatchObject({
      calls: [],
      reasons: expect.arrayContaining(['ParseError']),
    })
    expect(await world.status()).toBe('Error')
    expect((await world.stored())?.data?.['config.json']).toBe('{"sources":')
    expect(world.hostnames()).toEqual(['a.example.com'])
  })
  it('is made of the objects where an annotation asks for that', async () => {
    await using world = await broken()
    const annotations = { 'cloudflare-operator.io/reset': 'true' }
    await world.cluster.merge(SHARED_CONFIG_MAP, CONFIG_MAP, { metadata: { annotations } })
    await world.settled({}, 20_000)
    expect(await world.keys()).toEqual(['ClusterTunnel/main', A])
    expect(world.hostnames()).toEqual(['a.example.com'])
  })
})

describe('CF-AGG-02 a ConfigMap of that name without our label', () => {
  it('is left alone, with an event', async () => {
    await using world = await aTunnelWorld(anIngress('a'))
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: CONFIG_MAP, data: { own: 'x' } }
    world.cluster.seed([theirs])
    expect(await world.settled({}, 20_000)).toMatchObject({ writes: [], calls: [], reasons: ['ForeignConfigMap'] })
    expect((await world.stored())?.data).toEqual({ own: 'x' })
  })
})

describe('CF-AGG-19 the size', () => {
  const large = (name: string, many: number) =>
    anIngress(name, {
      rules: Array.from({ length: many }, (_, i) => aRule(`${name}${i}.example.com`, `/${'x'.repeat(800)}`)),
    })
  it('is told of before it is too large', async () => {
    await using world = await aTunnelWorld(large('a', 800))
    expect((await world.settled({}, 1_000)).reasons).toContain('TunnelConfigLarge')
  })
  it('an Ingress that would make it too large is told so, and all others are sent', async () => {
    await using world = await aTunnelWorld(anIngress('b'), large('a', 1_200))
    expect((await world.settled({}, 1_000)).reasons).toContain('TunnelConfigTooLarge')
    expect(world.hostnames()).toEqual(['b.example.com'])
  })
})
