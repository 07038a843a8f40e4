import type { Draft, KubeObject, Tree } from '../../kit/schema.ts'

export type SyncStatus = 'Pending' | 'Synced' | 'Error' | 'Blocked' | 'RateLimited' | 'TunnelGone'
/** What the syncer knows of the configuration that it sent last. */
export interface SyncState {
  readonly hash?: string
  readonly status?: SyncStatus
  /** When it was sent, or found to be so at Cloudflare. */
  readonly time?: Date
  readonly version?: number
  readonly message?: string
  readonly rules?: number
  /** Rules that are left out, as people read them. */
  readonly quarantined?: readonly string[]
}

const PREFIX = 'cloudflare-operator.io'
const ANNOTATION = {
  hash: `${PREFIX}/last-hash`,
  status: `${PREFIX}/sync-status`,
  time: `${PREFIX}/last-sync-time`,
  version: `${PREFIX}/config-version`,
  message: `${PREFIX}/sync-message`,
  rules: `${PREFIX}/rule-count`,
  quarantined: `${PREFIX}/quarantined`,
} as const satisfies Record<keyof SyncState, string>
const STATUSES: readonly SyncStatus[] = ['Pending', 'Synced', 'Error', 'Blocked', 'RateLimited', 'TunnelGone']

/** What of it decides anything. An annotation that makes no sense counts as absent. */
export function stateIn({ annotations }: Draft<KubeObject['metadata']>): SyncState {
  const said = (name: keyof SyncState) => annotations?.[ANNOTATION[name]]
  const [hash, time] = [said('hash'), Date.parse(said('time') ?? '')]
  const status = STATUSES.find((each) => each === said('status'))
  const version = /^[0-9]{1,15}$/.test(said('version') ?? '') ? Number(said('version')) : undefined
  return {
    ...(hash && { hash }),
    ...(status && { status }),
    ...(Number.isFinite(time) && { time: new Date(time) }),
    ...(version !== undefined && { version }),
  }
}

const LONGEST_MESSAGE = 1_024
const LONGEST_LIST = 8_192
/** A merge patch of annotations alone, so that no source is lost by it (CF-AGG-14). What is absent goes. */
export function patchOf({ hash, status, time, version, message, rules, quarantined = [] }: SyncState): Tree {
  const annotations = {
    [ANNOTATION.hash]: hash ?? null,
    [ANNOTATION.status]: status ?? null,
    [ANNOTATION.time]: time?.toISOString() ?? null,
    [ANNOTATION.version]: version === undefined ? null : String(version),
    [ANNOTATION.message]: message ? upTo(LONGEST_MESSAGE, message) : null,
    [ANNOTATION.rules]: rules === undefined ? null : String(rules),
    [ANNOTATION.quarantined]: quarantined.length === 0 ? null : upTo(LONGEST_LIST, quarantined.join('; ')),
  }
  return { metadata: { annotations } }
}
const upTo = (most: number, text: string) => [...text.slice(0, 2 * most).toWellFormed()].slice(0, most).join('')
