import { describe, expect, it } from 'vitest'
import { Refused } from '../../../src/cluster/port.ts'
import { claimOfRecord } from '../../../webhooks/cloudflare/dnsrecord/claim.ts'
import { claimLabel } from '../../../webhooks/cloudflare/unique.ts'
import { aCloudflare } from '../../support/builders/cloudflare.ts'
import { admittingCluster } from '../../support/clusters.ts'
import { kinds } from '../../support/kinds.ts'

function resourceOf(kind: string) {
  const found = kinds.find(({ resource }) => resource.kind === kind)
  if (found === undefined) throw new Error(`no kind ${kind}`)
  return found.resource
}
type Parameters3 = Parameters<typeof aCloudflare>

async function second(first: Parameters3, next: Parameters3): Promise<string> {
  const cluster = admittingCluster()
  await cluster.create(resourceOf(first[0]), aCloudflare(...first))
  return cluster.create(resourceOf(next[0]), aCloudflare(...next)).then(
    () => 'allowed',
    (error: unknown) =>
      error instanceof Refused ? `${error.status.details?.causes?.[0]?.reason} ${error.status.message}` : '',
  )
}
const B = { name: 'b' }

describe('CF-V-01 CF-ONE-01 CF-ONE-02 CF-ONE-03 what another object claims', () => {
  const cloudflare = (more: object) => ({ cloudflare: more })
  it.each<{ name: string; one: Parameters3; other: Parameters3; says: string }>([
    {
      name: 'a name of a record, in another namespace and another spelling',
      one: ['DNSRecord'],
      other: ['DNSRecord', { name: 'API.Example.com.' }, { namespace: 'other' }],
      says: 'FieldValueDuplicate',
    },
    {
      name: 'the words of the refusal',
      one: ['DNSRecord'],
      other: ['DNSRecord', {}, B],
      says: 'spec.name: CNAME api.example.com is already claimed by DNSRecord/demo/a',
    },
    {
      name: 'a CNAME beside an address',
      one: ['DNSRecord'],
      other: ['DNSRecord', { type: 'A', content: '192.0.2.1' }, B],
      says: 'already claimed',
    },
    {
      name: 'an AAAA beside an A',
      one: ['DNSRecord', { type: 'A', content: '192.0.2.1' }],
      other: ['DNSRecord', { type: 'AAAA', content: '2001:db8::1' }, B],
      says: 'allowed',
    },
    {
      name: 'a TXT beside a CNAME',
      one: ['DNSRecord'],
      other: ['DNSRecord', { type: 'TXT', content: 'a' }, B],
      says: 'allowed',
    },
    {
      name: 'a second TXT of another content',
      one: ['DNSRecord', { type: 'TXT', content: 'a' }],
      other: ['DNSRecord', { type: 'TXT', content: 'b' }, B],
      says: 'allowed',
    },
    {
      name: 'a second TXT of the same content',
      one: ['DNSRecord', { type: 'TXT', content: 'a' }],
      other: ['DNSRecord', { type: 'TXT', content: 'a' }, B],
      says: 'TXT api.example.com is already claimed',
    },
    {
      name: 'a name that is relative to a known zone',
      one: ['DNSRecord'],
      other: ['DNSRecord', { name: 'api', ...cloudflare({ domain: 'example.com' }) }, B],
      says: 'already claimed',
    },
    {
      name: 'a name that is relative to a zone that is not known',
      one: ['DNSRecord', { name: 'api', ...cloudflare({ credentialsRef: { name: 'x' } }) }],
      other: ['DNSRecord', { name: 'api' }, B],
      says: 'allowed',
    },
    {
      name: 'a name in the letters of another language',
      one: ['DNSRecord', { name: 'bücher.example.com' }],
      other: ['DNSRecord', { name: 'xn--bcher-kva.example.com' }, B],
      says: 'already claimed',
    },
    {
      name: 'the same in another account',
      one: ['DNSRecord', cloudflare({ accountId: 'x' })],
      other: ['DNSRecord', cloudflare({ accountId: 'y' }), B],
      says: 'allowed',
    },
    {
      name: 'the same with other credentials',
      one: ['DNSRecord', cloudflare({ credentialsRef: { name: 'x' } })],
      other: ['DNSRecord', cloudflare({ credentialsRef: { name: 'y' } }), B],
      says: 'allowed',
    },
    {
      name: 'the name of a network',
      one: ['VirtualNetwork', { name: 'n' }],
      other: ['VirtualNetwork', { name: 'n' }, B],
      says: 'virtual network n',
    },
    {
      name: 'a network, in the form of Cloudflare',
      one: ['NetworkRoute', { network: '2001:db8::/32' }],
      other: ['NetworkRoute', { network: '2001:DB8:0::/32' }, B],
      says: 'route 2001:db8::/32',
    },
    {
      name: 'a route of another virtual network',
      one: ['NetworkRoute', { virtualNetworkRef: { name: 'n' } }],
      other: ['NetworkRoute', { virtualNetworkRef: { cloudflareId: 'n' } }, B],
      says: 'allowed',
    },
    {
      name: 'a network by its name at Cloudflare',
      one: ['NetworkRoute', { virtualNetworkRef: { cloudflareName: 'n' } }],
      other: ['NetworkRoute', { virtualNetworkRef: { cloudflareName: 'n' } }, B],
      says: 'already claimed',
    },
    {
      name: 'the name of a rule',
      one: ['GatewayRule', { name: 'r' }],
      other: ['GatewayRule', { name: 'r' }, B],
      says: 'gateway rule r',
    },
    {
      name: 'the name of a bucket',
      one: ['R2Bucket', { name: 'shop' }],
      other: ['R2Bucket', { name: 'shop' }, { ...B, namespace: 'other' }],
      says: 'bucket shop is already claimed by R2Bucket/demo/a',
    },
    {
      name: 'a tunnel, by the other kind',
      one: ['Tunnel', { newTunnel: { name: 't' } }],
      other: ['ClusterTunnel', { existingTunnel: { name: 't' } }, B],
      says: 'Tunnel/demo/a',
    },
    {
      name: 'a tunnel by its id',
      one: ['ClusterTunnel', { existingTunnel: { id: 'i' } }],
      other: ['Tunnel', { existingTunnel: { id: 'i' } }, B],
      says: 'tunnel i is already claimed by ClusterTunnel/a',
    },
  ])('$name: $says', async ({ one, other, says }) => {
    expect(await second(one, other)).toContain(says)
  })

  it('is let go by an object that is terminating, with a warning', async () => {
    const cluster = admittingCluster()
    const DNS = resourceOf('DNSRecord')
    const held = aCloudflare('DNSRecord')
    await cluster.create(DNS, { ...held, metadata: { ...held.metadata, finalizers: ['x.example.com/f'] } })
    await cluster.remove(DNS, { namespace: 'demo', name: 'a' })
    const { warnings } = Object(await cluster.create(DNS, aCloudflare('DNSRecord', {}, B)))
    expect(warnings ?? []).toBeInstanceOf(Array)
  })
})

describe('CF-OWN-11 a claim is handed over', () => {
  const from = { annotations: { 'cloudflare-operator.io/adopt-from': 'DNSRecord/demo/a' } }
  const to = (name: string) => ({ annotations: { 'cloudflare-operator.io/hand-over-to': name } })
  it.each<{ name: string; one?: object; other: object; says: string }>([
    { name: 'in one namespace', other: { ...B, ...from }, says: 'allowed' },
    { name: 'not from another namespace', other: { ...B, ...from, namespace: 'other' }, says: 'already claimed' },
    {
      name: 'but with the consent of the holder',
      one: to('DNSRecord/other/b'),
      other: { ...B, ...from, namespace: 'other' },
      says: 'allowed',
    },
    {
      name: 'which is for one alone',
      one: to('DNSRecord/other/c'),
      other: { ...B, ...from, namespace: 'other' },
      says: 'already claimed',
    },
    { name: 'and which alone does not do', one: to('DNSRecord/demo/b'), other: B, says: 'already claimed' },
  ])('$name', async ({ one = {}, other, says }) => {
    expect(await second(['DNSRecord', {}, one], ['DNSRecord', {}, other])).toContain(says)
  })
})

it('CF-V-12 a cluster has one default', async () => {
  const isDefault = { isDefault: true }
  expect(await second(['CloudflareCredentials'], ['CloudflareCredentials', isDefault, B])).toBe('allowed')
  expect(await second(['CloudflareCredentials', isDefault], ['CloudflareCredentials', isDefault, B])).toContain(
    'spec.isDefault: the default is already claimed by CloudflareCredentials/a',
  )
})

describe('CF-M-02 the label is a digest of the claim', () => {
  const LABEL = 'cloudflare-operator.io/claim'
  it.each([
    { kind: 'DNSRecord', spec: {}, label: expect.stringMatching(/^[0-9a-f]{40}$/) },
    { kind: 'DNSRecord', spec: { type: undefined, sourceRef: {}, content: undefined }, label: undefined },
    { kind: 'CloudflareCredentials', spec: {}, label: undefined },
  ])('$kind', async ({ kind, spec, label }) => {
    const made = await admittingCluster().create(resourceOf(kind), aCloudflare(kind, spec))
    expect(made.metadata.labels?.[LABEL]).toEqual(label)
  })

  it('which the auditor compares (WR-8)', async () => {
    const { metadata } = await admittingCluster().create(resourceOf('DNSRecord'), aCloudflare('DNSRecord'))
    const { mirror } = claimLabel(claimOfRecord)
    expect(mirror?.valueIn(Object(aCloudflare('DNSRecord')))).toBe(metadata.labels?.[LABEL])
  })

  it('and is set again when an author changes it', async () => {
    const cluster = admittingCluster()
    const DNS = resourceOf('DNSRecord')
    const { metadata } = await cluster.create(DNS, aCloudflare('DNSRecord'))
    const changed = await cluster.merge(
      DNS,
      { namespace: 'demo', name: 'a' },
      { metadata: { labels: { [LABEL]: 'x' } } },
    )
    expect(changed.metadata.labels).toEqual(metadata.labels)
  })
})
