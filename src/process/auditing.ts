import type { Kind } from '../kind.ts'
import { Auditor, type AuditorParts } from '../reconcile/auditor.ts'
import { guardedWriter } from '../reconcile/calls.ts'
import { eventsTo } from '../reconcile/events.ts'
import type { Leadership } from '../reconcile/leadership.ts'
import type { WorkerMetrics } from '../reconcile/metrics.ts'
import { WriteBudget } from '../reconcile/write-budget.ts'
import { systemClock as clock } from '../timing/clock.ts'
import type { ReconcilingParts } from './reconciling.ts'

const EVENTS_PER_SECOND = 10

interface AuditingParts extends Pick<ReconcilingParts, 'cluster' | 'config' | 'log' | 'facts'> {
  readonly kinds: readonly Kind[]
  readonly leadership: Leadership
  readonly metrics: Pick<WorkerMetrics, 'invariantViolations'>
  readonly unique: () => string
}

/** Its events have a budget of their own, so that they never keep a controller from writing. */
export function auditing({ kinds, cluster, leadership, config, log, facts, metrics, unique }: AuditingParts): Auditor {
  const { settings, profile, namespaces } = config
  const budget = new WriteBudget(clock, { perSecond: EVENTS_PER_SECOND })
  const writer = guardedWriter(cluster.writer, { budget, leadership, count: () => undefined, clock })
  const parts: AuditorParts = {
    ...{ kinds, cluster, leadership, settings, profile, facts, clock, log },
    namespaces: namespaces.length === 0 ? [''] : namespaces,
    notify: eventsTo({ writer, clock, identity: leadership.identity, unique }),
    count: (type, by) => metrics.invariantViolations.inc({ type }, by),
  }
  return new Auditor(parts)
}
