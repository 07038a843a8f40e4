import type { KubeObject, Resource } from '../cluster/port.ts'
import { isTerminating } from '../kube/metadata.ts'
import type { Change, Raw } from './change.ts'
import { type Consequence, followUpOf } from './consequence.ts'
import { bareDeletion, type Fit, fitOf } from './fit.ts'
import { type Judged, type Judging, judge } from './judge.ts'
import { toldBy } from './mutation.ts'
import { effectOfFinding, type Rule } from './rule.ts'
import { onlyLetsGo } from './terminating.ts'
import { isUnanswered, MOST_FINDINGS, NOTHING_TO_SAY, sentence, type Verdict } from './verdict.ts'

/** The parts of a kind that judge a change, and its consequences for other objects. */
export interface ValidatingParts<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly validate?: readonly Rule<T>[]
  readonly consequences?: readonly Consequence<T>[]
}

/** What the kinds that judge one change share. */
export type ValidationContext = Pick<Judging, 'isNamespaceTerminating'>

export interface Judgement extends Verdict {
  /** The verdict with its consequences for other objects, which count once every kind has admitted the change. */
  readonly follow?: () => Promise<Verdict>
}

export async function validate<T extends KubeObject>(
  parts: ValidatingParts<T>,
  raw: Raw,
  around: Judging,
): Promise<Judgement> {
  if (onlyLetsGo(raw)) return NOTHING_TO_SAY
  const fit = fitOf(parts.resource, raw)
  const judged = await judgedBy(parts.validate ?? [], fit, raw, around)
  const verdict = withMisfits(judged, fit)
  const { change, isAlone = false } = fit
  if (change === undefined || isAlone || !mayFollow(parts, change)) return verdict
  return { ...verdict, follow: async () => withMisfits(await withConsequences(parts, change, judged, around), fit) }
}

function withMisfits<T extends KubeObject>(verdict: Verdict, { unfit, warnings }: Fit<T>): Verdict {
  return unfit === undefined ? verdict : { ...verdict, warnings: [...verdict.warnings, ...warnings], unfit }
}

async function judgedBy<T extends KubeObject>(
  rules: readonly Rule<T>[],
  { change, isAlone }: Fit<T>,
  raw: Raw,
  around: Judging,
): Promise<Verdict> {
  if (change === undefined) return judgedBare(rules, raw, around)
  const applicable = isAlone ? rules.filter(({ on }) => on === 'write') : rules
  return verdictOf(await judge(applicable, change, around), raw)
}

async function judgedBare<T extends KubeObject>(rules: readonly Rule<T>[], raw: Raw, readers: Judging) {
  const deletion = bareDeletion(raw)
  if (deletion === undefined) return NOTHING_TO_SAY
  const applicable = rules.flatMap((rule) => (rule.on === 'deleteByMetadata' ? [rule] : []))
  return verdictOf(await judge(applicable, deletion, readers), raw)
}

/** A terminating object never comes into force again. */
function mayFollow<T extends KubeObject>({ consequences = [] }: ValidatingParts<T>, change: Change<T>): boolean {
  return consequences.length > 0 && !(change.operation === 'UPDATE' && isTerminating(change.prev))
}

/** A dry run only reports consequences, so it reads the cache. */
async function withConsequences<T extends KubeObject>(
  { consequences = [] }: ValidatingParts<T>,
  change: Change<T>,
  verdict: Verdict,
  { cached, live, isNamespaceTerminating }: Judging,
): Promise<Verdict> {
  try {
    const around = { cluster: change.dryRun ? cached : live, isNamespaceTerminating }
    const { intents, warnings } = await followUpOf(consequences, change, around)
    return { ...verdict, warnings: [...verdict.warnings, ...warnings], intents: change.dryRun ? [] : intents }
  } catch (cause) {
    if (!isUnanswered(cause)) throw cause
    return change.dryRun ? verdict : { ...verdict, unanswered: cause }
  }
}

function verdictOf({ found, unanswered }: Judged, raw: Raw): Verdict {
  const { refuse = [], warn = [] } = Object.groupBy(found, (each) => effectOfFinding(each, raw.profile))
  return {
    ...NOTHING_TO_SAY,
    violations: refuse.slice(0, MOST_FINDINGS + 1), // one more, so that the answer can report that there are more
    ...toldBy(refuse.map((violation) => ({ measured: violation.rule.measures?.(violation, raw) ?? [] }))),
    warnings: warn.slice(0, MOST_FINDINGS).map((violation) => sentence(violation)),
    ...(unanswered && { unanswered }),
  }
}
