import type Cloudflare from 'cloudflare'
import type { Scene } from './scene.ts'

interface ContractCall {
  /** As the double lists it. */
  readonly call: string
  readonly params: (scene: Scene) => Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | boolean>>
  readonly body?: (scene: Scene) => Record<string, unknown>
  /** The same by the published client. */
  readonly published: (client: Cloudflare, scene: Scene) => PromiseLike<unknown>
}

const ofZone = ({ zone }: Scene) => ({ zone })
const ofRecord = ({ zone, record: id }: Scene) => ({ zone, id })
const ofAccount = ({ account }: Scene) => ({ account })
const inAccount = (name: Exclude<keyof Scene, 'account'>) => (scene: Scene) => ({
  account: scene.account,
  id: scene[name],
})
const A = { type: 'A', name: 'new.example.com', content: '192.0.2.7', ttl: 1 } as const
const RULE = { name: 'new', action: 'block', filters: ['dns'] } as const
const CONFIG = { ingress: [{ hostname: 'a.example.com', service: 'http://a' }] }

export const CONTRACT: readonly ContractCall[] = [
  {
    call: 'GET /user/tokens/verify',
    params: () => ({}),
    published: ({ user }) => user.tokens.verify(),
  },
  {
    call: 'GET /zones',
    params: () => ({}),
    query: { name: 'example.com' },
    published: ({ zones }) => zones.list({ name: 'example.com' }),
  },
  {
    call: 'GET /zones/{zone}/dns_records',
    params: ofZone,
    query: { 'name.exact': 'a.example.com', type: 'A', 'comment.startswith': '[managed-by:' },
    published: ({ dns }, { zone }) =>
      dns.records.list({
        zone_id: zone,
        name: { exact: 'a.example.com' },
        type: 'A',
        comment: { startswith: '[managed-by:' },
      }),
  },
  {
    call: 'GET /zones/{zone}/dns_records/{id}',
    params: ofRecord,
    published: ({ dns }, { zone, record }) => dns.records.get(record, { zone_id: zone }),
  },
  {
    call: 'POST /zones/{zone}/dns_records',
    params: ofZone,
    body: () => A,
    published: ({ dns }, { zone }) => dns.records.create({ zone_id: zone, ...A }),
  },
  {
    call: 'PUT /zones/{zone}/dns_records/{id}',
    params: ofRecord,
    body: () => A,
    published: ({ dns }, { zone, record }) => dns.records.update(record, { zone_id: zone, ...A }),
  },
  {
    call: 'PATCH /zones/{zone}/dns_records/{id}',
    params: ofRecord,
    body: () => A,
    published: ({ dns }, { zone, record }) => dns.records.edit(record, { zone_id: zone, ...A }),
  },
  {
    call: 'DELETE /zones/{zone}/dns_records/{id}',
    params: ofRecord,
    published: ({ dns }, { zone, record }) => dns.records.delete(record, { zone_id: zone }),
  },
  {
    call: 'GET /accounts/{account}/cfd_tunnel',
    params: ofAccount,
    query: { name: 't', is_deleted: false },
    published: ({ zeroTrust }, { account }) =>
      zeroTrust.tunnels.cloudflared.list({ account_id: account, name: 't', is_deleted: false }),
  },
  {
    call: 'POST /accounts/{account}/cfd_tunnel',
    params: ofAccount,
    body: () => ({ name: 'new', config_src: 'cloudflare' }),
    published: ({ zeroTrust }, { account }) =>
      zeroTrust.tunnels.cloudflared.create({ account_id: account, name: 'new', config_src: 'cloudflare' }),
  },
  {
    call: 'GET /accounts/{account}/cfd_tunnel/{id}',
    params: inAccount('tunnel'),
    published: ({ zeroTrust }, { account, tunnel }) =>
      zeroTrust.tunnels.cloudflared.get(tunnel, { account_id: account }),
  },
  {
    call: 'PATCH /accounts/{account}/cfd_tunnel/{id}',
    params: inAccount('tunnel'),
    body: () => ({ name: 'u' }),
    published: ({ zeroTrust }, { account, tunnel }) =>
      zeroTrust.tunnels.cloudflared.edit(tunnel, { account_id: account, name: 'u' }),
  },
  {
    call: 'GET /accounts/{account}/cfd_tunnel/{id}/configurations',
    params: inAccount('tunnel'),
    published: ({ zeroTrust }, { account, tunnel }) =>
      zeroTrust.tunnels.cloudflared.configurations.get(tunnel, { account_id: account }),
  },
  {
    call: 'PUT /accounts/{account}/cfd_tunnel/{id}/configurations',
    params: inAccount('tunnel'),
    body: () => ({ config: { ingress: [...CONFIG.ingress, { hostname: '', service: 'http_status:404' }] } }),
    published: ({ zeroTrust }, { account, tunnel }) =>
      zeroTrust.tunnels.cloudflared.configurations.update(tunnel, {
        account_id: account,
        config: { ingress: [...CONFIG.ingress, { hostname: '', service: 'http_status:404' }] },
      }),
  },
  {
    call: 'DELETE /accounts/{account}/cfd_tunnel/{id}',
    params: inAccount('tunnel'),
    published: ({ zeroTrust }, { account, tunnel }) =>
      zeroTrust.tunnels.cloudflared.delete(tunnel, { account_id: account }),
  },
  {
    call: 'GET /accounts/{account}/teamnet/virtual_networks',
    params: ofAccount,
    query: { name: 'n', is_deleted: false },
    published: ({ zeroTrust }, { account }) =>
      zeroTrust.networks.virtualNetworks.list({ account_id: account, name: 'n', is_deleted: false }),
  },
  {
    call: 'POST /accounts/{account}/teamnet/virtual_networks',
    params: ofAccount,
    body: () => ({ name: 'new', comment: '', is_default: false }),
    published: ({ zeroTrust }, { account }) =>
      zeroTrust.networks.virtualNetworks.create({ account_id: account, name: 'new', comment: '', is_default: false }),
  },
  {
    call: 'GET /accounts/{account}/teamnet/virtual_networks/{id}',
    params: inAccount('network'),
    published: ({ zeroTrust }, { account, network }) =>
      zeroTrust.networks.virtualNetworks.get(network, { account_id: account }),
  },
  {
    call: 'PATCH /accounts/{account}/teamnet/virtual_networks/{id}',
    params: inAccount('network'),
    body: () => ({ comment: 'x' }),
    published: ({ zeroTrust }, { account, network }) =>
      zeroTrust.networks.virtualNetworks.edit(network, { account_id: account, comment: 'x' }),
  },
  {
    call: 'DELETE /accounts/{account}/teamnet/virtual_networks/{id}',
    params: inAccount('network'),
    published: ({ zeroTrust }, { account, network }) =>
      zeroTrust.networks.virtualNetworks.delete(network, { account_id: account }),
  },
  {
    call: 'GET /accounts/{account}/teamnet/routes',
    params: ofAccount,
    query: { network_subset: '10.0.0.0/8', network_superset: '10.0.0.0/8', is_deleted: false },
    published: ({ zeroTrust }, { account }) =>
      zeroTrust.networks.routes.list({
        account_id: account,
        network_subset: '10.0.0.0/8',
        network_superset: '10.0.0.0/8',
        is_deleted: false,
      }),
  },
  {
    call: 'POST /accounts/{account}/teamnet/routes',
    params: ofAccount,
    body: ({ tunnel, network }) => ({
      network: '10.1.0.0/16',
      tunnel_id: tunnel,
      virtual_network_id: network,
      comment: '',
    }),
    published: ({ zeroTrust }, { account, tunnel, network }) =>
      zeroTrust.networks.routes.create({
        account_id: account,
        network: '10.1.0.0/16',
        tunnel_id: tunnel,
        virtual_network_id: network,
        comment: '',
      }),
  },
  {
    call: 'GET /accounts/{account}/teamnet/routes/{id}',
    params: inAccount('route'),
    published: ({ zeroTrust }, { account, route }) => zeroTrust.networks.routes.get(route, { account_id: account }),
  },
  {
    call: 'PATCH /accounts/{account}/teamnet/routes/{id}',
    params: inAccount('route'),
    body: () => ({ network: '10.2.0.0/16' }),
    published: ({ zeroTrust }, { account, route }) =>
      zeroTrust.networks.routes.edit(route, { account_id: account, network: '10.2.0.0/16' }),
  },
  {
    call: 'DELETE /accounts/{account}/teamnet/routes/{id}',
    params: inAccount('route'),
    published: ({ zeroTrust }, { account, route }) => zeroTrust.networks.routes.delete(route, { account_id: account }),
  },
  {
    call: 'GET /accounts/{account}/gateway/rules',
    params: ofAccount,
    published: ({ zeroTrust }, { account }) => zeroTrust.gateway.rules.list({ account_id: account }),
  },
  {
    call: 'POST /accounts/{account}/gateway/rules',
    params: ofAccount,
    body: () => ({ ...RULE, filters: [...RULE.filters] }),
    published: ({ zeroTrust }, { account }) =>
      zeroTrust.gateway.rules.create({ account_id: account, ...RULE, filters: [...RULE.filters] }),
  },
  {
    call: 'GET /accounts/{account}/gateway/rules/{id}',
    params: inAccount('rule'),
    published: ({ zeroTrust }, { account, rule }) => zeroTrust.gateway.rules.get(rule, { account_id: account }),
  },
  {
    call: 'PUT /accounts/{account}/gateway/rules/{id}',
    params: inAccount('rule'),
    body: () => ({ ...RULE, filters: [...RULE.filters] }),
    published: ({ zeroTrust }, { account, rule }) =>
      zeroTrust.gateway.rules.update(rule, { account_id: account, ...RULE, filters: [...RULE.filters] }),
  },
  {
    call: 'DELETE /accounts/{account}/gateway/rules/{id}',
    params: inAccount('rule'),
    published: ({ zeroTrust }, { account, rule }) => zeroTrust.gateway.rules.delete(rule, { account_id: account }),
  },
  {
    call: 'GET /accounts/{account}/r2/buckets',
    params: ofAccount,
    published: ({ r2 }, { account }) => r2.buckets.list({ account_id: account }),
  },
  {
    call: 'POST /accounts/{account}/r2/buckets',
    params: ofAccount,
    body: () => ({ name: 'new', locationHint: 'weur' }),
    published: ({ r2 }, { account }) => r2.buckets.create({ account_id: account, name: 'new', locationHint: 'weur' }),
  },
  {
    call: 'GET /accounts/{account}/r2/buckets/{name}',
    params: ({ account, bucket: name }) => ({ account, name }),
    published: ({ r2 }, { account, bucket }) => r2.buckets.get(bucket, { account_id: account }),
  },
  {
    call: 'DELETE /accounts/{account}/r2/buckets/{name}',
    params: ({ account, bucket: name }) => ({ account, name }),
    published: ({ r2 }, { account, bucket }) => r2.buckets.delete(bucket, { account_id: account }),
  },
]
