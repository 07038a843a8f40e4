import type { PerformContext, Performed, Step } from '../../kit/controller.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import type { AccountRef, Obstacle } from '../access/account.ts'
import { CONFIG_KEY, documentIn, sourceKeysOf } from '../aggregation/document.ts'
import type { SourceFinding } from '../aggregation/findings.ts'
import { type ChangeAnswer, type Rejection, SHARED_CONFIG_MAP } from '../aggregation/shared-config-map.ts'
import { configMapName } from '../aggregation/sources.ts'
import type { HeldRemoval, SyncNotice } from '../aggregation/sync-decision.ts'
import type { SyncState } from '../aggregation/sync-state.ts'
import type { DroppedOwner, TunnelAssertion, TunnelConfigs } from '../aggregation/tunnel-configs.ts'
import type { TunnelSync } from './sync.ts'

/** What changes in the ConfigMap of a tunnel, and how it is sent after that. */
export interface TunnelStep extends Step {
  readonly do: 'sync tunnel'
  readonly tunnelId: string
  readonly assertions: readonly TunnelAssertion[]
  readonly drops: readonly DroppedOwner[]
  readonly writes: readonly { readonly key: string; readonly source: Tree }[]
  readonly removals: readonly string[]
  /** Without each of these nothing is sent (CF-AGG-23). */
  readonly needs: readonly string[]
  /** There are objects whose tunnel is not known, so nothing bare is sent. */
  readonly hasUnclear: boolean
  readonly account: AccountRef | Obstacle
  /** An object of the cluster has the tunnel in its status. */
  readonly isRecorded: boolean
  readonly isTakenOver: boolean
  readonly overwritesForeign: boolean
  readonly ignoresDrift: boolean
  readonly held?: HeldRemoval | undefined
  readonly refused: readonly string[]
  readonly failures: number
  /** Cloudflare did not answer, and is not asked before. */
  readonly notBefore?: Date | undefined
}
export interface RejectedSource {
  readonly key: string
  readonly reason: Rejection
  readonly message: string
}
/** What came of it. */
export interface TunnelOutcome {
  readonly rejected: readonly RejectedSource[]
  /** Of the change that was stored; zero where nothing had to change. */
  readonly attempts: number
  /** As it stands after the writes; absent where it is not there. */
  readonly left?: {
    readonly keys: readonly string[]
    readonly uid: string
    readonly resourceVersion: string
    readonly bytes: number
  }
  readonly sent: SentConfig
}
export interface SentConfig {
  /** To be noted; absent where nothing changed. */
  readonly state?: SyncState
  /** What Cloudflare has now; absent where it is not known. */
  readonly published?: PublishedConfig
  readonly notices: readonly SyncNotice[]
  readonly findings: readonly SourceFinding[]
  /** The rules were not looked at, so what was said of them stays said. */
  readonly isAsBefore: boolean
  readonly held?: HeldRemoval
  readonly refused: readonly string[]
  readonly failures: number
  readonly notBefore?: Date | undefined
  readonly againInMs: number
  /** No rule is left, and Cloudflare has heard of it, or has no such tunnel. */
  readonly isBare: boolean
}

export interface PublishedConfig {
  readonly version: number
  readonly hostnames: readonly string[]
}

/** Writes first, in one change of the ConfigMap, and sends what stands there then. */
export function performing(configs: TunnelConfigs, sync: TunnelSync, namespace: string) {
  return async (step: TunnelStep, context: PerformContext): Promise<Performed> => {
    const { rejected, attempts } = await written(step, configs, context)
    const found = await context.live.get(SHARED_CONFIG_MAP, { namespace, name: configMapName(step.tunnelId) })
    const sent = await sync.send(
      step,
      { found, isRejected: (key) => rejected.some((each) => each.key === key) },
      context,
    )
    const text = found?.data?.[CONFIG_KEY]
    const parsed = documentIn(text)
    const left = found && {
      keys: 'document' in parsed ? sourceKeysOf(parsed.document) : [],
      uid: found.metadata.uid ?? '',
      resourceVersion: found.metadata.resourceVersion ?? '',
      bytes: Buffer.byteLength(text ?? ''),
    }
    const tunnel: TunnelOutcome = { rejected, attempts, ...(left && { left }), sent }
    return { outcome: 'done', answer: { tunnel: { ...tunnel } } }
  }
}

/** Asked at once, they become one change (CF-AGG-15). */
async function written(
  step: TunnelStep,
  configs: TunnelConfigs,
  around: PerformContext,
): Promise<Pick<TunnelOutcome, 'rejected' | 'attempts'>> {
  const { tunnelId } = step
  const { live, writer, signal, at } = around
  const context = { live, writer, signal, at }
  const asked: readonly (readonly [string, Promise<ChangeAnswer>])[] = [
    ...step.assertions.map((each) => [each.key, configs.setTunnelSettings(tunnelId, each, context)] as const),
    ...step.drops.map((each) => [each.key, configs.dropOwner(tunnelId, each, context)] as const),
    ...step.removals.map((key) => [key, configs.removeSourceConfig(tunnelId, key, context)] as const),
    ...step.writes.map(({ key, source }) => [key, configs.writeSourceConfig(tunnelId, key, source, context)] as const),
  ]
  const answers = await Promise.all(asked.map(async ([key, answer]) => ({ key, ...(await answer) })))
  const rejected = answers.flatMap((answer) =>
    answer.outcome === 'rejected' ? [{ key: answer.key, reason: answer.reason, message: answer.message }] : [],
  )
  const stored = answers.flatMap(({ outcome, attempts }) => (outcome === 'written' ? [attempts] : []))
  return { rejected, attempts: Math.max(0, ...stored) }
}

/** What stands in the answer of a step that was done. */
export function outcomeIn({ answer }: Performed): TunnelOutcome | undefined {
  return isOutcome(answer?.tunnel) ? answer.tunnel : undefined
}
const isOutcome = (value: unknown): value is TunnelOutcome =>
  isTree(value) && Array.isArray(value.rejected) && isTree(value.sent)
