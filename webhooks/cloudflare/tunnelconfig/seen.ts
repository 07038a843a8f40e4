import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Key, Sight } from '../../kit/controller.ts'
import type { ClusterReader, Draft, Settings, Tree } from '../../kit/schema.ts'
import { type AccountRef, isObstacle, type Obstacle } from '../access/account.ts'
import type { AccountDetails, RemoteAccounts } from '../access/accounts.ts'
import { CONFIG_KEY, documentIn } from '../aggregation/document.ts'
import { type OwnerReferences, SHARED_CONFIG_MAP, type SharedState } from '../aggregation/shared-config-map.ts'
import { configMapName } from '../aggregation/sources.ts'
import { TUNNEL_LABEL, TYPE_LABEL } from '../aggregation/tunnel-configs.ts'
import { CREDENTIALS } from '../credentials/schema.ts'
import { HTTP_ROUTE, ORIGIN_SERVICE } from '../kubernetes.ts'
import { CLOUDFLARE_NAMESPACE } from '../settings.ts'
import {
  type Contribution,
  idOf,
  membersOf,
  NONE,
  type ServiceLookUp,
  type ServiceRef,
  type SourceMember,
} from './members.ts'
import { clusterSeen, isTunnelId, type SeenCluster, type SeenTunnel } from './seen-cluster.ts'
import { type StaleSources, staleSources } from './stale.ts'

export interface Contributed extends Contribution {
  readonly member: SourceMember
}
/** All that a turn for one tunnel looks at. */
export interface TunnelSeen {
  readonly tunnelId: string
  /** Absent while there is no ConfigMap. */
  readonly stored?: StoredConfig
  readonly state: SharedState<Tree>
  /** The objects of this tunnel, the oldest first. */
  readonly tunnels: readonly SeenTunnel[]
  readonly contributed: readonly Contributed[]
  /** Objects whose tunnel is not known. */
  readonly unclear: readonly SourceMember[]
  /** HTTPRoutes that are published nowhere, which have to be told why; a turn of one tunnel tells them all. */
  readonly unpublished: readonly Contributed[]
  /** Objects that others publish. */
  readonly left: readonly SourceMember[]
  readonly stale: StaleSources
  readonly account: AccountRef | Obstacle
  /** Tells of objects that belong to no tunnel. */
  readonly isFirst: boolean
}
export interface StoredConfig {
  readonly uid: string
  readonly resourceVersion: string
  readonly annotations: Readonly<Record<string, string | undefined>>
  /** It is no configuration, or not ours: it is left as it is (CF-AGG-02, CF-AGG-03). */
  readonly problem?: { readonly reason: 'ParseError' | 'ForeignConfigMap'; readonly message: string }
}

interface ObservingTunnel {
  readonly accounts: RemoteAccounts
  readonly settings: Settings
  /** Hears which Services a tunnel rests on. */
  readonly restsOn: (key: Key, services: readonly ServiceRef[]) => void
}

export function observing({ accounts, settings, restsOn }: ObservingTunnel) {
  const namespace = settings.get(CLOUDFLARE_NAMESPACE)
  return async (key: Key, { cached, live }: Sight): Promise<TunnelSeen | undefined> => {
    const tunnelId = tunnelIdIn(key)
    const cluster = await clusterSeen(cached)
    const members = membersOf(cluster, namespace)
    const tunnels = cluster.tunnels.filter((tunnel) => tunnel.tunnelId === tunnelId).toSorted(byAge)
    const found = await live.get(SHARED_CONFIG_MAP, key)
    const isLost = found === undefined && tunnels.length === 0
    const own = members.filter(isLost ? rememberedAt(tunnelId) : standingFor(tunnelId))
    if (isLost && own.length === 0) return undefined
    const parsed = documentIn(found?.data?.[CONFIG_KEY])
    const document = 'document' in parsed ? parsed.document : {}
    const services = own.flatMap((each) => each.services)
    restsOn(key, services)
    const account = await accounts.refOf(detailsOf(tunnels, document), cached)
    const domain = await domainOf(tunnels, account, cached)
    const look = await lookUpOf(services, cached)
    const stored = found && { ...storedAs(found), ...problemIn(found, tunnelId, parsed) }
    const isReadable = stored?.problem === undefined
    const isFirst = isFirstOf(cluster, tunnelId)
    return {
      tunnelId,
      ...(stored && { stored }),
      state: { content: document, owners: found?.metadata.ownerReferences ?? NO_OWNERS },
      tunnels,
      contributed: own.map((member) => ({ member, ...member.contribution(look, domain) })),
      unpublished: isFirst ? members.filter(isUnpublished).map(withoutServices) : [],
      left: members.filter(({ standing }) => standing.is === 'elsewhere'),
      unclear: members.filter(({ standing }) => standing.is === 'unclear'),
      stale: isReadable
        ? await staleSources({ tunnelId, document, members, seen: cluster, live, namespace })
        : { gone: [], isMoving: false },
      account,
      isFirst,
    }
  }
}
const NO_OWNERS: OwnerReferences = []
const standingFor =
  (tunnelId: string) =>
  ({ standing }: SourceMember) =>
    standing.is === 'at' && standing.tunnelId === tunnelId
/** The object of their tunnel is gone, and so is its ConfigMap: only they know where they were published (CF-AGG-23). */
const rememberedAt =
  (tunnelId: string) =>
  ({ standing, object: { metadata } }: SourceMember) =>
    standing.is === 'unclear' && metadata.annotations?.[TUNNEL_LABEL] === tunnelId
const isUnpublished = ({ of, object, standing }: SourceMember) =>
  of === HTTP_ROUTE && standing.is !== 'at' && !isTerminating(object)
const withoutServices = (member: SourceMember): Contributed => ({ member, ...member.contribution(NONE, undefined) })

const PREFIX_LENGTH = configMapName('').length
/** The id of the tunnel whose ConfigMap it is. */
export const tunnelIdIn = ({ name }: Pick<Key, 'name'>) => name.slice(PREFIX_LENGTH)
export const isTunnelKey = ({ name }: Pick<Key, 'name'>) =>
  name.startsWith(configMapName('')) && isTunnelId(tunnelIdIn({ name }))

const ageOf = ({ object: { metadata } }: SeenTunnel) =>
  [metadata.creationTimestamp ?? '', metadata.namespace ?? '', metadata.name].join(' ')
const byAge = (one: SeenTunnel, other: SeenTunnel) => (ageOf(one) < ageOf(other) ? -1 : 1)

function isFirstOf({ tunnels }: SeenCluster, tunnelId: string): boolean {
  const [first] = tunnels.flatMap(({ tunnelId: id }) => (id === '' ? [] : [id])).toSorted()
  return first === tunnelId
}

function storedAs({ metadata }: { readonly metadata: Draft<TunnelMetadata> }): StoredConfig {
  const { uid = '', resourceVersion = '', annotations } = metadata
  return { uid, resourceVersion, annotations: annotations ?? {} }
}
interface TunnelMetadata {
  readonly uid: string
  readonly resourceVersion: string
  readonly annotations: Readonly<Record<string, string>> | null
}
function problemIn(
  {
    metadata: { labels },
  }: { readonly metadata: { readonly labels?: Readonly<Record<string, string | undefined>> | null | undefined } },
  tunnelId: string,
  parsed: ReturnType<typeof documentIn>,
): Pick<StoredConfig, 'problem'> {
  if (labels?.[TYPE_LABEL] === undefined || labels[TUNNEL_LABEL] !== tunnelId)
    return {
      problem: {
        reason: 'ForeignConfigMap',
        message: `it has no labels ${TYPE_LABEL} and ${TUNNEL_LABEL} of its tunnel`,
      },
    }
  return 'problem' in parsed ? { problem: { reason: 'ParseError', message: parsed.problem } } : {}
}

/** A tunnel without an object has what its configuration says of it, or else the default credentials. */
function detailsOf(tunnels: readonly SeenTunnel[], document: Tree): AccountDetails {
  const [tunnel] = [...tunnels.filter(({ object }) => !isTerminating(object)), ...tunnels]
  if (tunnel !== undefined) return tunnel.object.spec?.cloudflare ?? {}
  const { accountId, credentialsRef } = document
  const name =
    typeof credentialsRef === 'object' && credentialsRef !== null && 'name' in credentialsRef ? credentialsRef.name : ''
  return {
    ...(typeof accountId === 'string' && accountId !== '' && { accountId }),
    ...(typeof name === 'string' && name !== '' && { credentialsRef: { name } }),
  }
}

/** CF-CNV-10 */
async function domainOf(tunnels: readonly SeenTunnel[], account: AccountRef | Obstacle, cached: ClusterReader) {
  const own = tunnels.find(({ object }) => object.spec?.cloudflare?.domain)?.object.spec?.cloudflare?.domain
  if (own !== undefined || isObstacle(account)) return own
  const credentials = await cached.get(CREDENTIALS, { namespace: '', name: account.credentials })
  return credentials?.spec?.defaultDomain
}

async function lookUpOf(services: readonly ServiceRef[], cached: ClusterReader): Promise<ServiceLookUp> {
  const wanted = new Map(services.map((ref) => [idOf(ref), ref]))
  const found = await Promise.all(
    [...wanted].map(async ([id, ref]) => [id, await cached.get(ORIGIN_SERVICE, ref)] as const),
  )
  const known = new Map(found)
  return (ref) => known.get(idOf(ref))
}
