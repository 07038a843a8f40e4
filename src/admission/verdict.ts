import { Fault } from '../faults.ts'
import type { Due } from './consequence.ts'
import type { Audit } from './mutation.ts'
import type { Edit } from './patch.ts'
import { type Finding, type RuleWords, remedyOf } from './rule.ts'

/** Whether refusals count, or are warnings (UX-3). */
export type Enforce = 'refuse' | 'warn'

export interface Violation extends Finding {
  readonly rule: RuleWords
}

/** What a kind says of one change. `unanswered`: a look-up failed, and nothing else refuses. */
export interface Verdict {
  readonly patch: readonly Edit[]
  readonly violations: readonly Violation[]
  readonly warnings: readonly string[]
  /** What mutations replaced or removed of what the author wrote; it counts only where the object is let in. */
  readonly overruled?: readonly string[]
  /** For the audit log of the API server. */
  readonly audit?: Audit
  /** What is to be written elsewhere before the answer goes out. */
  readonly intents: readonly Due[]
  readonly unanswered?: Fault
  /** Objects that our own schema does not know as the API server's does, for the count (CV-8). */
  readonly unfit?: 'object' | 'oldObject'
}

/** Of a list of 10,000 items no author reads what is wrong with each, and to say it takes its time (CV-8). */
export const MOST_FINDINGS = 100

export const NOTHING_TO_SAY: Verdict = {
  patch: [],
  violations: [],
  warnings: [],
  intents: [],
}

/** A failed look-up. Overload is not one: the whole request is sent away and comes again (SV-12). */
export function isUnanswered(cause: unknown): cause is Fault {
  return cause instanceof Fault && cause.retry && cause.code !== 'OVERLOADED'
}

/** What the author reads beside the finding: a deletion by file, or of a whole kind, shows no name. */
export interface Circumstances {
  readonly dryRun?: boolean
  readonly deleted?: string
}

/** Complete by itself, without the path, ending with the rule id (SV-9). */
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
