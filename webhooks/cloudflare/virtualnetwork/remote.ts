import { all } from '../../kit/controller.ts'
import { type NetworkAnswer, network } from '../access/networks.ts'
import type { RemoteTable } from '../engine/table.ts'
import { NETWORK_ROUTE } from '../networkroute/schema.ts'
import { claimOfNetwork } from './claim.ts'
import { VIRTUAL_NETWORK, type VirtualNetwork } from './schema.ts'
import { rules } from './validate.ts'

const nameOf = ({ metadata, spec }: VirtualNetwork) => spec?.name || metadata.name
/** API reference, maxLength. */
const COMMENT_LENGTH = 256

export const virtualNetworkRemote: RemoteTable<VirtualNetwork, NetworkAnswer> = {
  resource: VIRTUAL_NETWORK,
  noun: 'virtual network',
  finalizer: 'virtualnetwork.networking.cloudflare-operator.io/finalizer',
  claim: claimOfNetwork,
  details: ({ spec }) => spec?.cloudflare ?? {},
  rules,
  paths: {
    collection: '/accounts/{account}/teamnet/virtual_networks',
    object: '/accounts/{account}/teamnet/virtual_networks/{id}',
  },
  updates: 'PATCH',
  answer: network,
  remoteOf: ({ id, name, comment, is_default_network: isDefault = false, deleted_at }) => ({
    ...{ id, text: comment ?? '', fields: { name, is_default_network: isDefault }, isDeleted: deleted_at != null },
    told: { isDefault },
  }),
  mark: { field: 'comment', limit: () => COMMENT_LENGTH, comment: ({ spec }) => spec?.comment },
  codes: { exists: [1013], gone: [], busy: [] },
  find: (object) => ({
    query: { name: nameOf(object), is_deleted: false },
    isIt: ({ fields }) => fields.name === nameOf(object),
  }),
  /** What is not wanted as the default one may be it all the same: another one takes that over. */
  wanted: (object) => ({
    name: nameOf(object),
    ...(object.spec?.isDefaultNetwork === true && { is_default_network: true }),
  }),
  created: (object) => ({ name: nameOf(object), is_default: object.spec?.isDefaultNetwork === true }),
  status: {
    id: 'virtualNetworkId',
    states: { ready: 'active', pending: 'pending', error: 'error', deleting: 'deleting' },
    of: ({ told }, { known }) => ({ ...told, accountId: known.account }),
  },
  watches: [all(NETWORK_ROUTE, (_, among) => among.all(''))],
  async dependents({ metadata: { name } }, cached) {
    const routes = await cached.list(NETWORK_ROUTE, { namespace: '' })
    return routes
      .filter(({ spec }) => spec?.virtualNetworkRef?.name === name)
      .map((each) => `NetworkRoute/${each.metadata.name}`)
  },
}
