import type { Right } from '../cluster/needs.ts'
import type { Settings } from '../setting.ts'
import type { Clock } from '../timing/clock.ts'
import type { Action } from './action.ts'
import { rightFor } from './controller.ts'
import { WriteBudget } from './write-budget.ts'

/** Holds back the writes of rights with a pace until it is their turn. Other controllers, and other writes, go on. */
export function pacing(
  writes: readonly Right[],
  { settings, clock }: { readonly settings: Settings; readonly clock: Clock },
): (action: Action) => Promise<void> {
  const paced = writes.flatMap((right) => (right.pace === undefined ? [] : [[right, right.pace(settings)] as const]))
  const budgets = new Map<Right | undefined, WriteBudget>(
    paced.map(([right, pace]) => [right, new WriteBudget(clock, { ...pace, inFlight: Number.POSITIVE_INFINITY })]),
  )
  return async (action) => {
    const end = await budgets.get(rightFor(action, writes))?.take()
    end?.()
  }
}
