import type { Sample } from '../../../kit/telling.ts'
import { heldSample, mergeSample, rolloutSample } from '../../metrics.ts'
import { HELD_REASONS } from '../reconcile/held.ts'
import type { NacosSeen } from '../reconcile/seen.ts'
import type { Nacos } from '../schema.ts'
import { isHeld } from './conditions.ts'
import type { EndedTurn } from './ended.ts'
import type { KnownNacos } from './known.ts'

/** NC-REC-73 */
export function measuredOf(
  { nacos, held }: NacosSeen,
  { isConfigWritten }: EndedTurn,
  known: KnownNacos,
  at: Date,
): readonly Sample[] {
  const { state } = known.decision
  const reason = isHeld(state) ? state.reason : undefined
  const before = heldReasonOf(nacos)
  const gauges = HELD_REASONS.map((each) => {
    const others = (held.get(each) ?? 0) - (before === each ? 1 : 0)
    return heldSample(each, others + (reason === each ? 1 : 0))
  })
  return [
    ...gauges,
    ...(isConfigWritten ? [mergeSample('merged')] : []),
    ...(reason !== undefined && reason !== before ? [mergeSample('held')] : []),
    ...rolloutTime(nacos, known, at),
  ]
}

/** Why the configuration of a Nacos is held, by its status. */
export function heldReasonOf({ status }: { readonly status?: Nacos['status'] | undefined }): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'ConfigReady')
  return ready?.status === 'False' ? ready.reason : undefined
}

/** From when it was not complete on. */
function rolloutTime({ status }: Nacos, { conditions }: KnownNacos, at: Date): readonly Sample[] {
  const before = status?.conditions?.find(({ type }) => type === 'RolloutComplete')
  const isComplete = conditions.some(({ type, status }) => type === 'RolloutComplete' && status === 'True')
  if (before?.status !== 'False' || !isComplete) return []
  return [rolloutSample(Math.max(0, (at.getTime() - Date.parse(before.lastTransitionTime ?? '')) / 1_000) || 0)]
}
