import type { Tree } from '../../kit/schema.ts'
import { documentIn } from './document.ts'
import { configHash, type MergedTunnel, type MergeGiven, merge } from './merge.ts'
import { driftBetween, foreignRulesIn, hostnamesIn, isMassRemoval } from './remote-config.ts'
import { sourcesIn } from './sources.ts'
import type { SyncState } from './sync-state.ts'

/** The configuration as Cloudflare has it. */
export interface RemoteTunnelConfig {
  /** Null before the first PUT. */
  readonly config: Tree | null
  readonly version: number
  /** `local` where a file beside cloudflared counts, and not what is sent. */
  readonly source: string
}
export interface SyncSeen {
  readonly tunnelId: string
  readonly accountId: string
  /** The text of config.json. */
  readonly content: string | undefined
  readonly state: SyncState
  /** All caches are in, and each object that they hold for this tunnel has said its part since (CF-AGG-23). */
  readonly isComplete: boolean
  /** Absent until it was asked for. */
  readonly remote?: RemoteTunnelConfig | 'gone'
  /** An object of the cluster has the tunnel in its status. */
  readonly isRecorded: boolean
  /** The tunnel was there before us, and may have rules of others (CF-AGG-18). */
  readonly isTakenOver: boolean
  readonly overwritesForeign: boolean
  readonly ignoresDrift: boolean
}
/** A removal of many hostnames that waits to be computed once more. */
export interface HeldRemoval {
  readonly hash: string
  readonly since: Date
}
export interface SyncGiven {
  readonly at: Date
  readonly driftSeconds: number
  readonly merging: MergeGiven
  readonly held?: HeldRemoval | undefined
}

interface Computed {
  readonly merged: MergedTunnel
  readonly hash: string
}
export interface SyncNotice {
  readonly reason: 'DriftDetected' | 'MassRemoval'
  readonly message: string
}
/**
 * `rest`: all is as it was sent. `wait`: too little is known to send anything. `look`: the configuration at Cloudflare has
 * to be seen first. `note`: it is so already, which is written down. `stop`: nothing is sent until something changes.
 */
export type SyncDecision =
  | { readonly do: 'wait' | 'look' }
  | ({ readonly do: 'rest' } & Computed)
  | { readonly do: 'hold'; readonly held: HeldRemoval; readonly notice: SyncNotice }
  | ({ readonly do: 'put'; readonly notice?: SyncNotice } & Computed)
  | ({ readonly do: 'note'; readonly version: number } & Computed)
  | { readonly do: 'stop'; readonly status: 'Error' | 'Blocked' | 'TunnelGone'; readonly message: string }

/** Pure: the same question has the same answer, and a doubt sends nothing. */
export function syncDecision(seen: SyncSeen, given: SyncGiven): SyncDecision {
  const computed = computedOf(seen, given.merging)
  if (typeof computed === 'string') return { do: 'stop', status: 'Error', message: computed }
  if (!seen.isComplete) return { do: 'wait' }
  const isSent = seen.state.hash === computed.hash && seen.state.status === 'Synced'
  if (isSent && isFresh(seen.state, given)) return { do: 'rest', ...computed }
  const { remote } = seen
  if (remote === undefined) return { do: 'look' }
  if (remote === 'gone') return GONE
  return blockOf(seen, remote, computed) ?? decided(seen, remote, { ...computed, isSent }, given)
}
const GONE: SyncDecision = {
  do: 'stop',
  status: 'TunnelGone',
  message: 'the tunnel is not at Cloudflare any more; its sources are kept',
}

/** Nonsense is no configuration (CF-AGG-03). */
function computedOf({ content, tunnelId, accountId }: SyncSeen, given: MergeGiven): Computed | string {
  const parsed = documentIn(content)
  if ('problem' in parsed) return parsed.problem
  const sources = sourcesIn(parsed.document)
  if (typeof sources === 'string') return sources
  const merged = merge(sources, given)
  return { merged, hash: configHash(tunnelId, accountId, merged.config) }
}

const isFresh = ({ time }: SyncState, { at, driftSeconds }: SyncGiven) =>
  time !== undefined && at.getTime() - time.getTime() < driftSeconds * 1_000

const MOST_LISTED = 10
const listed = (names: readonly string[]) =>
  names.length > MOST_LISTED
    ? `${names.slice(0, MOST_LISTED).join(', ')} and ${names.length - MOST_LISTED} more`
    : names.join(', ')

function blockOf(seen: SyncSeen, remote: RemoteTunnelConfig, { merged }: Computed): SyncDecision | undefined {
  const { state, isTakenOver, overwritesForeign } = seen
  if (remote.source === 'local')
    return { do: 'stop', status: 'Blocked', message: 'the tunnel is configured by a file beside cloudflared' }
  if (isUnproven(seen) && driftBetween(remote.config, merged.config) !== undefined)
    return { do: 'stop', status: 'Blocked', message: UNPROVEN }
  if (!isTakenOver || overwritesForeign || state.version !== undefined) return undefined
  const foreign = foreignRulesIn(remote.config, merged.config)
  if (foreign.length === 0) return undefined
  const way = 'set annotation cloudflare-operator.io/foreign-rules=overwrite on the tunnel to replace them'
  return { do: 'stop', status: 'Blocked', message: `the tunnel has rules of others: ${listed(foreign)}; ${way}` }
}

/** Authors can write the annotations by which a lost configuration is made again, so it has to be the one that is there. */
const isUnproven = ({ isRecorded, state }: SyncSeen) => !isRecorded && state.version === undefined
const UNPROVEN = 'no object of this cluster records the tunnel, so nothing but what it has already is published'

function decided(
  { state, ignoresDrift }: SyncSeen,
  remote: RemoteTunnelConfig,
  { isSent, ...computed }: Computed & { readonly isSent: boolean },
  given: SyncGiven,
): SyncDecision {
  const { version } = remote
  const drift = isSent && version === state.version ? undefined : driftBetween(remote.config, computed.merged.config)
  if (drift === undefined || (isSent && ignoresDrift)) return { do: 'note', version, ...computed }
  const held = heldFor(computed, remote, given)
  if (held !== undefined) return held
  if (!isSent) return { do: 'put', ...computed }
  const changed = `added: ${listed(drift.added) || 'none'}; removed: ${listed(drift.removed) || 'none'}`
  const message = `the configuration was changed at Cloudflare (hostnames ${changed}), and is sent again`
  return { do: 'put', notice: { reason: 'DriftDetected', message }, ...computed }
}

const SECOND_LOOK_MS = 10_000
/** What would take many hostnames away has to come out the same ten seconds later (CF-AGG-23). */
function heldFor({ merged, hash }: Computed, remote: RemoteTunnelConfig, given: SyncGiven): SyncDecision | undefined {
  const [there, next] = [hostnamesIn(remote.config), hostnamesIn({ ...merged.config })]
  if (!isMassRemoval(there, next)) return undefined
  const { held, at } = given
  const since = held?.hash === hash ? held.since : at
  if (at.getTime() - since.getTime() >= SECOND_LOOK_MS) return undefined
  const message = `${next.length} hostnames would be left of ${there.length}: this is computed again before it is sent`
  return { do: 'hold', held: { hash, since }, notice: { reason: 'MassRemoval', message } }
}
