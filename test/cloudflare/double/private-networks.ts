import { ApiError, pageOf } from './answer.ts'
import { accountOf, type DoubleCall, type DoubleRoutes, isTrue, textOf } from './routing.ts'
import { type DoubleAccount, type DoubleNetwork, type DoubleRoute, now, uuid } from './state.ts'

/** API reference, "Virtual Networks" and "Routes". Both are kept after their deletion, and listed unless asked otherwise. */
export const PRIVATE_NETWORKS: DoubleRoutes = {
  'GET /accounts/{account}/teamnet/virtual_networks': (call) => ({
    result: [...accountOf(call).networks.values()].filter(
      (network) => isListed(network, call.query) && isNamed(network, call.query),
    ),
  }),
  'POST /accounts/{account}/teamnet/virtual_networks': (call) => {
    const { body } = call
    const made = {
      id: uuid(),
      name: textOf(body.name),
      comment: textOf(body.comment),
      created_at: now(),
      deleted_at: null,
    }
    return { result: storedNetwork(accountOf(call), { ...made, is_default_network: isTrue(body.is_default) }) }
  },
  'GET /accounts/{account}/teamnet/virtual_networks/{id}': (call) => ({ result: networkOf(call) }),
  'PATCH /accounts/{account}/teamnet/virtual_networks/{id}': (call) => {
    const { body } = call
    const before = networkOf(call)
    const after = { ...before, name: textOf(body.name, before.name), comment: textOf(body.comment, before.comment) }
    const isDefault = before.is_default_network || isTrue(body.is_default_network)
    return { result: storedNetwork(accountOf(call), { ...after, is_default_network: isDefault }) }
  },
  'DELETE /accounts/{account}/teamnet/virtual_networks/{id}': (call) => {
    const account = accountOf(call)
    const network = networkOf(call)
    const isUsed = livingRoutes(account).some((route) => route.virtual_network_id === network.id)
    if (isUsed) throw new ApiError(400, 0, 'The virtual network still has routes.') // its code is not public
    const gone = { ...network, deleted_at: now() }
    account.networks.set(gone.id, gone)
    return { result: gone }
  },
  'GET /accounts/{account}/teamnet/routes': (call) => {
    const account = accountOf(call)
    const found = [...account.routes.values()].filter((route) => isListed(route, call.query) && isOf(route, call.query))
    return pageOf(
      found.map((route) => shown(account, route)),
      call.query,
    )
  },
  'POST /accounts/{account}/teamnet/routes': (call) => {
    const { body } = call
    const account = accountOf(call)
    const usual = [...account.networks.values()].find((network) => network.is_default_network)
    const route = {
      ...{ id: uuid(), network: textOf(body.network), tunnel_id: textOf(body.tunnel_id) },
      virtual_network_id: textOf(body.virtual_network_id, usual?.id),
      ...{ comment: textOf(body.comment), created_at: now(), deleted_at: null },
    }
    return { result: storedRoute(account, route) }
  },
  'GET /accounts/{account}/teamnet/routes/{id}': (call) => ({ result: shown(accountOf(call), routeOf(call)) }),
  'PATCH /accounts/{account}/teamnet/routes/{id}': (call) => {
    const before = routeOf(call)
    const { network, tunnel_id, virtual_network_id, comment } = call.body
    const after = {
      ...before,
      network: textOf(network, before.network),
      tunnel_id: textOf(tunnel_id, before.tunnel_id),
      virtual_network_id: textOf(virtual_network_id, before.virtual_network_id),
      comment: textOf(comment, before.comment),
    }
    return { result: storedRoute(accountOf(call), after) }
  },
  'DELETE /accounts/{account}/teamnet/routes/{id}': (call) => {
    const account = accountOf(call)
    const gone = { ...routeOf(call), deleted_at: now() }
    account.routes.set(gone.id, gone)
    return { result: shown(account, gone) }
  },
}

interface SoftDeleted {
  readonly deleted_at: string | null
}
/** Without the filter the dead are listed, too. */
export function isListed({ deleted_at }: SoftDeleted, query: URLSearchParams): boolean {
  const wanted = query.get('is_deleted')
  return wanted === null || (wanted === 'true') === (deleted_at !== null)
}
const isNamed = ({ name }: DoubleNetwork, query: URLSearchParams) => !query.has('name') || query.get('name') === name

/** Equal networks alone: what contains another is not compared. */
function isOf(route: DoubleRoute, query: URLSearchParams): boolean {
  const wanted = ['network_subset', 'network_superset'].map((name) => query.get(name) ?? route.network)
  const isOfNetwork = (query.get('virtual_network_id') ?? route.virtual_network_id) === route.virtual_network_id
  const isOfTunnel = (query.get('tunnel_id') ?? route.tunnel_id) === route.tunnel_id
  return wanted.every((network) => network === route.network) && isOfNetwork && isOfTunnel
}

export const livingRoutes = ({ routes }: DoubleAccount) =>
  [...routes.values()].filter(({ deleted_at }) => deleted_at === null)

function networkOf(call: DoubleCall): DoubleNetwork {
  const network = accountOf(call).networks.get(call.params.id ?? '')
  if (network === undefined) throw new ApiError(404, 1003, 'Virtual network not found.')
  return network
}
function routeOf(call: DoubleCall): DoubleRoute {
  const route = accountOf(call).routes.get(call.params.id ?? '')
  if (route === undefined) throw new ApiError(404, 1003, 'Route not found.')
  return route
}

/** 1013: the name of a living one is taken. One network is the default one. */
function storedNetwork(account: DoubleAccount, network: DoubleNetwork): DoubleNetwork {
  const others = [...account.networks.values()].filter(({ id, deleted_at }) => id !== network.id && deleted_at === null)
  if (others.some(({ name }) => name === network.name))
    throw new ApiError(409, 1013, 'You already have a virtual network with this name.')
  if ([...network.comment].length > 256) throw new ApiError(400, 1004, 'comment is too long') // API reference, maxLength
  if (network.is_default_network)
    for (const other of others) account.networks.set(other.id, { ...other, is_default_network: false })
  account.networks.set(network.id, network)
  return network
}

/** 1014: a route of exactly that network exists. */
function storedRoute(account: DoubleAccount, route: DoubleRoute) {
  const isTaken = livingRoutes(account).some(
    ({ id, network, virtual_network_id }) =>
      id !== route.id && network === route.network && virtual_network_id === route.virtual_network_id,
  )
  if (isTaken) throw new ApiError(409, 1014, 'You already have a route defined for this exact IP subnet.')
  if ([...route.comment].length > 100) throw new ApiError(400, 1004, 'comment is too long') // API reference, maxLength
  account.routes.set(route.id, route)
  return shown(account, route)
}

function shown({ tunnels, networks }: DoubleAccount, route: DoubleRoute) {
  return {
    ...route,
    tun_type: 'cfd_tunnel',
    tunnel_name: tunnels.get(route.tunnel_id)?.name ?? '',
    virtual_network_name: networks.get(route.virtual_network_id)?.name ?? '',
  }
}
