import { Fault } from '../faults.ts'
import type { Due } from './consequence.ts'
import type { Aside, Audit } from './mutation.ts'
import type { Edit } from './patch.ts'
import { type Finding, type RuleWords, remedyOf } from './rule.ts'

/** Whether refusals count, or are warnings (UX-3). */
export type Enforce = 'refuse' | 'warn'

export interface Violation extends Finding {
  readonly rule: RuleWords
}

/** The judgement of a kind on one change. `unanswered`: a look-up failed, and nothing else refuses. */
export interface Verdict extends Aside {
  readonly patch: readonly Edit[]
  readonly violations: readonly Violation[]
  readonly warnings: readonly string[]
  /** Warnings about the author's values that mutations replaced or removed; they count only if the object is admitted. */
  readonly overruled?: readonly string[]
  /** Annotations for the API server's audit log. */
  readonly audit?: Audit
  /** Writes to other objects, to be carried out before the response is sent. */
  readonly intents: readonly Due[]
  readonly unanswered?: Fault
  /** Which object does not fit our schema though it fits the API server's, for the metric (CV-8). */
  readonly unfit?: 'object' | 'oldObject'
}

/** Limits the findings, since a list may have 10,000 invalid items (CV-8). */
export const MOST_FINDINGS = 100

export const NOTHING_TO_SAY: Verdict = {
  patch: [],
  violations: [],
  warnings: [],
  intents: [],
}

/** Whether a look-up failed. Overload does not count: then the whole request is shed and retried (SV-12). */
export function isUnanswered(cause: unknown): cause is Fault {
  return cause instanceof Fault && cause.retry && cause.code !== 'OVERLOADED'
}

/** What the author reads beside the finding: a deletion by file, or of a whole kind, shows no name. */
export interface Circumstances {
  readonly dryRun?: boolean
  readonly deleted?: string
}

/** A complete sentence without the path that ends with the rule id (SV-9). */
export function words({ rule, ...finding }: Violation, { dryRun = false, deleted }: Circumstances = {}): string {
  const { through = rule } = finding
  const ids = through === rule ? rule.id : `${rule.id}, ${through.id}`
  const hint = dryRun && through.refers ? `; ${NOT_IN_DRY_RUNS}` : ''
  const subject = deleted === undefined ? '' : `${deleted}: `
  return `${subject}${through.message(finding)}; ${remedyOf(through, finding)}${hint} (${ids})`
}
const NOT_IN_DRY_RUNS = 'in a dry run, as of kubectl diff, what the same file creates is not there'

export function sentence(violation: Violation, circumstances?: Circumstances): string {
  return `${violation.path}: ${words(violation, circumstances)}`
}
