import type { ClusterReader } from '../cluster/port.ts'
import { isLabelValue } from '../kube/labels.ts'
import type { Sample } from '../metric.ts'
import type { NoticeAbout } from '../reconcile/action.ts'
import type { DraftChange, Exempt } from './change.ts'
import type { Mirror } from './mirror.ts'
import { type Edit, pointerTo, type Reason } from './patch.ts'
import type { Findings, RuleWords } from './rule.ts'

/** What a decision tells beside itself: events of the notices, but for dry runs, and counts of the samples. */
export interface Aside {
  readonly notices?: readonly NoticeAbout[]
  readonly measured?: readonly Sample[]
}

/** A mutation refuses an object that must not be stored, with the message of a rule. */
export interface Refusal extends Aside {
  readonly refuse: RuleWords
  readonly findings: Findings
}

/** Audit annotations, whose keys the API server prefixes with the name of the webhook; never a secret (AP-10). */
export type Audit = Readonly<Record<string, string>>

/** Edits with warnings or audit annotations. With warnings of its own, a mutation replaces those of the machine. */
export interface Advice extends Aside {
  readonly edits: readonly Edit[]
  readonly warnings?: readonly string[]
  readonly audit?: Audit
  /** Counts only after a live read: the cache may be behind (SV-7). */
  readonly doubtful?: boolean
}

/** The external systems that mutations use. */
export interface Remotes {
  readonly passwords: Passwords
  /** Milliseconds, for measurements alone; absent where nothing is measured. */
  readonly tick?: () => number
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

/** What several decisions tell, one after the other. */
export function toldBy(all: readonly Aside[]): Aside {
  const notices = all.flatMap((each) => each.notices ?? [])
  const measured = all.flatMap((each) => each.measured ?? [])
  return { ...(notices.length > 0 && { notices }), ...(measured.length > 0 && { measured }) }
}

export function toldIn(answer: MutationAnswer): Aside {
  return 'edits' in answer || isRefusal(answer) ? answer : {}
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
