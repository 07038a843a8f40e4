import { randomUUID } from 'node:crypto'
import type { ClusterWriter } from '../cluster/port.ts'
import { guardedWriter } from '../reconcile/calls.ts'
import { type EventParts, eventsTo, type Notify } from '../reconcile/events.ts'
import { ALWAYS, type Leadership } from '../reconcile/leadership.ts'
import { WriteBudget } from '../reconcile/write-budget.ts'
import { systemClock as clock } from '../timing/clock.ts'

const PER_SECOND = 10

/** Events with a budget of their own: they keep neither a controller from writing nor a review from its answer. */
export function limitedEvents(
  writer: ClusterWriter,
  { leadership = ALWAYS, ...parts }: Pick<EventParts, 'identity' | 'source'> & { readonly leadership?: Leadership },
): Notify {
  const budget = new WriteBudget(clock, { perSecond: PER_SECOND })
  const limited = guardedWriter(writer, { budget, leadership, count: () => undefined, clock })
  return eventsTo({ writer: limited, clock, unique, ...parts })
}

export const unique = () => randomUUID().replaceAll('-', '').slice(0, 16)
