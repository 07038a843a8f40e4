import { CloudflareFault } from '../../kit/cloudflare.ts'
import type { PerformContext } from '../../kit/controller.ts'
import type { Found, Settings, Tree } from '../../kit/schema.ts'
import { isObstacle, type RemoteAccount } from '../access/account.ts'
import type { RemoteAccounts } from '../access/accounts.ts'
import { CONFIG_KEY, documentIn, sourceKeysOf } from '../aggregation/document.ts'
import { identityOf, type MergedTunnel } from '../aggregation/merge.ts'
import { badRuleIn, hostnamesIn } from '../aggregation/remote-config.ts'
import type { SharedConfigMap } from '../aggregation/shared-config-map.ts'
import {
  type RemoteTunnelConfig,
  type SyncDecision,
  type SyncNotice,
  syncDecision,
} from '../aggregation/sync-decision.ts'
import { type SyncState, type SyncStatus, stateIn } from '../aggregation/sync-state.ts'
import { TUNNEL_LABEL } from '../aggregation/tunnel-configs.ts'
import { isGone } from '../engine/calls.ts'
import { chanceOf, isRefusal, reasonOf, retryMsOf } from '../retries.ts'
import {
  CLOUDFLARE_CROSS_NAMESPACE_HOSTNAMES,
  CLOUDFLARE_DRIFT_SECONDS,
  CLOUDFLARE_MAX_RULES,
  CLOUDFLARE_RESYNC_SECONDS,
} from '../settings.ts'
import { READ_CONFIGURATION, SEND_CONFIGURATION } from './configuration-calls.ts'
import type { PublishedConfig, SentConfig, TunnelStep } from './step.ts'

const BAD_CONFIGURATION = 1_056
const MOST_ROUNDS = 10
const SOON_MS = 1_000
const SECOND_LOOK_MS = 10_500
const TEN_MINUTES_MS = 600_000
const FIVE_MINUTES_MS = 300_000

/** What stands after the writes of the turn. */
interface StandingConfig {
  readonly found: Found<SharedConfigMap> | undefined
  readonly isRejected: (key: string) => boolean
}
interface Sending {
  readonly step: TunnelStep
  readonly content: string | undefined
  readonly account: RemoteAccount
  readonly state: SyncState
  readonly isComplete: boolean
  readonly isEmpty: boolean
  readonly at: Date
  readonly signal: AbortSignal
}
interface Round {
  readonly refused: readonly string[]
  readonly remote?: RemoteTunnelConfig | 'gone'
}
type Put = Extract<SyncDecision, { do: 'put' }>

/** Sends the configuration of a tunnel to Cloudflare, where it is another one than before. A doubt sends nothing. */
export class TunnelSync {
  readonly #accounts: RemoteAccounts
  readonly #settings: Settings

  constructor(accounts: RemoteAccounts, settings: Settings) {
    this.#accounts = accounts
    this.#settings = settings
  }

  async send(step: TunnelStep, standing: StandingConfig, { live, at, signal }: PerformContext): Promise<SentConfig> {
    const { found, isRejected } = standing
    if (found?.metadata.labels?.[TUNNEL_LABEL] !== step.tunnelId) return quiet(step, SOON_MS)
    const content = found.data?.[CONFIG_KEY]
    const parsed = documentIn(content)
    const keys = 'document' in parsed ? sourceKeysOf(parsed.document) : []
    const isReadable = 'document' in parsed
    const isEmpty = keys.length === 0 && isReadable
    if (isEmpty && step.hasUnclear) return quiet(step, FIVE_MINUTES_MS)
    const isComplete = step.needs.every((key) => keys.includes(key) || isRejected(key))
    if (isReadable && !isComplete) return quiet(step, SOON_MS)
    const waitMs = (step.notBefore?.getTime() ?? 0) - at.getTime()
    if (waitMs > 0) return { ...quiet(step, waitMs), notBefore: step.notBefore }
    const state = stateIn(found.metadata)
    const account = isObstacle(step.account) ? step.account : await this.#accounts.at(step.account, live)
    if (isObstacle(account))
      return stopped(step, { ...state, status: 'Error', message: account.message }, FIVE_MINUTES_MS)
    const sending = { step, content, account, state, isComplete, isEmpty, at, signal }
    try {
      return await this.#sent(sending)
    } catch (cause) {
      if (!(cause instanceof CloudflareFault)) throw cause
      return this.#failed(sending, cause)
    }
  }

  /** Rules that Cloudflare calls bad are left out, one after the other (CF-AGG-13). */
  async #sent(sending: Sending): Promise<SentConfig> {
    let refused = sending.step.refused
    for (let rounds = 1; ; rounds += 1) {
      const decision = await this.#decided(sending, { refused })
      if (decision.do !== 'put') return this.#unsent(sending, decision, refused)
      try {
        const { version } = await sending.account.ask(
          SEND_CONFIGURATION,
          questionOf(sending, { config: { ...decision.merged.config } }),
        )
        return this.#synced(sending, { ...decision, version }, refused)
      } catch (cause) {
        const bad = badRuleOf(cause, decision)
        if (bad === undefined || rounds > MOST_ROUNDS) throw cause
        refused = [...refused, bad]
      }
    }
  }

  async #decided(sending: Sending, round: Round): Promise<SyncDecision> {
    const decision = this.#decision(sending, round)
    if (decision.do !== 'look') return decision
    return this.#decision(sending, { ...round, remote: await remoteOf(sending) })
  }

  #decision({ step, content, account, state, isComplete, at }: Sending, { refused, remote }: Round): SyncDecision {
    const { tunnelId, isRecorded, isTakenOver, overwritesForeign, ignoresDrift, held } = step
    const known = {
      tunnelId,
      accountId: account.id,
      content,
      state,
      isComplete,
      isRecorded,
      isTakenOver,
      overwritesForeign,
      ignoresDrift,
    }
    const merging = {
      maxRules: this.#settings.get(CLOUDFLARE_MAX_RULES),
      crossNamespace: this.#settings.get(CLOUDFLARE_CROSS_NAMESPACE_HOSTNAMES),
      refused: new Set(refused),
    }
    const driftSeconds = this.#settings.get(CLOUDFLARE_DRIFT_SECONDS)
    return syncDecision({ ...known, ...(remote && { remote }) }, { at, driftSeconds, merging, held })
  }

  #unsent(sending: Sending, decision: Exclude<SyncDecision, Put>, refused: readonly string[]): SentConfig {
    const { step, state, isEmpty, at } = sending
    const { do: what } = decision
    if (what === 'note') return this.#synced(sending, decision, refused)
    if (what === 'hold')
      return { ...quiet(step, SECOND_LOOK_MS), refused, held: decision.held, notices: [decision.notice] }
    const resting = { ...quiet(step, this.#driftMs(step, at, state.time)), refused, isBare: isEmpty }
    if (what === 'rest') return { ...resting, published: publishedIn(decision, state.version) }
    if (what !== 'stop') return resting
    const { status, message } = decision
    const isGone = status === 'TunnelGone'
    const isOver = isGone || !step.isRecorded
    const ms = isGone ? TEN_MINUTES_MS : FIVE_MINUTES_MS
    return { ...stopped(step, { ...state, status, message }, ms), isBare: isOver && isEmpty }
  }

  #synced(
    { step, isEmpty, at }: Sending,
    { merged, hash, version, notice }: Sent,
    refused: readonly string[],
  ): SentConfig {
    const quarantined = merged.findings.filter(({ reason }) => reason === 'InvalidRule').map(({ message }) => message)
    return {
      ...quiet(step, this.#driftMs(step, at, at)),
      state: { hash, status: 'Synced', time: at, version, rules: merged.rules.length, quarantined },
      notices: notice === undefined ? [] : [notice],
      published: publishedIn({ merged }, version),
      findings: merged.findings,
      refused,
      failures: 0,
      isAsBefore: false,
      isBare: isEmpty,
    }
  }

  /** Around the time when it is compared with Cloudflare again (CF-AGG-17). */
  #driftMs({ tunnelId }: TunnelStep, at: Date, since = at): number {
    const driftMs = this.#settings.get(CLOUDFLARE_DRIFT_SECONDS) * 1_000
    const left = since.getTime() + driftMs - at.getTime()
    return Math.max(SOON_MS, left + driftMs * 0.2 * chanceOf(tunnelId, at))
  }

  /** CF-ONE-06. What was sent before still counts. */
  #failed({ step, state, isEmpty, at }: Sending, fault: CloudflareFault): SentConfig {
    if (isTunnelGone(fault)) {
      const message = 'the tunnel is not at Cloudflare any more; its sources are kept'
      return { ...stopped(step, { ...state, status: 'TunnelGone', message }, TEN_MINUTES_MS), isBare: isEmpty }
    }
    const reason = reasonOf(fault)
    const retrying = { failures: step.failures, resyncSeconds: this.#settings.get(CLOUDFLARE_RESYNC_SECONDS) }
    const chance = chanceOf(step.tunnelId, at)
    const ms = fault.retryAfterMs ?? retryMsOf({ ...retrying, reason, isRefused: isRefusal(fault), chance })
    const status: SyncStatus = reason === 'RateLimited' ? 'RateLimited' : 'Error'
    const notBefore = isRefusal(fault) ? undefined : new Date(at.getTime() + ms)
    return {
      ...stopped(step, { ...state, status, message: fault.message }, ms),
      failures: step.failures + 1,
      notBefore,
    }
  }
}

interface Sent {
  readonly merged: MergedTunnel
  readonly hash: string
  readonly version: number
  readonly notice?: SyncNotice
}

const publishedIn = ({ merged: { config } }: Pick<Sent, 'merged'>, version = 0): PublishedConfig => ({
  version,
  hostnames: hostnamesIn({ ...config }),
})

const questionOf = ({ step, signal }: Sending, body?: Tree) => ({
  params: { id: step.tunnelId },
  signal,
  ...(body && { body }),
})

async function remoteOf(sending: Sending): Promise<RemoteTunnelConfig | 'gone'> {
  try {
    const {
      config = null,
      version,
      source = 'cloudflare',
    } = await sending.account.ask(READ_CONFIGURATION, questionOf(sending))
    return { config, version, source }
  } catch (cause) {
    if (isTunnelGone(cause)) return 'gone'
    throw cause
  }
}
const isTunnelGone = (cause: unknown) => isGone(cause, [])

function badRuleOf(cause: unknown, { merged }: Put): string | undefined {
  if (!(cause instanceof CloudflareFault) || !cause.codes.includes(BAD_CONFIGURATION)) return undefined
  const number = badRuleIn(cause.message)
  const rule = number === undefined ? undefined : merged.rules[number - 1]
  return rule && identityOf(rule)
}

/** Nothing was sent, and nothing is noted. */
const quiet = ({ refused, failures }: TunnelStep, againInMs: number): SentConfig => ({
  ...{ notices: [], findings: [], refused, failures, againInMs, isBare: false, isAsBefore: true },
})
const stopped = (step: TunnelStep, state: SyncState, againInMs: number): SentConfig => ({
  ...quiet(step, againInMs),
  state,
})
