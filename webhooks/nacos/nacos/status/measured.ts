import type { Sample } from '../../../kit/telling.ts'
import { mergeSample, rolloutSample } from '../../metrics.ts'
import type { NacosSeen } from '../reconcile/seen.ts'
import type { Nacos } from '../schema.ts'
import { isHeld } from './conditions.ts'
import type { EndedTurn } from './ended.ts'
import type { KnownNacos } from './known.ts'

/** NC-REC-73 */
export function measuredOf(
  { nacos }: NacosSeen,
  { isConfigWritten }: EndedTurn,
  { decision: { state }, rolloutMs }: KnownNacos,
): readonly Sample[] {
  const isNewlyHeld = isHeld(state) && state.reason !== heldReasonOf(nacos)
  return [
    ...(isConfigWritten ? [mergeSample('merged')] : []),
    ...(isNewlyHeld ? [mergeSample('held')] : []),
    ...(rolloutMs === undefined ? [] : [rolloutSample(rolloutMs / 1_000)]),
  ]
}

/** Why the configuration of a Nacos is held, by its status. */
export function heldReasonOf({ status }: { readonly status?: Nacos['status'] | undefined }): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'ConfigReady')
  return ready?.status === 'False' ? ready.reason : undefined
}
