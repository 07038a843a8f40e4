import { describe, expect, it } from 'vitest'
import { Refused } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'
import { ANNOTATIONS } from '../../../webhooks/cloudflare/names.ts'
import { CTRL } from '../../support/answerer-parts.ts'
import { aCloudflare } from '../../support/builders/cloudflare.ts'
import { admittingCluster, NOW } from '../../support/clusters.ts'
import { kinds } from '../../support/kinds.ts'

function resourceOf(kind: string) {
  const found = kinds.find(({ resource }) => resource.kind === kind)
  if (found === undefined) throw new Error(`no kind ${kind}`)
  return found.resource
}
const words = (error: unknown) => (error instanceof Refused ? (error.status.message ?? '') : String(error))

/** What is said of an object: nothing, or each cause. */
function said(kind: string, spec: Tree, more = {}): Promise<string> {
  return admittingCluster()
    .create(resourceOf(kind), aCloudflare(kind, spec, more))
    .then(() => 'allowed', words)
}

interface Case {
  readonly kind?: string
  readonly spec: Tree
  readonly says: string
}
const itSays = (cases: readonly Case[]) =>
  it.each(cases.map((each) => ({ ...each, name: JSON.stringify(each.spec) })))(
    '$name: $says',
    async ({ kind = 'DNSRecord', spec, says }) => {
      expect(await said(kind, spec)).toContain(says)
    },
  )
const none = undefined

describe('CF-V-02 a record has a type, and content or data', () => {
  itSays([
    { spec: {}, says: 'allowed' },
    { spec: { type: 'SRV', content: none, data: { port: 1 } }, says: 'allowed' },
    { spec: { content: none }, says: 'spec.content: a record has a type, and either content or data; it has neither' },
    { spec: { data: { a: 1 } }, says: 'it has both' },
    { spec: { type: none }, says: 'spec.type: a record has a type, and either content or data; it has no type' },
    { spec: { type: none, content: none, sourceRef: { service: { name: 'a' } } }, says: 'allowed' },
  ])
})

describe('CF-V-03 Cloudflare stands before addresses alone', () => {
  itSays([
    { spec: { proxied: true }, says: 'allowed' },
    {
      spec: { type: 'TXT', proxied: true },
      says: 'spec.proxied: Cloudflare does not stand before records of type TXT',
    },
  ])
})

describe('CF-V-04 content fits its type', () => {
  itSays([
    { spec: { type: 'A', content: '192.0.2.1' }, says: 'allowed' },
    { spec: { type: 'AAAA', content: '2001:DB8::1' }, says: 'allowed' },
    { spec: { type: 'TXT', content: 'whatever' }, says: 'allowed' },
    { spec: { type: 'A', content: '2001:db8::1' }, says: '"2001:db8::1" does not fit a record of type A' },
    { spec: { type: 'A', content: '192.0.2.256' }, says: 'does not fit' },
    { spec: { type: 'AAAA', content: '192.0.2.1' }, says: 'does not fit' },
    { spec: { content: 'API.example.com.' }, says: '"API.example.com." does not fit a record of type CNAME' },
    { spec: { content: '' }, says: 'does not fit' },
  ])
})

describe('CF-V-05 a type has what it needs', () => {
  itSays([
    { spec: { type: 'MX', priority: 10 }, says: 'allowed' },
    { spec: { type: 'CAA', content: none, data: { flags: 0, tag: 'issue', value: 'a' } }, says: 'allowed' },
    { spec: { type: 'MX' }, says: 'spec.priority: is missing: a record of type MX needs it' },
    { spec: { type: 'MX', content: none, data: { a: 1 } }, says: 'spec.content: is missing' },
    { spec: { type: 'SRV' }, says: 'spec.data: is missing: a record of type SRV needs it' },
    { spec: { type: 'SRV', content: none, data: {} }, says: 'spec.data: is missing' },
  ])
})

describe('CF-V-06 nobody writes a mark by hand', () => {
  itSays([
    { spec: { comment: 'of the shop [team]' }, says: 'allowed' },
    { spec: { comment: 'x [managed-by:DNSRecord/a/b]' }, says: 'spec.comment: [managed is reserved' },
    { spec: { comment: '[cluster:x]' }, says: '[cluster: is reserved' },
    { kind: 'VirtualNetwork', spec: { comment: '[managed' }, says: 'reserved' },
    { kind: 'NetworkRoute', spec: { comment: '[managed' }, says: 'reserved' },
    { kind: 'GatewayRule', spec: { description: '[managed' }, says: 'spec.description: [managed is reserved' },
  ])
})

describe('CF-M-01 CF-V-07 a tunnel is made or there', () => {
  it.each(['Tunnel', 'ClusterTunnel'])('%s of nothing is made under its own name', async (kind) => {
    const { spec: _, ...bare } = aCloudflare(kind)
    for (const object of [bare, aCloudflare(kind, {})])
      expect(await admittingCluster().create(resourceOf(kind), object)).toMatchObject({
        spec: { newTunnel: { name: 'a' } },
      })
  })
  itSays([
    { kind: 'Tunnel', spec: { existingTunnel: { id: 'x' } }, says: 'allowed' },
    {
      kind: 'Tunnel',
      spec: { newTunnel: { name: 'b' }, existingTunnel: {} },
      says: 'spec.existingTunnel: stands beside',
    },
  ])
})

describe('CF-V-09 a route is of a network', () => {
  itSays([
    { kind: 'NetworkRoute', spec: {}, says: 'allowed' },
    { kind: 'NetworkRoute', spec: { network: '2001:db8::/32' }, says: 'allowed' },
    { kind: 'NetworkRoute', spec: { network: '10.1.2.3/8' }, says: '"10.1.2.3/8" has host bits; write 10.0.0.0/8' },
    { kind: 'NetworkRoute', spec: { network: '2001:db8:0:0::1/64' }, says: 'write 2001:db8::/64' },
    { kind: 'NetworkRoute', spec: { network: '10.0.0.0/33' }, says: '"10.0.0.0/33" is no network' },
    { kind: 'NetworkRoute', spec: { network: '10.0.0.0' }, says: 'is no network' },
    { kind: 'NetworkRoute', spec: { network: '1:2:3/8' }, says: 'is no network' },
  ])
})

describe('CF-V-10 a route names its network and its tunnel in one way', () => {
  const ref = (virtualNetworkRef: object) => ({ virtualNetworkRef })
  itSays([
    { kind: 'NetworkRoute', spec: ref({ cloudflareName: 'a' }), says: 'allowed' },
    { kind: 'NetworkRoute', spec: ref({}), says: 'spec.virtualNetworkRef: names no virtual network' },
    { kind: 'NetworkRoute', spec: ref({ name: 'a', cloudflareId: 'b' }), says: 'names it in several ways' },
    { kind: 'NetworkRoute', spec: { tunnelRef: { kind: 'Tunnel', name: 'a', namespace: 'b' } }, says: 'allowed' },
    {
      kind: 'NetworkRoute',
      spec: { tunnelRef: { kind: 'Tunnel', name: 'a' } },
      says: 'a Tunnel without its namespace',
    },
  ])
})

describe('CF-V-11 annotations have the values that are understood', () => {
  it.each([
    { annotation: 'adoption-policy', good: 'IfExists', bad: 'always' },
    { annotation: 'deletion-policy', good: 'Orphan', bad: 'keep' },
    { annotation: 'drift', good: 'ignore', bad: 'false' },
    { annotation: 'foreign-rules', good: 'overwrite', bad: 'yes' },
    { annotation: 'adopt-from', good: 'DNSRecord/a/b', bad: 'b' },
    { annotation: 'hand-over-to', good: 'VirtualNetwork/b', bad: 'a/b/c/d' },
  ])('$annotation', async ({ annotation, good, bad }) => {
    const of = (value: string) => ({ annotations: { [`cloudflare-operator.io/${annotation}`]: value } })
    expect(await said('DNSRecord', {}, of(good))).toBe('allowed')
    expect(await said('DNSRecord', {}, of(bad))).toContain(
      `metadata.annotations[cloudflare-operator.io/${annotation}]: "${bad}" is not understood`,
    )
  })
})

describe('CF-V-14 an origin is what cloudflared takes', () => {
  const subject = (spec: object) => ({ subjects: [{ name: 'a', spec }], tunnelRef: { kind: 'Tunnel', name: 'a' } })
  itSays([
    {
      kind: 'TunnelBinding',
      spec: subject({ fqdn: '*.example.com', target: 'https://a.b.svc:80', path: '^/(?i)a$' }),
      says: 'allowed',
    },
    {
      kind: 'TunnelBinding',
      spec: subject({ fqdn: 'a.*.com' }),
      says: 'subjects[0].spec.fqdn: "a.*.com" is no hostname',
    },
    { kind: 'TunnelBinding', spec: subject({ target: 'http://a/b' }), says: 'spec.target: "http://a/b" is no service' },
    { kind: 'TunnelBinding', spec: subject({ path: '(?=a)' }), says: 'has what RE2 does not know' },
    { kind: 'Tunnel', spec: { fallbackTarget: 'http_status:503' }, says: 'allowed' },
    { kind: 'Tunnel', spec: { fallbackTarget: 'http_status:99' }, says: 'is no status of HTTP' },
    { kind: 'TunnelGatewayClassConfig', spec: { fallbackTarget: 'x' }, says: 'spec.fallbackTarget: "x" is no service' },
    { kind: 'TunnelIngressClassConfig', spec: { defaultOriginRequest: { tlsTimeout: '1m30s' } }, says: 'allowed' },
    {
      kind: 'TunnelIngressClassConfig',
      spec: { defaultOriginRequest: { tlsTimeout: '10' } },
      says: 'tlsTimeout: "10" is no duration',
    },
  ])
})

describe('CF-V-15 a gateway rule has one filter', () => {
  itSays([
    { kind: 'GatewayRule', spec: {}, says: 'allowed' },
    { kind: 'GatewayRule', spec: { filters: none }, says: 'spec.filters: a rule has exactly one filter, and not 0' },
    { kind: 'GatewayRule', spec: { filters: ['dns', 'http'] }, says: 'and not 2' },
  ])
})

describe('CF-CRD-04 CF-CRD-06 CF-CRD-10 what is left out has its default', () => {
  it('the manifest of a record says no more than it has to', async () => {
    const cluster = admittingCluster()
    expect(await cluster.create(resourceOf('DNSRecord'), aCloudflare('DNSRecord'))).toMatchObject({
      spec: { ttl: 1, proxied: false },
    })
  })
})

describe('CF-V-08 CF-V-13 what is there keeps its identity', () => {
  const BUCKET = resourceOf('R2Bucket')
  const REF = { namespace: 'demo', name: 'a-bucket' }
  const remote = (id: string) => ({ metadata: { annotations: { 'cloudflare-operator.io/remote-id': id } } })
  async function bucketThere() {
    const cluster = admittingCluster()
    await cluster.create(BUCKET, aCloudflare('R2Bucket', { locationHint: 'weur' }, { name: 'a-bucket' }))
    await cluster.merge(BUCKET, REF, remote('a-bucket'), { user: CTRL })
    return cluster
  }
  const changed = (patch: Tree) =>
    bucketThere()
      .then((cluster) => cluster.merge(BUCKET, REF, patch))
      .then(() => 'allowed', words)

  it.each([
    { patch: { spec: { deletionPolicy: 'Orphan' } }, says: 'allowed' },
    { patch: { spec: { name: 'a-bucket' } }, says: 'allowed' },
    { patch: { spec: { name: 'another' } }, says: 'spec.name: was "a-bucket", and cannot change' },
    { patch: { spec: { locationHint: 'apac' } }, says: 'spec.locationHint: was "weur", and cannot change' },
    { patch: remote('b'), says: 'is written by the worker alone' },
    { patch: { metadata: { annotations: { [ANNOTATIONS.creating]: NOW } } }, says: 'is written by the worker alone' },
  ])('$patch: $says', async ({ patch, says }) => {
    expect(await changed(patch)).toContain(says)
  })

  it('a tunnel that is made keeps its name, and one that is there may be another', async () => {
    const TUNNEL = resourceOf('Tunnel')
    const cluster = admittingCluster()
    await cluster.create(TUNNEL, aCloudflare('Tunnel'))
    const ref = { namespace: 'demo', name: 'a' }
    await cluster.merge(TUNNEL, ref, { spec: { newTunnel: { name: 'b' } } })
    await cluster.merge(TUNNEL, ref, remote('id'), { user: CTRL })
    await expect(cluster.merge(TUNNEL, ref, { spec: { newTunnel: { name: 'c' } } })).rejects.toThrow('was "b"')
  })

  it('on creation an author may name what is to be adopted, as a backup does (CF-OWN-08)', async () => {
    expect(await said('DNSRecord', {}, { annotations: { 'cloudflare-operator.io/remote-id': 'x' } })).toBe('allowed')
  })

  it.each([
    { name: 'what another object manages', id: 'x', more: {}, says: 'names what DNSRecord/demo/first manages' },
    { name: 'what nobody manages', id: 'y', more: {}, says: 'allowed' },
    { name: 'what another object hands over', id: 'x', more: { adoptFrom: 'DNSRecord/demo/first' }, says: 'allowed' },
    { name: 'the same of another account', id: 'x', more: {}, accountId: 'other', says: 'allowed' },
  ])('CF-V-13 on creation an author names $name: $says', async ({ id, more, accountId = 'acc', says }) => {
    const cluster = admittingCluster()
    const DNS = resourceOf('DNSRecord')
    const text = (name: string, account: string, annotations: Record<string, string>) =>
      aCloudflare(
        'DNSRecord',
        { type: 'TXT', content: name, cloudflare: { accountId: account } },
        { name, annotations },
      )
    await cluster.create(DNS, text('first', 'acc', { [ANNOTATIONS.remoteId]: 'x' }))
    const adopting = Object.values(more).map((from) => [ANNOTATIONS.adoptFrom, from])
    const second = text('second', accountId, { [ANNOTATIONS.remoteId]: id, ...Object.fromEntries(adopting) })
    expect(await cluster.create(DNS, second).then(() => 'allowed', words)).toContain(says)
  })
})
