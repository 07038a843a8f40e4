import { isDeepStrictEqual } from 'node:util'
import type { ClusterReader, KubeObject, Resource } from '../cluster/port.ts'
import { settingsOf } from '../setting.ts'
import type { Create, RequestInfo, Update } from './change.ts'
import { ask, type Cel, type Rule, valueAt } from './rule.ts'
import type { Violation } from './verdict.ts'

/** Rules with a twin in CEL look nothing up, and bind everybody at any time. Limits are others' concern. */
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

/** CEL is asked where its field is: of what it was only where it was there before, of what it is where it is another. */
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
}
const NO_CLUSTER: ClusterReader = { get: async () => undefined, list: async () => [] }
