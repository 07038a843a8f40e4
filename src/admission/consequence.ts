import type { ClusterReader, KubeObject } from '../cluster/port.ts'
import type { MergeAction } from '../reconcile/action.ts'
import type { Change, Create, Delete, Exempt, RequestInfo, Update } from './change.ts'
import type { IsTerminating } from './namespace.ts'
import { isExempt, isExemptAtEnd } from './rule.ts'

/** A mark on another object. It may turn out needless, since the request can still fail (TC-S6). */
export interface Intent {
  /** Expects the resourceVersion that was read, so that it overwrites no other write. */
  readonly action: MergeAction
  /** Decides again from the stored object after another writer was first; undefined if the mark is no longer needed. */
  readonly again: (live: ClusterReader) => Promise<Intent | undefined>
}

/** An intent with the id of its consequence, for the metric. */
export interface Due extends Intent {
  readonly rule: string
}

export interface FollowUp<I extends Intent = Intent> {
  readonly intents: readonly I[]
  readonly warnings: readonly string[]
}

/** The effects on other objects when a change is admitted. Every look-up that decides a write is live (SV-7). */
export type Consequence<T> = ConsequenceOn<'write', Create<T> | Update<T>> | ConsequenceOn<'delete', Delete<T>>

interface ConsequenceOn<On, Given> {
  readonly id: string
  readonly says: string // for docs/rules.md
  readonly on: On
  readonly exempt?: readonly Exempt[]
  readonly when?: (given: Given) => boolean
  readonly follow: (given: Given, cluster: ClusterReader) => Promise<FollowUp>
}

const NOTHING: FollowUp = { intents: [], warnings: [] }

interface FollowContext {
  readonly cluster: ClusterReader
  readonly isNamespaceTerminating: IsTerminating
}

export async function followUpOf<T extends KubeObject>(
  consequences: readonly Consequence<T>[],
  change: Change<T>,
  around: FollowContext,
): Promise<FollowUp<Due>> {
  const outcomes = await Promise.all(consequences.map((each) => intentsOf(each, change, around)))
  return {
    intents: outcomes.flatMap(({ intents }) => intents),
    warnings: outcomes.flatMap(({ warnings }) => warnings),
  }
}

async function intentsOf<T extends KubeObject>(
  consequence: Consequence<T>,
  change: Change<T>,
  around: FollowContext,
): Promise<FollowUp<Due>> {
  const { intents, warnings } = await follow(consequence, change, around)
  return { intents: intents.map((intent) => ({ ...intent, rule: consequence.id })), warnings }
}

/** Needs no cast: `on` narrows the consequence, `operation` the change. */
function follow<T extends KubeObject>(
  consequence: Consequence<T>,
  change: Change<T>,
  around: FollowContext,
): FollowUp | Promise<FollowUp> {
  if (isExempt(consequence, change)) return NOTHING
  if (consequence.on === 'delete')
    return change.operation === 'DELETE' ? applyWhen(consequence, change, around) : NOTHING
  return change.operation === 'DELETE' ? NOTHING : applyWhen(consequence, change, around)
}

async function applyWhen<On, Given extends RequestInfo>(
  consequence: ConsequenceOn<On, Given>,
  given: Given,
  { cluster, isNamespaceTerminating }: FollowContext,
): Promise<FollowUp> {
  if (consequence.when?.(given) === false) return NOTHING
  if (isExemptAtEnd(consequence, given) && (await isNamespaceTerminating())) return NOTHING
  return consequence.follow(given, cluster)
}
