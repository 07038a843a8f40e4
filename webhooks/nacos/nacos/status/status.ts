import { isSame } from '../../../kit/admission.ts'
import type { Action } from '../../../kit/controller.ts'
import { templateDigestOf } from '../reconcile/mounted.ts'
import type { NacosSeen } from '../reconcile/seen.ts'
import { NACOS, type Nacos } from '../schema.ts'
import { finalNameOf, isMerging } from '../shape.ts'
import { type Condition, observedIn } from './conditions.ts'
import type { EndedTurn } from './ended.ts'
import type { KnownNacos } from './known.ts'
import { isHealthy } from './phase.ts'
import { rolloutOf } from './rollout.ts'

const LONGEST_MESSAGE = 1_024

/** One write, and none where nothing else is to be said (NC-REC-70). */
export function statusUpdate({ nacos }: NacosSeen, status: ReturnType<typeof statusOf>): readonly Action[] {
  const { namespace = '', name, uid = '', resourceVersion = '' } = nacos.metadata
  const stored: Readonly<Record<string, unknown>> = nacos.status ?? {}
  const changed = Object.entries(status).filter(([field, value]) => !isSame(stored[field] ?? null, value ?? null))
  if (changed.length === 0) return []
  const patch = { status: Object.fromEntries(changed.map(([field, value]) => [field, value ?? null])) }
  const expects = { uid, resourceVersion }
  return [
    { do: 'merge', of: NACOS, subresource: 'status', ref: { namespace, name }, expects, patch, because: 'NC-REC-71' },
  ]
}

/** The digest is that of the template as it stands (NC-REC-71). */
export function statusOf(seen: NacosSeen, { statefulSet }: EndedTurn, known: KnownNacos, at: Date) {
  const { nacos } = seen
  const { phase, facts, decision, conditions } = known
  const { updated, replicas } = rolloutOf(statefulSet)
  const configDigest = templateDigestOf(statefulSet)
  const isRolledOut = facts.isRolledOut && configDigest !== ''
  return {
    phase,
    healthy: isHealthy(phase, facts),
    observedGeneration: observedIn(seen),
    replicas,
    readyReplicas: facts.ready,
    updatedReplicas: updated,
    configDigest: configDigest || undefined,
    pendingConfigDigest: decision.waits?.digest,
    lastRolledOutConfigDigest: isRolledOut ? configDigest : nacos.status?.lastRolledOutConfigDigest,
    finalConfigName: isMerging(nacos) ? finalNameOf(nacos, nacos.metadata.name) : undefined,
    conditions: conditions.map((each) => dated(each, nacos, at)),
  }
}

/** The time moves with the status of the condition alone (NC-REC-70). */
function dated({ message, ...condition }: Condition, { metadata, status }: Nacos, at: Date) {
  const before = status?.conditions?.find(({ type, podName }) => type === condition.type && !podName)
  const isSteady = before?.status === condition.status && before.lastTransitionTime !== undefined
  return {
    ...condition,
    message: message.slice(0, LONGEST_MESSAGE),
    lastTransitionTime: isSteady ? before.lastTransitionTime : `${at.toISOString().slice(0, 19)}Z`,
    observedGeneration: metadata.generation,
  }
}
