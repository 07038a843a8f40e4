import type { Kind } from '../kind.ts'
import { Auditor, type AuditorParts } from '../reconcile/auditor.ts'
import type { Leadership } from '../reconcile/leadership.ts'
import type { WorkerMetrics } from '../reconcile/metrics.ts'
import { systemClock as clock } from '../timing/clock.ts'
import { limitedEvents } from './limited-events.ts'
import type { ReconcilingParts } from './reconciling.ts'

interface AuditingParts extends Pick<ReconcilingParts, 'cluster' | 'config' | 'log' | 'facts'> {
  readonly kinds: readonly Kind[]
  readonly leadership: Leadership
  readonly metrics: Pick<WorkerMetrics, 'invariantViolations'>
}

export function auditing({ kinds, cluster, leadership, config, log, facts, metrics }: AuditingParts): Auditor {
  const { settings, profile, namespaces } = config
  const parts: AuditorParts = {
    ...{ kinds, cluster, leadership, settings, profile, facts, clock, log },
    namespaces: namespaces.length === 0 ? [''] : namespaces,
    notify: limitedEvents(cluster.writer, { leadership, identity: leadership.identity }),
    count: (type, by) => metrics.invariantViolations.inc({ type }, by),
  }
  return new Auditor(parts)
}
