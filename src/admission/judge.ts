import type { ClusterReader, KubeObject, Readers } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import type { Change } from './change.ts'
import { ask, effectOf, type Finding, type Findings, isExempt, type Rule } from './rule.ts'
import type { Violation } from './verdict.ts'

export interface Judged {
  readonly found: readonly Violation[]
  readonly unanswered?: Fault
}

/** Asks every rule. One whose look-up fails stays unanswered; the others answer all the same (SV-4). */
export async function judge<T extends KubeObject>(
  rules: readonly Rule<T>[],
  change: Change<T>,
  readers: Readers,
): Promise<Judged> {
  const answers = await Promise.all(rules.map((rule) => answerOf(rule, change, readers)))
  const unanswered = answers.find((answer) => answer instanceof Fault)
  const found = answers.flatMap((answer) => (answer instanceof Fault ? [] : answer))
  return unanswered === undefined ? { found } : { found, unanswered }
}

async function answerOf<T extends KubeObject>(rule: Rule<T>, change: Change<T>, readers: Readers) {
  try {
    const findings = await findingsOf(rule, change, readers)
    return findings.map((finding): Violation => ({ ...finding, rule }))
  } catch (cause) {
    if (!(cause instanceof Fault && cause.retry)) throw cause
    return effectOf(rule, change.profile) === 'warn' ? [] : cause // nobody is kept waiting for a warning
  }
}

async function findingsOf<T extends KubeObject>(rule: Rule<T>, change: Change<T>, readers: Readers): Promise<Findings> {
  if (isExempt(rule, change)) return []
  const found = await lookTwice(rule, change, readers)
  if (found.length === 0 || rule.always || change.operation !== 'UPDATE') return found
  return newOnes(found, await lookTwice(rule, { ...change, next: change.prev }, readers))
}

/** Ratcheting (CV-8): what the same rule finds with the old object in both places was there before; one excuses one. */
function newOnes(found: Findings, before: Findings): Findings {
  const excuses = new Map<string, number>()
  for (const key of before.map(keyOf)) excuses.set(key, (excuses.get(key) ?? 0) + 1)
  return found.filter((finding) => {
    const key = keyOf(finding)
    const left = excuses.get(key) ?? 0
    excuses.set(key, left - 1)
    return left <= 0
  })
}

function keyOf({ path, value, through }: Finding): string {
  return `${through?.id} ${path.replaceAll(/\[\d+\]/g, '[]')} ${JSON.stringify(value)}`
}

/** A cached answer may allow; a refusal that rests on a look-up counts only as a live reader gives it (SV-7). */
async function lookTwice<T extends KubeObject>(
  rule: Rule<T>,
  change: Change<T>,
  { cached, live }: Readers,
): Promise<Findings> {
  if (rule.live || rule.on === 'delete') return ask(rule, change, live)
  const watched = watch(cached)
  const found = await ask(rule, change, watched.reader)
  return found.length > 0 && watched.asked() ? ask(rule, change, live) : found
}

function watch(cached: ClusterReader) {
  let asked = false
  const reader: ClusterReader = {
    get(of, ref) {
      asked = true
      return cached.get(of, ref)
    },
    list(of, where) {
      asked = true
      return cached.list(of, where)
    },
  }
  return { reader, asked: () => asked }
}

/** What a mutation does not see in the cache is looked up live, or a fresh object would count as absent (SV-7). */
export function certain({ cached, live }: Readers): ClusterReader {
  return {
    async get(of, ref) {
      return (await cached.get(of, ref)) ?? live.get(of, ref)
    },
    async list(of, where) {
      const found = await cached.list(of, where)
      return found.length > 0 ? found : live.list(of, where)
    },
  }
}
