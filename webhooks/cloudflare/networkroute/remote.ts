import { all } from '../../kit/controller.ts'
import { nullable, object, type Shape, text } from '../../kit/schema.ts'
import type { Obstacle } from '../access/account.ts'
import { knownOf } from '../engine/seen.ts'
import type { PlaceAround, Placement, RemoteTable } from '../engine/table.ts'
import { networkIn } from '../networks.ts'
import { CLUSTER_TUNNEL, TUNNEL } from '../tunnel/schema.ts'
import { VIRTUAL_NETWORK } from '../virtualnetwork/schema.ts'
import { claimOfRoute } from './claim.ts'
import { NETWORK_ROUTE, type NetworkRoute } from './schema.ts'
import { rules } from './validate.ts'

const route = object(
  { id: text({ doc: 'Id.' }), network: text({ doc: 'Network.' }), tunnel_id: text({ doc: 'Id of the tunnel.' }) },
  {
    virtual_network_id: text({ doc: 'Id of the virtual network.' }),
    tunnel_name: text({ doc: 'Name of the tunnel.' }),
    comment: nullable(text({ doc: 'Comment.' })),
    deleted_at: nullable(text({ doc: 'When it was deleted.' })),
  },
)
/** API reference, maxLength. */
const COMMENT_LENGTH = 100
const networkOf = ({ spec: { network } }: NetworkRoute) => networkIn(network)?.text ?? network

/** Its identity is the id of the route: another network is a change of the same one. */
export const networkRouteRemote: RemoteTable<NetworkRoute, Shape<typeof route>> = {
  resource: NETWORK_ROUTE,
  noun: 'route',
  finalizer: 'networkroute.networking.cloudflare-operator.io/finalizer',
  claim: claimOfRoute,
  details: ({ spec }) => spec?.cloudflare ?? {},
  rules,
  paths: { collection: '/accounts/{account}/teamnet/routes', object: '/accounts/{account}/teamnet/routes/{id}' },
  updates: 'PATCH',
  answer: route,
  remoteOf: ({ id, network, tunnel_id, virtual_network_id, tunnel_name: tunnelName = '', comment, deleted_at }) => ({
    ...{ id, text: comment ?? '', fields: { network, tunnel_id, virtual_network_id }, isDeleted: deleted_at != null },
    told: { network, tunnelName },
  }),
  mark: { field: 'comment', limit: () => COMMENT_LENGTH, comment: ({ spec }) => spec.comment },
  codes: { exists: [1014], gone: [], busy: [] },
  place,
  wanted: (object, { known }) => ({
    network: networkOf(object),
    tunnel_id: known.tunnel,
    virtual_network_id: known.network,
  }),
  find: (object, { known }) => ({
    query: {
      network_subset: networkOf(object),
      network_superset: networkOf(object),
      virtual_network_id: known.network ?? '',
      is_deleted: false,
    },
    isIt: ({ fields }) => networkIn(String(fields.network))?.text === networkOf(object),
  }),
  status: {
    id: 'routeId',
    states: { ready: 'active', pending: 'pending', error: 'error', deleting: 'deleting' },
    of: ({ told }, { known }) => ({
      ...told,
      tunnelId: known.tunnel,
      virtualNetworkId: known.network,
      accountId: known.account,
    }),
  },
  watches: [TUNNEL, CLUSTER_TUNNEL, VIRTUAL_NETWORK].map((each) => all(each, (_, among) => among.all(''))),
}

async function place(object: NetworkRoute, around: PlaceAround): Promise<Placement | Obstacle> {
  const { status } = object
  const then = { tunnel: status?.tunnelId ?? '', network: status?.virtualNetworkId ?? '' }
  if (around.isTerminating && then.network !== '') return { params: {}, known: then }
  const [tunnel, network] = [await tunnelOf(object, around), await virtualNetworkOf(object, around)]
  if (typeof tunnel !== 'string') return tunnel
  return typeof network === 'string' ? { params: {}, known: { tunnel, network } } : network
}

const notReady = (message: string): Obstacle => ({ reason: 'DependencyNotReady', message })

async function tunnelOf({ spec: { tunnelRef } }: NetworkRoute, { cached }: PlaceAround): Promise<string | Obstacle> {
  const { kind = 'ClusterTunnel', name, namespace = '' } = tunnelRef
  const isOfNamespace = kind === 'Tunnel'
  const found = await cached.get(isOfNamespace ? TUNNEL : CLUSTER_TUNNEL, {
    namespace: isOfNamespace ? namespace : '',
    name,
  })
  const id = found && knownOf(found, 'tunnelId').id
  if (id) return id
  const called = [kind, ...(isOfNamespace ? [namespace] : []), name].join('/')
  return notReady(
    found === undefined ? `${called} is not there; create it` : `${called} has no tunnel at Cloudflare yet`,
  )
}

async function virtualNetworkOf(
  { spec: { virtualNetworkRef: ref } }: NetworkRoute,
  { account, cached, networks }: PlaceAround,
): Promise<string | Obstacle> {
  if (ref?.cloudflareId) return ref.cloudflareId
  if (!ref?.name) {
    const id = await networks.idOf(ref?.cloudflareName || undefined, account)
    const called = ref?.cloudflareName ? `virtual network ${ref.cloudflareName}` : 'default virtual network'
    return id ?? notReady(`the account has no ${called}; create it`)
  }
  const found = await cached.get(VIRTUAL_NETWORK, { namespace: '', name: ref.name })
  const id = found && knownOf(found, 'virtualNetworkId').id
  if (id) return id
  const called = `VirtualNetwork ${ref.name}`
  return notReady(found === undefined ? `${called} is not there; create it` : `${called} is not at Cloudflare yet`)
}
