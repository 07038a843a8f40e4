import type { KubeObject, Readers } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import type { Change } from './change.ts'
import type { IsTerminating } from './namespace.ts'
import {
  ask,
  effectOf,
  effectOfFinding,
  type Finding,
  type Findings,
  isExempt,
  isExemptAtEnd,
  type Rule,
  type RuleWords,
  withoutIndexes,
} from './rule.ts'
import { MOST_FINDINGS, type Violation } from './verdict.ts'

export interface Judging extends Readers {
  readonly isNamespaceTerminating: IsTerminating
}
export interface Judged {
  readonly found: readonly Violation[]
  readonly unanswered?: Fault
}

/**
 * Runs one rule after the other until there are more violations than the answer shows (CV-8). A rule whose look-up fails
 * stays unanswered, and the others still count (SV-4).
 */
export async function judge<T extends KubeObject>(
  rules: readonly Rule<T>[],
  change: Change<T>,
  readers: Judging,
): Promise<Judged> {
  const waiting: (RuleVerdict | Promise<RuleVerdict>)[] = []
  let refused = 0
  for (const rule of rules) {
    if (refused > MOST_FINDINGS) break
    const findings = look(rule, change, readers)
    if (isNothing(findings)) continue
    const answer = answerOf({ rule, change, readers, findings })
    waiting.push(answer)
    if (isFound(answer)) refused += answer.filter((each) => effectOfFinding(each, change.profile) === 'refuse').length
  }
  const answers = await Promise.all(waiting)
  const unanswered = answers.find((answer) => answer instanceof Fault)
  const found = answers.flatMap((answer) => (answer instanceof Fault ? [] : answer))
  return unanswered === undefined ? { found } : { found, unanswered }
}

type RuleVerdict = readonly Violation[] | Fault
const isFound = (answer: RuleVerdict | Promise<RuleVerdict>): answer is readonly Violation[] => Array.isArray(answer)
type RuleAnswer = Findings | Promise<Findings>

/** Most rules find nothing and answer at once: a promise for each would cost more than all of them. */
const isNothing = (findings: RuleAnswer) => !(findings instanceof Promise) && findings.length === 0

function look<T extends KubeObject>(rule: Rule<T>, change: Change<T>, { cached, live }: Readers): RuleAnswer {
  if (isExempt(rule, change)) return []
  try {
    return ask(rule, change, isLive(rule) ? live : cached)
  } catch (cause) {
    return Promise.reject(cause) // look-ups of other rules are still awaited
  }
}
const isLive = ({ live, on }: RuleWords) => live === true || on === 'delete' || on === 'deleteByMetadata'

interface Looked<T extends KubeObject> {
  readonly rule: Rule<T>
  readonly change: Change<T>
  readonly readers: Judging
  readonly findings: RuleAnswer
}

function answerOf<T extends KubeObject>(looked: Looked<T>): RuleVerdict | Promise<RuleVerdict> {
  const { rule, change } = looked
  const named = (findings: Findings) => findings.map((finding): Violation => ({ ...finding, rule }))
  const found = then(lookTwice(looked), (found) => then(countingOf(found, looked), (found) => boundBy(found, looked)))
  if (!(found instanceof Promise)) return named(found)
  return found.then(named, (cause) => {
    if (!(cause instanceof Fault && cause.retry)) throw cause
    return effectOf(rule, change.profile) === 'warn' ? [] : cause // a warning is not worth a retry
  })
}

const then = (findings: RuleAnswer, next: (found: Findings) => RuleAnswer): RuleAnswer =>
  findings instanceof Promise ? findings.then(next) : next(findings)

function countingOf<T extends KubeObject>(found: Findings, { rule, change, readers }: Looked<T>): RuleAnswer {
  if (found.length === 0 || rule.always || change.operation !== 'UPDATE') return found
  const before = { ...change, next: change.prev }
  const stood = lookTwice({ rule, change: before, readers, findings: look(rule, before, readers) })
  return then(stood, (stood) => newOnes(found, stood))
}

/** Some rules are exempt in a terminating namespace. The Namespace is read only when a rule would refuse. */
function boundBy<T extends KubeObject>(found: Findings, { rule, change, readers }: Looked<T>): RuleAnswer {
  if (found.length === 0 || !isExemptAtEnd(rule, change)) return found
  return readers.isNamespaceTerminating().then((isAtEnd) => (isAtEnd ? [] : found))
}

/**
 * A cached answer may allow; a refusal that depends on a look-up counts only after a live read (SV-7). A synchronous
 * answer depends on no look-up.
 */
function lookTwice<T extends KubeObject>({ rule, change, readers, findings }: Looked<T>): RuleAnswer {
  if (!(findings instanceof Promise) || isLive(rule) || rule.cached) return findings
  return findings.then((found) => (found.length === 0 ? found : ask(rule, change, readers.live)))
}

/**
 * Ratcheting (CV-8): a finding that the same rule has for the old object existed before; each old finding excuses one
 * new finding. Most have not moved, and need no key.
 */
function newOnes(found: Findings, before: Findings): Findings {
  const [moved, left] = [found.filter(isElsewhereIn(before)), before.filter(isElsewhereIn(found))]
  if (moved.length === 0 || left.length === 0) return moved
  const excuses = new Map<string, number>()
  for (const key of left.map(keyOf)) excuses.set(key, (excuses.get(key) ?? 0) + 1)
  return moved.filter((finding) => {
    const key = keyOf(finding)
    const left = excuses.get(key) ?? 0
    excuses.set(key, left - 1)
    return left <= 0
  })
}

function isElsewhereIn(others: Findings) {
  return ({ path, value, through }: Finding, at: number): boolean => {
    const other = others[at]
    return path !== other?.path || value !== other.value || through?.id !== other.through?.id
  }
}

function keyOf({ path, value, through }: Finding): string {
  return `${through?.id} ${withoutIndexes(path)} ${typeof value} ${value}`
}
