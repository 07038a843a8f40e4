import { isDeepStrictEqual } from 'node:util'
import type { ClusterReader, KubeObject, Resource } from '../cluster/port.ts'
import { NOTHING_KNOWN } from '../fact.ts'
import { settingsOf } from '../setting.ts'
import type { Create, RequestInfo, Update } from './change.ts'
import { ask, type Cel, type Rule, valueAt } from './rule.ts'
import type { Violation } from './verdict.ts'

/** Rules with a CEL twin need no look-up and exempt no caller. Limits are left to the schema. */
export function askTwins<T extends KubeObject>(
  resource: Resource<T>,
  rules: readonly Rule<T>[],
  { next, prev }: { readonly next: unknown; readonly prev: unknown },
): readonly Violation[] {
  if (!resource.isOutline(next) || (prev !== undefined && !resource.isOutline(prev))) return []
  const change: Create<T> | Update<T> =
    prev === undefined ? { ...ANYBODY, operation: 'CREATE', next } : { ...ANYBODY, operation: 'UPDATE', next, prev }
  const twins = rules.filter(({ cel, on }) => cel !== undefined && isEvaluated(cel, on, change))
  return twins.flatMap((rule) => {
    const findings = ask(rule, change, NO_CLUSTER)
    if (findings instanceof Promise) throw new Error(`${rule.id} looks something up, which its twin cannot`)
    return findings.map((finding) => ({ ...finding, rule }))
  })
}

/** CEL runs where its field exists: a transition rule if the old field exists too, another rule if the value changed. */
function isEvaluated(
  { at, optionalOldSelf }: Cel,
  on: Rule<never>['on'],
  change: Create<unknown> | Update<unknown>,
): boolean {
  const value = valueAt(change.next, at)
  if (value === undefined || change.operation === 'CREATE' || optionalOldSelf) return value !== undefined
  const before = valueAt(change.prev, at)
  return on === 'update' ? before !== undefined : !isDeepStrictEqual(before, value)
}

const ANYBODY: RequestInfo = {
  uid: '',
  user: { name: '', among: [] },
  namespace: '',
  dryRun: false,
  at: new Date(0),
  profile: 'seed',
  settings: settingsOf({}),
  facts: NOTHING_KNOWN,
}
/** Nothing comes of a question, and the rule that waits for it is told apart by its promise. */
const silent = () => new Promise<never>(() => undefined)
const NO_CLUSTER: ClusterReader = { get: silent, list: silent, dryRun: silent }
