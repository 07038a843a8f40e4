import type { ClusterReader } from '../cluster/port.ts'
import { isLabelValue } from '../kube/labels.ts'
import type { DraftChange, Exempt } from './change.ts'
import type { Mirror } from './mirror.ts'
import { type Edit, pointerTo, type Reason } from './patch.ts'
import type { Findings, RuleWords } from './rule.ts'

/** A mutation refuses an object that must not be stored, with the message of a rule. */
export interface Refusal {
  readonly refuse: RuleWords
  readonly findings: Findings
}

/** Audit annotations, whose keys the API server prefixes with the name of the webhook; never a secret (AP-10). */
export type Audit = Readonly<Record<string, string>>

/** Edits with warnings or audit annotations. With warnings of its own, a mutation replaces those of the machine. */
export interface Advice {
  readonly edits: readonly Edit[]
  readonly warnings?: readonly string[]
  readonly audit?: Audit
  /** Counts only after a live read: the cache may be behind (SV-7). */
  readonly doubtful?: boolean
}

/** The external systems that mutations and controllers use. */
export interface Remotes {
  readonly passwords: Passwords
}
/** bcrypt on worker threads; answers 429 when too many passwords wait (SV-12). */
export interface Passwords {
  /** `gone` aborts when the review stops waiting. */
  hash(text: string, cost: number, gone?: AbortSignal): Promise<string>
  verify(text: string, hash: string, gone?: AbortSignal): Promise<boolean>
}

export type MutationAnswer = readonly Edit[] | Advice | Refusal

export interface Mutation<T> extends Reason {
  readonly says: string // for docs/rules.md
  readonly refuses?: RuleWords // for docs/rules.md
  readonly exempt?: readonly Exempt[]
  readonly when?: (given: DraftChange<T>) => boolean
  readonly mirror?: Mirror<T>
  readonly edits: (
    given: DraftChange<T>,
    cluster: ClusterReader,
    remotes: Remotes,
  ) => MutationAnswer | Promise<MutationAnswer>
}

export function isRefusal(answer: MutationAnswer): answer is Refusal {
  return 'refuse' in answer
}

export function adviceOf(answer: readonly Edit[] | Advice): Advice {
  return 'edits' in answer ? answer : { edits: answer }
}

/** Sets nothing when the value is undefined. */
export const set = (path: string, value: unknown): Edit => ({
  op: 'add',
  path,
  value,
})
export const drop = (path: string): Edit => ({ op: 'remove', path })

/** The API server refuses a bad label value without naming us (AP-16), so the label is left out and a rule refuses instead. */
export const label = (key: string, value: string | undefined): Edit =>
  value !== undefined && isLabelValue(value) ? set(pointerTo('metadata', 'labels', key), value) : dropLabel(key)
export const annotation = (key: string, value: string | undefined): Edit =>
  set(pointerTo('metadata', 'annotations', key), value)
export const dropAnnotation = (key: string): Edit => drop(pointerTo('metadata', 'annotations', key))
export const dropLabel = (key: string): Edit => drop(pointerTo('metadata', 'labels', key))
