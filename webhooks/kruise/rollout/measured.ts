import type { Result } from '../../kit/controller.ts'
import type { Sample } from '../../kit/telling.ts'
import { failure, type MarkKind, marked, stalePods } from '../metrics.ts'
import type { JudgedPod } from './judged.ts'
import { isNews, type Progress } from './progress.ts'
import type { RolloutSeen } from './seen.ts'
import { STALE_REASONS } from './staleness.ts'

/** Each reason has its number, so that the last pod of one brings it back to zero. */
export function samplesOf(seen: RolloutSeen, judged: readonly JudgedPod[], progress: Progress): readonly Sample[] {
  const { namespace = '', name } = seen.daemonSet.metadata
  const of = { group: seen.of.group, namespace, daemonset: name }
  const numberOf = (reason: string) => judged.filter(({ sighting }) => sighting.reason === reason).length
  const stale = STALE_REASONS.map((reason) => stalePods(of, reason, numberOf(reason)))
  if (!isNews(seen.daemonSet, progress)) return stale
  if (progress.reason === 'PatchFailed') return [...stale, failure('reconcile', 'merge', of)]
  if (progress.reason === 'InvalidPatches') return [...stale, failure('reconcile', 'parse', of)]
  return progress.reason === 'WebhookBypassed' ? [...stale, failure('reconcile', 'bypassed', of)] : stale
}

const KINDS: Readonly<Record<string, MarkKind>> = {
  'PATCH-ROLL-5': 'mark',
  'PATCH-ROLL-7': 'unmark',
  'PATCH-ROLL-20': 'delete',
  'PATCH-ROLL-22': 'delete',
  'PATCH-HASH-7': 'restamp',
  'PATCH-INPLACE-2': 'restamp',
}

export function marksIn(results: readonly Result[]): readonly Sample[] {
  return results.flatMap(({ action, outcome }) => {
    const kind = KINDS[action.because.split(' ')[0] ?? '']
    return outcome === 'done' && kind !== undefined ? [marked(kind)] : []
  })
}
