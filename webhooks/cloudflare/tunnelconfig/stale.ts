import type { ClusterReader, Resource, Tree } from '../../kit/schema.ts'
import { type KubeObject, object, resource } from '../../kit/schema.ts'
import { documentIn, sourceKeysOf } from '../aggregation/document.ts'
import { SHARED_CONFIG_MAP } from '../aggregation/shared-config-map.ts'
import { configMapName, sourceKey } from '../aggregation/sources.ts'
import { GATEWAY_CLASS, HTTP_ROUTE } from '../kubernetes.ts'
import type { SourceMember } from './members.ts'
import { CONTRIBUTING, type SeenCluster } from './seen-cluster.ts'

export interface StaleGiven {
  readonly tunnelId: string
  readonly document: Tree
  readonly members: readonly SourceMember[]
  readonly seen: SeenCluster
  readonly live: ClusterReader
  readonly namespace: string
}
/** Sources of the document that go, and those that stay for now, since their new tunnel does not have them yet. */
export interface StaleSources {
  readonly gone: readonly string[]
  readonly isMoving: boolean
}

/** A doubt leaves a source where it is. */
export async function staleSources(given: StaleGiven): Promise<StaleSources> {
  const { document, members, seen, tunnelId } = given
  const standings = new Map(members.map(({ key, standing }) => [key, standing]))
  for (const { of, object: tunnel, tunnelId: its } of seen.tunnels) {
    const { namespace = '', name } = tunnel.metadata
    const standing = its === '' ? ({ is: 'unclear' } as const) : ({ is: 'at', tunnelId: its } as const)
    standings.set(sourceKey(of.kind, namespace, name), standing)
  }
  const others = new TunnelDocuments(given)
  const [gone, moving]: [string[], string[]] = [[], []]
  for (const key of sourceKeysOf(document)) {
    const standing = standings.get(key)
    if (standing === undefined) {
      if (await isGone(key, given)) gone.push(key)
    } else if (standing.is === 'elsewhere') gone.push(key)
    else if (standing.is === 'at' && standing.tunnelId !== tunnelId)
      ((await others.have(standing.tunnelId, key)) ? gone : moving).push(key)
  }
  return { gone, isMoving: moving.length > 0 }
}

/** The cache does not have it, and the API server says the same (CF-AGG-20). Sources of other kinds are not ours to judge. */
async function isGone(key: string, { live, seen }: StaleGiven): Promise<boolean> {
  const [kind = '', ...names] = key.split('/')
  const of = CONTRIBUTING.get(kind)
  if (of === undefined || names.length === 0 || names.length > 2) return false
  const [namespace = '', name = ''] = names.length === 2 ? names : ['', ...names]
  if ((of.scope === 'Namespaced') !== (namespace !== '') || name === '') return false
  if (of === HTTP_ROUTE && seen.gatewayClasses.length === 0 && !(await isServed(GATEWAY_CLASS, live))) return false
  return (await live.get(bare(of), { namespace, name })) === undefined
}
/** Where the Gateway API is not served, nothing is known of its objects. */
const isServed = async (of: Resource<KubeObject>, live: ClusterReader) =>
  (await live.list(of, { namespace: '', limit: 1 })).length > 0
const bare = (of: Parameters<typeof resource>[0]): Resource<KubeObject> => resource(of, object({}))

/** What other tunnels have; each is read once in a turn. */
class TunnelDocuments {
  readonly #given: StaleGiven
  readonly #keys = new Map<string, Promise<readonly string[]>>()

  constructor(given: StaleGiven) {
    this.#given = given
  }

  /** CF-AGG-16 */
  async have(tunnelId: string, key: string): Promise<boolean> {
    const known = this.#keys.get(tunnelId) ?? this.#keysOf(tunnelId)
    this.#keys.set(tunnelId, known)
    return (await known).includes(key)
  }

  async #keysOf(tunnelId: string): Promise<readonly string[]> {
    const { live, namespace } = this.#given
    const found = await live.get(SHARED_CONFIG_MAP, { namespace, name: configMapName(tunnelId) })
    const parsed = documentIn(found?.data?.['config.json'])
    return 'document' in parsed ? sourceKeysOf(parsed.document) : []
  }
}
