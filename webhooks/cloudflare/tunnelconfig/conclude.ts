import type { Action, Given, Plan, Result } from '../../kit/controller.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import type { Sample } from '../../kit/telling.ts'
import { SHARED_CONFIG_MAP } from '../aggregation/shared-config-map.ts'
import { configMapName } from '../aggregation/sources.ts'
import { patchOf, type SyncState } from '../aggregation/sync-state.ts'
import { attemptsSample, syncSample } from '../metrics.ts'
import { CLOUDFLARE_NAMESPACE } from '../settings.ts'
import { told } from './notices.ts'
import { NOTHING_REMEMBERED, released, type TunnelMemory } from './plan.ts'
import { reportsOf } from './reports.ts'
import type { StoredConfig, TunnelSeen } from './seen.ts'
import { outcomeIn, type TunnelOutcome, type TunnelStep } from './step.ts'

const SOON_MS = 1_000

type ConcludingTunnel = Pick<Given<TunnelMemory>, 'at' | 'settings' | 'remembered'>
export function conclusionOf(
  seen: TunnelSeen,
  results: readonly Result<TunnelStep>[],
  given: ConcludingTunnel,
): Plan<never, TunnelMemory> {
  const { remembered = NOTHING_REMEMBERED } = given
  const result = results.find(({ action }) => action.do === 'sync tunnel')
  const outcome = result && outcomeIn(result)
  const events = told(seen, outcome, remembered.told)
  if (outcome === undefined)
    return { actions: [], notices: events.notices, remember: { ...remembered, told: events.all } }
  const { held, refused, failures, notBefore, againInMs } = outcome.sent
  /** It was deleted within this turn: made again while the tunnel is there, its settings go, too. */
  const isLost = outcome.left === undefined && seen.contributed.length > 0
  const freed = seen.stored?.problem === undefined && !isLost ? released(seen, outcome.left?.keys ?? []) : []
  const isSoon = isLost || seen.stale.isMoving
  return {
    actions: [...freed, ...noted(seen, outcome, given), ...reportsOf(seen, outcome.sent, given.at)],
    notices: events.notices,
    measured: measuredOf(outcome),
    againInMs: isSoon ? Math.min(SOON_MS, againInMs) : againInMs,
    remember: { held, refused, failures, notBefore, told: events.all },
  }
}

function measuredOf({ attempts, sent: { state } }: TunnelOutcome): readonly Sample[] {
  return [
    ...(state?.status === undefined ? [] : [syncSample(state.status)]),
    ...(attempts === 0 ? [] : [attemptsSample(attempts)]),
  ]
}

/** The state, by a merge patch of annotations alone (CF-AGG-14). A ConfigMap without sources goes as soon as that was sent. */
function noted(
  { tunnelId, stored, tunnels }: TunnelSeen,
  { left, sent }: TunnelOutcome,
  { settings }: Pick<ConcludingTunnel, 'settings'>,
): readonly Action[] {
  if (left === undefined) return []
  const { uid, resourceVersion } = left
  const on = {
    of: SHARED_CONFIG_MAP,
    ref: { namespace: settings.get(CLOUDFLARE_NAMESPACE), name: configMapName(tunnelId) },
  }
  if (sent.isBare && left.keys.length === 0 && tunnels.length === 0)
    return [{ do: 'remove', ...on, expects: { uid, resourceVersion }, because: 'CF-AGG-15' }]
  const patch = sent.state === undefined ? undefined : changedIn(sent.state, stored)
  return patch === undefined ? [] : [{ do: 'merge', ...on, expects: { uid }, patch, because: 'CF-AGG-14' }]
}

/** What is noted already is not written. */
function changedIn(state: SyncState, stored: StoredConfig | undefined): Tree | undefined {
  const { metadata } = patchOf(state)
  const wanted = isTree(metadata) && isTree(metadata.annotations) ? metadata.annotations : {}
  const changed = Object.entries(wanted).filter(([name, value]) => (stored?.annotations[name] ?? null) !== value)
  return changed.length === 0 ? undefined : { metadata: { annotations: Object.fromEntries(changed) } }
}
