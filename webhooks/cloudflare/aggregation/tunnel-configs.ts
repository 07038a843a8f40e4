import { canonical } from '../../../src/kube/canonical-json.ts'
import type { Tree, Words } from '../../kit/schema.ts'
import { CONFIG_KEY, documentIn, sourceKeysOf, textOf, withoutSource, withSource } from './document.ts'
import {
  type ChangeAnswer,
  type ChangeContext,
  type ContentFormat,
  type OwnerReferences,
  type Pacing,
  type SharedChange,
  SharedConfigMaps,
  type SharedState,
} from './shared-config-map.ts'
import { configMapName } from './sources.ts'

export const TYPE_LABEL = 'cloudflare-operator.io/type'
export const TUNNEL_LABEL = 'cloudflare-operator.io/tunnel-id'
export const TUNNEL_CONFIG = 'tunnel-config'

/** CF-AGG-01 to CF-AGG-04 */
const FORMAT: ContentFormat<Tree> = {
  key: CONFIG_KEY,
  labelsOf: (name): Words => ({ [TYPE_LABEL]: TUNNEL_CONFIG, [TUNNEL_LABEL]: name.slice(configMapName('').length) }),
  read: (text) => {
    const parsed = documentIn(text)
    return 'document' in parsed ? { content: parsed.document } : parsed
  },
  textOf,
}

export interface TunnelIdentity {
  readonly accountId: string
  readonly tunnelName?: string
  readonly credentialsRef?: { readonly name: string }
}

/** The configurations of tunnels, each gathered in a ConfigMap of its own. */
export class TunnelConfigs {
  readonly #maps: SharedConfigMaps<Tree>
  readonly #namespace: string

  constructor(namespace: string, pacing: Pacing) {
    this.#maps = new SharedConfigMaps(FORMAT, pacing)
    this.#namespace = namespace
  }

  /** The account counts where no tunnel has said which one it is. */
  writeSourceConfig(tunnelID: string, key: string, source: Tree, context: SourceContext): Promise<ChangeAnswer> {
    return this.#change(tunnelID, context, (state) => {
      const next = withSource(state.content, key, source, context.at)
      if (next === state.content) return state
      const { accountId = '' } = context
      return {
        ...state,
        content: { ...next, tunnelId: next.tunnelId || tunnelID, accountId: next.accountId || accountId },
      }
    })
  }

  removeSourceConfig(tunnelID: string, key: string, context: ChangeContext): Promise<ChangeAnswer> {
    return this.#change(tunnelID, context, (state) => {
      const next = withoutSource(state.content, key)
      return next === state.content ? state : { ...state, content: next }
    })
  }

  setTunnelSettings(tunnelID: string, assertion: TunnelAssertion, context: SourceContext): Promise<ChangeAnswer> {
    return this.#change(tunnelID, context, (state) => asserted(state, tunnelID, assertion, context.at))
  }

  dropOwner(tunnelID: string, owner: DroppedOwner, context: ChangeContext): Promise<ChangeAnswer> {
    return this.#change(tunnelID, context, (state) => withoutOwner(state, owner))
  }

  #change(tunnelID: string, context: ChangeContext, change: SharedChange<Tree>): Promise<ChangeAnswer> {
    return this.#maps.change({ namespace: this.#namespace, name: configMapName(tunnelID) }, change, context)
  }
}

export interface SourceContext extends ChangeContext {
  readonly at: Date
  readonly accountId?: string
}
type TunnelOwner = OwnerReferences[number]
export interface TunnelAssertion {
  readonly key: string
  readonly source: Tree
  readonly identity: TunnelIdentity
  /** Only where the tunnel has no namespace, or stands in that of the operator (CF-AGG-05). */
  readonly owner?: TunnelOwner
}
/** One that an earlier operator wrote for the same object under another kind goes. */
const withOwner = (owners: OwnerReferences, owner: TunnelOwner): OwnerReferences => [
  ...owners.filter(({ uid }) => uid !== owner.uid),
  owner,
]

/** What the tunnel says of itself counts, and stays when its source goes. */
export function asserted(
  state: SharedState<Tree>,
  tunnelID: string,
  { key, source, identity, owner }: TunnelAssertion,
  at: Date,
): SharedState<Tree> {
  const content = { ...withSource(state.content, key, source, at), tunnelId: tunnelID, ...identity }
  const owners = owner === undefined ? state.owners : withOwner(state.owners, owner)
  const isSame = canonical([content, owners]) === canonical([state.content, state.owners])
  return isSame ? state : { content, owners }
}

export interface DroppedOwner {
  readonly key: string
  readonly uid: string
}
/**
 * Before the finalizer of a tunnel goes: its source and its ownership go in one update, or the garbage collector would
 * take what others contribute (CF-AGG-05).
 */
export function withoutOwner(state: SharedState<Tree>, { key, uid }: DroppedOwner): SharedState<Tree> {
  const content = withoutSource(state.content, key)
  const isNeeded = sourceKeysOf(content).length > 0
  const owners = isNeeded ? state.owners.filter((owner) => owner.uid !== uid) : state.owners
  const isSame = content === state.content && owners.length === state.owners.length
  return isSame ? state : { content, owners }
}
