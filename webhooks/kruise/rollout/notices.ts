import type { Notice, Result } from '../../kit/controller.ts'
import type { Decided } from './decided.ts'
import { isStale, type JudgedPod } from './judged.ts'
import { DAEMON_POD } from './pod-schema.ts'
import { isNews, isOver, type Progress, problemIn } from './progress.ts'
import type { RolloutSeen } from './seen.ts'

interface Told {
  readonly progress: Progress
  readonly judged: readonly JudgedPod[]
  readonly done: Decided
  readonly isRolling: boolean
}

/** Events about the DaemonSet (spec 10.3), of what its condition does not say already. */
export function noticesOf({ daemonSet, patches }: RolloutSeen, told: Told): readonly Notice[] {
  const { progress, done, isRolling } = told
  const wave = [
    ...(done.replaced.length > 0 && !isRolling ? [normal('NodePatchesRollout', waveText(told))] : []),
    ...(isRolling && isOver(progress) ? [normal('NodePatchesSynced', progress.message)] : []),
  ]
  return [...wave, ...(isNews(daemonSet, progress) ? troubles(progress, patches.unreadable, done) : [])]
}

function troubles({ reason, message }: Progress, unreadable: string | undefined, done: Decided): readonly Notice[] {
  switch (reason) {
    case 'InvalidPatches':
      return [warning('NodePatchesInvalid', unreadable ?? message)]
    case 'PatchFailed':
      return [warning('NodePatchFailed', problemIn(done) ?? message)]
    case 'WebhookBypassed':
      return [
        warning('NodePatchWebhookBypassed', `pods come up without their patches, so none is replaced: ${message}`),
      ]
    case 'Deferred':
      return [warning('NodePatchesDeferred', `pods with outdated patches stay: ${message}`)]
    default:
      return []
  }
}

/** `3 of 5 pods are replaced: 2 PatchChanged, 1 NotPatched`. */
function waveText({ judged }: Told): string {
  const stale = judged.filter(isStale)
  const byReason = Object.entries(Object.groupBy(stale, ({ sighting: { reason = '' } }) => reason))
  const counts = byReason.map(([reason, { length } = []]) => `${length} ${reason}`)
  return `${stale.length} of ${judged.length} pods have outdated patches: ${counts.join(', ')}`
}

/** The pod learns why it goes. */
export function staleNotices({ action, outcome }: Result): readonly Notice[] {
  const [, reason] = /^PATCH-ROLL-(?:5|20|22) (\w+)$/.exec(action.because) ?? []
  if (outcome !== 'done' || reason === undefined || !('expects' in action)) return []
  const about = { of: DAEMON_POD, ref: action.ref, uid: action.expects.uid }
  return [{ ...normal('NodePatchStale', `its node patches are outdated: ${reason}`), about }]
}

const normal = (reason: string, message: string): Notice => ({ type: 'Normal', reason, message })
const warning = (reason: string, message: string): Notice => ({ type: 'Warning', reason, message })
