import { isTree, type Tree } from '../../../src/schema.ts'
import { ApiError, pageOf } from './answer.ts'
import { isListed, livingRoutes } from './private-networks.ts'
import { accountOf, type DoubleCall, type DoubleRoutes, textOf } from './routing.ts'
import { type DoubleAccount, type DoubleTunnel, now, uuid } from './state.ts'

/** API reference, "Cloudflare Tunnels" and their configurations. */
export const TUNNELS: DoubleRoutes = {
  'GET /accounts/{account}/cfd_tunnel': (call) => {
    const account = accountOf(call)
    const { query } = call
    const found = [...account.tunnels.values()].filter(
      (tunnel) =>
        isListed(tunnel, query) &&
        (query.get('name') ?? tunnel.name) === tunnel.name &&
        (query.get('uuid') ?? tunnel.id) === tunnel.id,
    )
    return pageOf(
      found.map((tunnel) => shown(account, tunnel)),
      query,
    )
  },
  'POST /accounts/{account}/cfd_tunnel': (call) => {
    const account = accountOf(call)
    const tunnel: DoubleTunnel = {
      ...{
        id: uuid(),
        name: freeName(account, textOf(call.body.name)),
        config_src: textOf(call.body.config_src, 'local'),
      },
      ...{ created_at: now(), deleted_at: null, connections: 0, config: null, version: 0, source: 'cloudflare' },
    }
    account.tunnels.set(tunnel.id, tunnel)
    return { result: shown(account, tunnel) }
  },
  'GET /accounts/{account}/cfd_tunnel/{id}': (call) => ({ result: shown(accountOf(call), tunnelOf(call)) }),
  'PATCH /accounts/{account}/cfd_tunnel/{id}': (call) => {
    const account = accountOf(call)
    const tunnel = tunnelOf(call)
    const name = textOf(call.body.name, tunnel.name)
    const renamed = { ...tunnel, name: name === tunnel.name ? name : freeName(account, name) }
    account.tunnels.set(renamed.id, renamed)
    return { result: shown(account, renamed) }
  },
  'DELETE /accounts/{account}/cfd_tunnel/{id}': (call) => {
    const account = accountOf(call)
    const tunnel = tunnelOf(call)
    const isUsed = livingRoutes(account).some(({ tunnel_id }) => tunnel_id === tunnel.id)
    if (tunnel.connections > 0 || isUsed)
      throw new ApiError(400, 1022, 'The Cloudflare Tunnel has active connections or routes and cannot be deleted.')
    tunnel.deleted_at ??= now()
    return { result: shown(account, tunnel) }
  },
  'GET /accounts/{account}/cfd_tunnel/{id}/configurations': (call) => ({ result: configurationOf(tunnelOf(call)) }),
  'PUT /accounts/{account}/cfd_tunnel/{id}/configurations': (call) => {
    const tunnel = tunnelOf(call)
    if (tunnel.deleted_at !== null) throw new ApiError(404, 1003, 'Tunnel not found.')
    const config = isTree(call.body.config) ? call.body.config : {}
    mustBeGood(config)
    Object.assign(tunnel, { config, version: tunnel.version + 1 })
    return { result: configurationOf(tunnel) }
  },
}

function tunnelOf(call: DoubleCall): DoubleTunnel {
  const tunnel = accountOf(call).tunnels.get(call.params.id ?? '')
  if (tunnel === undefined) throw new ApiError(404, 1003, 'Tunnel not found.')
  return tunnel
}

/** 1013: a living tunnel has that name. */
function freeName({ tunnels }: DoubleAccount, name: string): string {
  const isTaken = [...tunnels.values()].some((tunnel) => tunnel.deleted_at === null && tunnel.name === name)
  if (isTaken) throw new ApiError(409, 1013, 'You already have a tunnel with this name.')
  return name
}

function shown({ id: account_tag }: DoubleAccount, tunnel: DoubleTunnel) {
  const { id, name, config_src, created_at, deleted_at, connections } = tunnel
  return {
    ...{ id, account_tag, name, config_src, created_at, deleted_at },
    connections: Array.from({ length: connections }, () => ({ id: uuid(), colo_name: 'DFW' })),
    status: connections === 0 ? 'inactive' : 'healthy',
    ...{ remote_config: config_src === 'cloudflare', tun_type: 'cfd_tunnel', metadata: {} },
  }
}

function configurationOf({ id: tunnel_id, config, version, source, created_at }: DoubleTunnel) {
  return { tunnel_id, version, config, source, created_at }
}

const SERVICE =
  /^(https?|tcp|udp|ssh|rdp|smb|wss?|unix|unix\+tls):|^(http_status:\d{3}|hello[_-]world|bastion|socks-proxy)$/
const HOSTNAME = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/
/** 1056; cloudflared's own checks: the last rule alone matches everything, and each has a service. */
function mustBeGood({ ingress }: Tree): void {
  const rules = Array.isArray(ingress) ? ingress.map((rule) => (isTree(rule) ? rule : {})) : []
  if (rules.length === 0) throw badConfiguration('', 'there is no ingress rule')
  for (const [at, { hostname = '', path = '', service }] of rules.entries()) {
    const isLast = at === rules.length - 1
    const isAny = (hostname === '' || hostname === '*') && path === ''
    if (!SERVICE.test(textOf(service))) throw badConfiguration(`Rule #${at + 1}: `, 'invalid service')
    if (hostname !== '' && hostname !== '*' && !HOSTNAME.test(textOf(hostname)))
      throw badConfiguration(`Rule #${at + 1}: `, 'invalid hostname')
    if (isAny && !isLast) throw badConfiguration(`Rule #${at + 1}: `, 'matches everything, but is not the last one')
    if (!isAny && isLast) throw badConfiguration(`Rule #${at + 1}: `, 'The last ingress rule must match all URLs')
  }
}
const badConfiguration = (rule: string, what: string) => new ApiError(400, 1056, `Bad Configuration: ${rule}${what}`)
