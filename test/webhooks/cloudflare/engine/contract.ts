import type { Built, KubeObject, Resource } from '../../../../src/cluster/port.ts'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { DNS_RECORD } from '../../../../webhooks/cloudflare/dnsrecord/schema.ts'
import { GATEWAY_RULE } from '../../../../webhooks/cloudflare/gatewayrule/schema.ts'
import { NETWORK_ROUTE } from '../../../../webhooks/cloudflare/networkroute/schema.ts'
import { R2_BUCKET } from '../../../../webhooks/cloudflare/r2bucket/schema.ts'
import { CLUSTER_TUNNEL, TUNNEL } from '../../../../webhooks/cloudflare/tunnel/schema.ts'
import { VIRTUAL_NETWORK } from '../../../../webhooks/cloudflare/virtualnetwork/schema.ts'
import type { DoubleWorld } from '../../../cloudflare/world.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import { TUNNEL_ID } from '../../../support/cloudflare-world.ts'

/** What the contract of remote objects needs to know of a kind. */
export interface ContractRow {
  readonly kind: string
  readonly resource: Resource<KubeObject>
  readonly spec: Tree
  /** Below the account, or the zone. */
  readonly collection: string
  readonly isOfZone?: true
  /** A remote object of the same natural key, as somebody else makes it. */
  readonly others: Tree
  /** The field with the mark. */
  readonly mark?: string
  /** How many code points it holds. */
  readonly limit?: number
  /** How somebody else changes it, where that is no PATCH. */
  readonly updates?: 'PUT'
  /** A change of the spec, and what of the remote object it changes. */
  readonly change?: { readonly spec: Tree; readonly remote: Tree }
  /** The field with the id, and two words of `state`. */
  readonly status: { readonly id: string; readonly ready: string; readonly error: string }
  readonly all: (world: DoubleWorld) => readonly Tree[]
}

const A_TUNNEL = {
  spec: { newTunnel: { name: 'shop' } },
  collection: '/cfd_tunnel',
  others: { name: 'shop', config_src: 'cloudflare' },
  status: { id: 'tunnelId', ready: 'active', error: 'error' },
  all: ({ account }: DoubleWorld) => treesOf(account.tunnels).filter(({ name }) => name !== 'main'),
}

export const CONTRACT: readonly ContractRow[] = [
  { ...A_TUNNEL, kind: 'ClusterTunnel', resource: CLUSTER_TUNNEL },
  {
    kind: 'DNSRecord',
    resource: DNS_RECORD,
    spec: { name: 'api.example.com', type: 'CNAME', content: 'b.example.net', comment: 'of the shop' },
    collection: '/dns_records',
    isOfZone: true,
    others: { name: 'api.example.com', type: 'CNAME', content: 'elsewhere.example.net', ttl: 1, proxied: false },
    mark: 'comment',
    limit: 100,
    change: { spec: { content: 'c.example.net' }, remote: { content: 'c.example.net' } },
    status: { id: 'recordId', ready: 'Active', error: 'Error' },
    all: ({ zone }) => treesOf(zone.records),
  },
  {
    kind: 'GatewayRule',
    resource: GATEWAY_RULE,
    spec: {
      ...{ name: 'malware', precedence: 10, action: 'block', filters: ['dns'], description: 'of the shop' },
      ...{ traffic: 'any(dns.domains[*]  ==  "a b")', ruleSettings: { blockPageEnabled: true } },
      ...{ schedule: { timeZone: 'Europe/Berlin', mon: '08:00-17:00' } },
    },
    collection: '/gateway/rules',
    others: { name: 'malware', precedence: 1, action: 'allow', filters: ['dns'] },
    mark: 'description',
    limit: 1_000,
    updates: 'PUT',
    change: { spec: { action: 'allow', schedule: null }, remote: { action: 'allow', schedule: null } },
    status: { id: 'ruleId', ready: 'active', error: 'error' },
    all: ({ account }) => treesOf(account.rules),
  },
  {
    kind: 'NetworkRoute',
    resource: NETWORK_ROUTE,
    spec: { network: '10.1.0.0/16', comment: 'of the shop' },
    collection: '/teamnet/routes',
    others: { network: '10.1.0.0/16', tunnel_id: TUNNEL_ID },
    mark: 'comment',
    limit: 100,
    change: { spec: { network: '10.2.0.0/16' }, remote: { network: '10.2.0.0/16' } },
    status: { id: 'routeId', ready: 'active', error: 'error' },
    all: ({ account }) => treesOf(account.routes),
  },
  {
    kind: 'R2Bucket',
    resource: R2_BUCKET,
    spec: { name: 'assets', locationHint: 'weur' },
    collection: '/r2/buckets',
    others: { name: 'assets' },
    status: { id: 'bucketName', ready: 'Ready', error: 'Error' },
    all: ({ account }) => treesOf(account.buckets),
  },
  { ...A_TUNNEL, kind: 'Tunnel', resource: TUNNEL },
  {
    kind: 'VirtualNetwork',
    resource: VIRTUAL_NETWORK,
    spec: { name: 'office', comment: 'of the shop' },
    collection: '/teamnet/virtual_networks',
    others: { name: 'office' },
    mark: 'comment',
    limit: 256,
    change: { spec: { name: 'factory' }, remote: { name: 'factory' } },
    status: { id: 'virtualNetworkId', ready: 'active', error: 'error' },
    all: ({ account }) => treesOf(account.networks).filter(({ name }) => name !== 'default'),
  },
]

const treesOf = (map: ReadonlyMap<string, object>): readonly Tree[] =>
  [...map.values()].filter(isTree).filter(({ deleted_at }) => deleted_at === undefined || deleted_at === null)

/** The object of a row. */
export function objectOf(
  { kind, spec }: ContractRow,
  annotations?: Readonly<Record<string, string>>,
  name = 'a',
): Built {
  return aCloudflare(kind, spec, { name, ...(annotations && { annotations }) })
}
export function refOf({ resource }: ContractRow, name = 'a') {
  return { namespace: resource.scope === 'Namespaced' ? 'demo' : '', name }
}
export function ownerOf(row: ContractRow, name = 'a'): string {
  return [row.kind, refOf(row, name).namespace, name].filter(Boolean).join('/')
}
export function pathOf({ isOfZone, collection }: ContractRow, { account, zone }: DoubleWorld): string {
  return `${isOfZone ? `/zones/${zone.id}` : `/accounts/${account.id}`}${collection}`
}
