import type { KubeObject, Readers, Resource } from '../cluster/port.ts'
import { isTerminating } from '../kube/metadata.ts'
import type { Change, Raw } from './change.ts'
import { type Consequence, followUpOf } from './consequence.ts'
import { bareDeletion, type Fit, fitOf } from './fit.ts'
import { type Judged, type Judging, judge } from './judge.ts'
import { isTerminatingIn } from './namespace.ts'
import { effectOf, type Rule } from './rule.ts'
import { onlyLetsGo } from './terminating.ts'
import { type Enforce, isUnanswered, MOST_FINDINGS, NOTHING_TO_SAY, sentence, type Verdict } from './verdict.ts'

/** The parts of a kind that judge a change, and what follows from it for other objects. */
export interface ValidatingParts<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly validate?: readonly Rule<T>[]
  readonly consequences?: readonly Consequence<T>[]
}

/** Whether refusals count: what is refused has no consequences. */
export interface Enforcing {
  readonly enforce: Enforce
}

interface ValidationContext extends Enforcing {
  readonly readers: Readers
}

type Around = Judging & Enforcing

export async function validate<T extends KubeObject>(
  parts: ValidatingParts<T>,
  raw: Raw,
  { readers, enforce }: ValidationContext,
): Promise<Verdict> {
  if (onlyLetsGo(raw)) return NOTHING_TO_SAY
  const fit = fitOf(parts.resource, raw)
  const isNamespaceTerminating = isTerminatingIn(readers.live, raw.namespace)
  const verdict = await judged(parts, fit, raw, { ...readers, enforce, isNamespaceTerminating })
  if (fit.unfit === undefined) return verdict
  return { ...verdict, warnings: [...verdict.warnings, ...fit.warnings], unfit: fit.unfit }
}

async function judged<T extends KubeObject>(
  parts: ValidatingParts<T>,
  { change, isAlone }: Fit<T>,
  raw: Raw,
  around: Around,
): Promise<Verdict> {
  const { validate: rules = [] } = parts
  if (change === undefined) return judgedBare(rules, raw, around)
  const asked = isAlone ? rules.filter(({ on }) => on === 'write') : rules
  const verdict = verdictOf(await judge(asked, change, around), raw)
  return isAlone ? verdict : withConsequences(parts, change, verdict, around)
}

async function judgedBare<T extends KubeObject>(rules: readonly Rule<T>[], raw: Raw, readers: Judging) {
  const deletion = bareDeletion(raw)
  if (deletion === undefined) return NOTHING_TO_SAY
  const asked = rules.flatMap((rule) => (rule.on === 'deleteByMetadata' ? [rule] : []))
  return verdictOf(await judge(asked, deletion, readers), raw)
}

/**
 * A refused change has no consequences, one that is only warned of has all of them (UX-3). A dry run only tells of them,
 * so it asks the cache.
 */
async function withConsequences<T extends KubeObject>(
  { consequences = [] }: ValidatingParts<T>,
  change: Change<T>,
  verdict: Verdict,
  { cached, live, enforce, isNamespaceTerminating }: Around,
): Promise<Verdict> {
  if (change.operation === 'UPDATE' && isTerminating(change.prev)) return verdict // it is never in force again
  const isLetIn = enforce === 'warn' || (verdict.violations.length === 0 && verdict.unanswered === undefined)
  if (consequences.length === 0 || !isLetIn) return verdict
  try {
    const around = { cluster: change.dryRun ? cached : live, isNamespaceTerminating }
    const { intents, warnings } = await followUpOf(consequences, change, around)
    return { ...verdict, warnings: [...verdict.warnings, ...warnings], intents: change.dryRun ? [] : intents }
  } catch (cause) {
    if (!isUnanswered(cause)) throw cause
    return change.dryRun ? verdict : { ...verdict, unanswered: cause }
  }
}

function verdictOf({ found, unanswered }: Judged, { profile }: Raw): Verdict {
  const { refuse = [], warn = [] } = Object.groupBy(found, ({ rule }) => effectOf(rule, profile))
  return {
    ...NOTHING_TO_SAY,
    violations: refuse.slice(0, MOST_FINDINGS + 1), // the last one tells that there are more
    warnings: warn.slice(0, MOST_FINDINGS).map((violation) => sentence(violation)),
    ...(unanswered && { unanswered }),
  }
}
