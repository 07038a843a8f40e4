import { Refused } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import type { Sample } from '../metric.ts'
import type { Notice, Outcome, Performed } from './action.ts'
import type { Turn } from './controller.ts'

/** How a turn ended. `gone`: there was nothing to do any more; `thrown`: an error came before the end. */
export type TurnResult = 'done' | 'gone' | 'overtaken' | 'refused' | 'failed' | 'thrown'

export interface TurnEnd {
  readonly result: TurnResult
  readonly turn?: Turn
  readonly cause?: unknown
  /** What was measured of all objects behind it. */
  readonly counted?: readonly Sample[]
}

export function endOf(turn: Turn | undefined): TurnEnd {
  if (turn === undefined) return { result: 'gone' }
  const outcomes = new Set<Outcome>(turn.results.map(({ outcome }) => outcome))
  const result = (['failed', 'overtaken', 'refused'] as const).find((each) => outcomes.has(each)) ?? 'done'
  return { result, turn }
}

/** Its key comes back after a backoff. */
export const isToRepeat = ({ result }: TurnEnd): boolean => result !== 'done' && result !== 'gone'

/** The time after which a system that refused wants to be asked again, where it says one. */
export function namedTimeIn({ turn, cause }: TurnEnd): number | undefined {
  const causes = [cause, ...(turn?.results ?? []).map((result) => result.cause)]
  const times = causes.flatMap((each) =>
    each instanceof Fault && each.retryAfterMs !== undefined ? [each.retryAfterMs] : [],
  )
  return times.length === 0 ? undefined : Math.max(...times)
}

/** After this time the key comes again, however the turn ended: its controller asks for it, or a namespace was terminating. */
export function againInMsOf({ turn }: TurnEnd): number | undefined {
  const times = [turn?.againInMs, ...(turn?.results ?? []).map(heldUpMs)].filter((ms) => ms !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}
/** What was not tried in a terminating namespace may be wanted in the next one of its name (WK-11). */
function heldUpMs({ outcome, cause }: Performed): number | undefined {
  const seconds = cause instanceof Refused ? cause.status.details?.retryAfterSeconds : undefined
  return outcome === 'needless' && seconds !== undefined ? seconds * 1_000 : undefined
}

/** What people read of a turn: one event for each reason, and one for a refusal that the controller does not tell (WK-7). */
export function noticesOf({ turn }: TurnEnd): readonly Notice[] {
  const own = turn?.notices ?? []
  const told = own.some(({ type }) => type === 'Warning') ? own : [...own, ...refusalsIn(turn)]
  const byReason = Map.groupBy(told, ({ reason, about }) => JSON.stringify([reason, about?.uid]))
  return [...byReason.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => ({ ...first, message: linesOf(group) })),
  )
}

const linesOf = (notices: readonly Notice[]) => [...new Set(notices.map(({ message }) => message))].join('; ')

function refusalsIn(turn: Turn | undefined): readonly Notice[] {
  const refused = (turn?.results ?? []).filter(({ outcome }) => outcome === 'refused')
  return refused.map(({ action, message = '' }) => {
    const what = 'of' in action ? action.of.kind : action.do
    return { type: 'Warning', reason: 'SyncFailed', message: `${what}: ${message}` }
  })
}
