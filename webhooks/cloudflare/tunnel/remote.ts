import { all } from '../../kit/controller.ts'
import { nullable, object, type Resource, type Shape, text } from '../../kit/schema.ts'
import type { RemoteTable } from '../engine/table.ts'
import { NETWORK_ROUTE } from '../networkroute/schema.ts'
import { claimOfTunnel } from './claim.ts'
import { CLUSTER_TUNNEL, TUNNEL, type Tunnel } from './schema.ts'
import { rules } from './validate.ts'

const tunnel = object(
  { id: text({ doc: 'Id.' }), name: text({ doc: 'Name.' }) },
  {
    created_at: text({ doc: 'When it was made.' }),
    deleted_at: nullable(text({ doc: 'When it was deleted.' })),
  },
)

/** The name that a tunnel should have; one that is named by its id keeps its own. */
function nameOf({ metadata, spec }: Tunnel): string | undefined {
  const { existingTunnel: existing } = spec ?? {}
  if (existing !== undefined) return existing.id ? undefined : existing.name
  return spec?.newTunnel?.name || metadata.name
}
const isThere = ({ spec }: Tunnel) => spec?.existingTunnel !== undefined

/** A tunnel has no field for a mark: its recorded id is all that tells the owner. Its configuration is no part of it. */
const tunnelRemote = (resource: Resource<Tunnel>): RemoteTable<Tunnel, Shape<typeof tunnel>> => ({
  resource,
  noun: 'tunnel',
  finalizer: 'cloudflare-operator.io/finalizer',
  claim: claimOfTunnel,
  details: ({ spec }) => spec?.cloudflare ?? {},
  rules,
  paths: { collection: '/accounts/{account}/cfd_tunnel', object: '/accounts/{account}/cfd_tunnel/{id}' },
  updates: 'PATCH',
  answer: tunnel,
  remoteOf: ({ id, name, created_at: createdAt, deleted_at }) => ({
    ...{ id, text: '', fields: { name }, told: { tunnelName: name }, createdAt, isDeleted: deleted_at != null },
  }),
  codes: { exists: [1013], gone: [], busy: [1022] },
  place: async ({ spec }) => ({ params: {}, known: { zone: spec?.cloudflare?.zoneId ?? '' } }),
  wanted: (object) => {
    const name = nameOf(object)
    return name === undefined ? {} : { name }
  },
  created: (object) => ({ name: nameOf(object), config_src: 'cloudflare' }),
  fixedId: ({ spec }) => spec?.existingTunnel?.id,
  /** Another name of an existing tunnel is another tunnel, and not a change of its name. */
  isMeant: (object, { fields }) => !isThere(object) || fields.name === (nameOf(object) ?? fields.name),
  policy: (object) => (isThere(object) ? 'MustExist' : undefined),
  find: (object) => {
    const name = nameOf(object)
    if (name === undefined) return { id: object.spec?.existingTunnel?.id ?? '' }
    return { query: { name, is_deleted: false }, isIt: ({ fields }) => fields.name === name }
  },
  status: {
    id: 'tunnelId',
    states: { ready: 'active', pending: 'pending', error: 'error', deleting: 'deleting' },
    always: ['tunnelId', 'tunnelName', 'accountId', 'zoneId'],
    of: ({ told }, { known }) => ({ ...told, accountId: known.account, zoneId: known.zone }),
  },
  /** What was there before stays, and what routes lead to it. */
  deletionPolicy: (object) => (isThere(object) ? 'Orphan' : undefined),
  watches: [all(NETWORK_ROUTE, (_, among) => among.all(''))],
  async dependents(object, cached) {
    if (isThere(object)) return []
    const routes = await cached.list(NETWORK_ROUTE, { namespace: '' })
    return routes
      .filter(({ spec }) => isOf(object, resource.kind, spec?.tunnelRef ?? {}))
      .map((each) => `NetworkRoute/${each.metadata.name}`)
  },
})

interface TunnelNamed {
  readonly kind?: string | undefined
  readonly name?: string | undefined
  readonly namespace?: string | undefined
}
function isOf(
  { metadata }: Tunnel,
  ownKind: string,
  { kind = 'ClusterTunnel', name, namespace }: TunnelNamed,
): boolean {
  if (kind !== ownKind || name !== metadata.name) return false
  return metadata.namespace === undefined || namespace === metadata.namespace
}

export const tunnelOfNamespace = tunnelRemote(TUNNEL)
export const tunnelOfCluster = tunnelRemote(CLUSTER_TUNNEL)
