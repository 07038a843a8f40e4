import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { CREDENTIALS } from '../../../../webhooks/cloudflare/credentials/schema.ts'
import { DNS_RECORD } from '../../../../webhooks/cloudflare/dnsrecord/schema.ts'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'
import { NETWORK_ROUTE } from '../../../../webhooks/cloudflare/networkroute/schema.ts'
import { R2_BUCKET } from '../../../../webhooks/cloudflare/r2bucket/schema.ts'
import { VIRTUAL_NETWORK } from '../../../../webhooks/cloudflare/virtualnetwork/schema.ts'
import { until } from '../../../cluster/until.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import { cloudflareWorld, USUAL_TUNNEL } from '../../../support/cloudflare-world.ts'
import { NOW } from '../../../support/clusters.ts'

const A = { namespace: 'demo', name: 'a' }
const OF_CLUSTER = { namespace: '', name: 'a' }
const BUCKET = { name: 'assets' }
const MAIN = { namespace: '', name: 'main' }
const aRecord = (spec: Tree = {}, more: Parameters<typeof aCloudflare>[2] = {}) => aCloudflare('DNSRecord', spec, more)

describe('CF-CRD-09 an object says why nothing is done for it', () => {
  it.each<{ name: string; spec: Tree; says: string; reason: string }>([
    {
      name: 'both content and data',
      spec: { data: {} },
      says: 'InvalidConfig: .*it has both .CF-V-02.',
      reason: 'InvalidConfig',
    },
    {
      name: 'a mark of its own',
      spec: { comment: '[managed-by:x' },
      says: 'InvalidConfig: .*CF-V-06',
      reason: 'InvalidConfig',
    },
    {
      name: 'a field that is not built',
      spec: { content: undefined, sourceRef: {} },
      says: 'InvalidConfig: .*spec.sourceRef is kept',
      reason: 'InvalidConfig',
    },
    {
      name: 'a name without a zone',
      spec: { name: 'api.example.net' },
      says: 'DependencyNotReady: no zone of api.example.net',
      reason: 'DependencyError',
    },
    {
      name: 'no credentials',
      spec: { cloudflare: { credentialsRef: { name: 'x' } } },
      says: 'CredentialError: .*x is not there',
      reason: 'DependencyError',
    },
  ])('$name', async ({ spec, says, reason }) => {
    await using world = await cloudflareWorld(aRecord(spec))
    expect(await world.settled()).toMatchObject({ calls: [], reasons: [reason], writes: ['merge DNSRecord'] })
    expect(await world.ready(DNS_RECORD, A)).toMatch(new RegExp(`^${says}`))
    expect(await world.settled()).toMatchObject({ reasons: [], writes: [] })
  })

  it('what is not whole', async () => {
    await using world = await cloudflareWorld({ ...aRecord(), spec: { name: 'api.example.com', type: 3 } })
    expect((await world.settled()).reasons).toContain('InvalidConfig')
    expect(world.double.log).toEqual([])
  })

  it.each<{ name: string; fault: Tree; says: string; reason: string }>([
    { name: 'an API that does not answer as one', fault: { do: 'html' }, says: 'APIError: ', reason: 'APIError' },
    {
      name: 'a token that is refused',
      fault: { do: 'answer', status: 403, code: 9109 },
      says: 'CredentialError: .*Secret tars-system/cloudflare',
      reason: 'DependencyError',
    },
    {
      name: 'a limit of calls',
      fault: { do: 'answer', status: 429 },
      says: 'RateLimited: Cloudflare API rate limit reached, next attempt at 2026-',
      reason: 'APIError',
    },
  ])('$name', async ({ fault, says, reason }) => {
    await using world = await cloudflareWorld(aRecord())
    world.double.faults.plan({ method: 'GET', times: 9, do: 'html', ...fault })
    expect(await world.settled()).toMatchObject({ calls: [], reasons: [reason] })
    expect(await world.ready(DNS_RECORD, A)).toMatch(new RegExp(`^${says}`))
  })

  it.each([
    { name: 'a creation that is refused', fault: { do: 'answer', status: 400, code: 1004 }, says: /^APIError: .*1004/ },
    { name: 'a creation that is not answered', fault: { do: 'html' }, says: /^APIError: / },
    { name: 'a creation beyond the limit of calls', fault: { do: 'answer', status: 429 }, says: /^RateLimited: / },
  ] as const)('$name', async ({ fault, says }) => {
    await using world = await cloudflareWorld(aCloudflare('R2Bucket', BUCKET))
    world.double.faults.plan({ method: 'POST', times: 9, ...fault })
    expect(await world.settled()).toMatchObject({ reasons: ['CreateFailed'] })
    expect(await world.ready(R2_BUCKET, A)).toMatch(says)
    const { annotations = {} } = (await world.cluster.get(R2_BUCKET, A))?.metadata ?? {}
    expect(Object.hasOwn(annotations ?? {}, ANNOTATIONS.creating)).toBe(fault.do === 'html')
  })
})

describe('CF-CRD-02 a status', () => {
  it('that meets a change of its object is written after the object was read again', async () => {
    await using world = await cloudflareWorld(aRecord())
    world.double.faults.plan({ method: 'POST', do: 'hold' })
    const settled = world.settled()
    await until('the creation is held', () => world.double.faults.held === 1)
    await world.cluster.merge(DNS_RECORD, A, { metadata: { labels: { a: 'b' } } })
    world.double.faults.release()
    await settled
    expect(world.zone.records.size).toBe(1)
    expect(await world.ready(DNS_RECORD, A)).toBe('Synced')
    expect(await world.cluster.get(DNS_RECORD, A)).toMatchObject({
      metadata: { labels: { a: 'b' }, annotations: { [ANNOTATIONS.remoteOrigin]: 'created' } },
      status: { observedGeneration: 1 },
    })
  })
})

describe('CF-OWN-14 what cannot be reached at the end', () => {
  const unreachable = async (annotations: Tree, deletedAt: string) => {
    const world = await cloudflareWorld(aRecord())
    await world.settled()
    await world.cluster.merge(DNS_RECORD, A, { metadata: { annotations } })
    await world.cluster.remove(CREDENTIALS, MAIN)
    await world.cluster.remove(DNS_RECORD, A)
    const stored = await world.cluster.get(DNS_RECORD, A)
    world.cluster.seed([
      { ...aRecord(), ...stored, metadata: { ...stored?.metadata, name: 'a', deletionTimestamp: deletedAt } },
    ])
    return world
  }
  it('waits with a reason', async () => {
    await using world = await unreachable({}, NOW)
    expect(await world.settled()).toMatchObject({ reasons: ['DependencyError'] })
    expect(await world.ready(DNS_RECORD, A)).toMatch(/^CredentialError/)
  })
  it.each([
    { name: 'after its time', annotations: {}, deletedAt: '2026-11-18T11:45:00Z' },
    { name: 'at once where that is asked for', annotations: { [ANNOTATIONS.forceDelete]: 'true' }, deletedAt: NOW },
  ])('is left behind $name, and an event names it', async ({ annotations, deletedAt }) => {
    await using world = await unreachable(annotations, deletedAt)
    expect(await world.settled()).toMatchObject({ reasons: ['ForcedCleanup'] })
    expect(await world.cluster.get(DNS_RECORD, A)).toBeUndefined()
    expect(world.zone.records.size).toBe(1)
  })
})

describe('CF-OWN-15 a virtual network', () => {
  it('waits for the routes in it, and names them', async () => {
    const route = aCloudflare('NetworkRoute', { virtualNetworkRef: { name: 'a' } }, { name: 'r' })
    await using world = await cloudflareWorld(aCloudflare('VirtualNetwork'), route)
    await world.settled({}, 60_000)
    expect(await world.ready(NETWORK_ROUTE, { namespace: '', name: 'r' })).toBe('Synced')
    await world.cluster.remove(VIRTUAL_NETWORK, OF_CLUSTER)
    expect(await world.settled()).toMatchObject({ calls: [] })
    expect(await world.ready(VIRTUAL_NETWORK, OF_CLUSTER)).toBe('Deleting: waits for NetworkRoute/r')
    await world.cluster.remove(NETWORK_ROUTE, { namespace: '', name: 'r' })
    await world.settled({}, 10_000)
    expect(await world.cluster.get(VIRTUAL_NETWORK, OF_CLUSTER)).toBeUndefined()
  })
})

describe('CF-OWN-11 a claim goes over', () => {
  const both = (namespace: string, handOver?: string) => {
    const adopting = { [ANNOTATIONS.adoptFrom]: 'DNSRecord/demo/a' }
    const annotations = handOver === undefined ? undefined : { [ANNOTATIONS.handOverTo]: handOver }
    const younger = aRecord({}, { name: 'b', namespace, annotations: adopting })
    const metadata = { ...younger.metadata, creationTimestamp: '2026-11-18T12:00:01Z' }
    return [aRecord({}, { ...(annotations && { annotations }) }), { ...younger, metadata }] as const
  }
  it.each([
    { name: 'within a namespace', namespace: 'demo', handOver: undefined, owner: 'demo/b' },
    {
      name: 'to another one where the holder agrees',
      namespace: 'other',
      handOver: 'DNSRecord/other/b',
      owner: 'other/b',
    },
    { name: 'and not to another one without that', namespace: 'other', handOver: undefined, owner: 'demo/a' },
  ])('$name', async ({ namespace, handOver, owner }) => {
    const [older, younger] = both(namespace, handOver)
    await using world = await cloudflareWorld(older)
    await world.settled()
    world.cluster.seed([younger])
    await world.settled({}, 10_000)
    const [record] = world.zone.records.values()
    expect(record?.comment).toBe(`[managed-by:DNSRecord/${owner}]`)
    expect(world.zone.records.size).toBe(1)
  })
})

describe('a route names what it needs', () => {
  const route = (spec: Tree) => aCloudflare('NetworkRoute', spec)
  const notMade = aCloudflare('ClusterTunnel', { cloudflare: { credentialsRef: { name: 'x' } } }, { name: 'new' })
  it.each<{ name: string; spec: Tree; says: string }>([
    {
      name: 'a network that is not there',
      spec: { virtualNetworkRef: { name: 'x' } },
      says: 'VirtualNetwork x is not there; create it',
    },
    {
      name: 'one without a name there',
      spec: { virtualNetworkRef: { cloudflareName: 'x' } },
      says: 'the account has no virtual network x',
    },
    {
      name: 'a tunnel that is not there',
      spec: { tunnelRef: { name: 'x' } },
      says: 'ClusterTunnel/x is not there; create it',
    },
    {
      name: 'a tunnel of a namespace',
      spec: { tunnelRef: { kind: 'Tunnel', namespace: 'demo', name: 'x' } },
      says: 'Tunnel/demo/x is not there',
    },
    {
      name: 'a tunnel that is not made',
      spec: { tunnelRef: { name: 'new' } },
      says: 'ClusterTunnel/new has no tunnel at Cloudflare yet',
    },
  ])('$name', async ({ spec, says }) => {
    await using world = await cloudflareWorld(route(spec), USUAL_TUNNEL, notMade)
    await world.settled()
    expect(await world.ready(NETWORK_ROUTE, OF_CLUSTER)).toContain(`DependencyNotReady: ${says}`)
  })
  it.each(['cloudflareId', 'cloudflareName'] as const)('a network by %s', async (name) => {
    await using world = await cloudflareWorld()
    const [usual] = world.account.networks.values()
    const value = name === 'cloudflareId' ? (usual?.id ?? '') : (usual?.name ?? '')
    world.cluster.seed([route({ virtualNetworkRef: { [name]: value } })])
    await world.settled()
    const [made] = world.account.routes.values()
    expect(made).toMatchObject({ virtual_network_id: usual?.id })
  })
})
