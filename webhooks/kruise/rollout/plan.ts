import type { Given, Plan, Result } from '../../kit/controller.ts'
import { isGateOn } from '../gate.ts'
import { RELABEL_STABILIZATION_SECONDS, ROLLOUT_MODE } from '../settings.ts'
import { decided } from './decided.ts'
import { judged } from './judged.ts'
import { marksIn, samplesOf } from './measured.ts'
import { afterTurn, learned } from './memory.ts'
import { noticesOf, staleNotices } from './notices.ts'
import { progressOf, telling } from './progress.ts'
import type { RolloutMemory, RolloutSeen } from './seen.ts'
import { wayOf } from './strategy.ts'

/** PATCH-ROLL-*: what is wrong with the pods of one DaemonSet, what is done about it, and what its status says. */
export function plan(seen: RolloutSeen, given: Given<RolloutMemory>): Plan<never, RolloutMemory> {
  const { settings, at } = given
  const { daemonSet, patches, bypass } = seen
  const all = judged(seen, given)
  const memory = learned(seen, all, given)
  const isUnreadable = patches.unreadable !== undefined
  const way = wayOf(daemonSet, { isGateOn: isGateOn(settings), isUnreadable, mode: settings.get(ROLLOUT_MODE) })
  const stabilizationMs = settings.get(RELABEL_STABILIZATION_SECONDS) * 1_000
  const pods = seen.pods.map(({ pod }) => pod)
  const done = decided({ daemonSet, way, memory, stabilizationMs, at, pods, judged: all, bypass })
  const progress = progressOf(seen, { judged: all, way, done, memory })
  const told = telling(seen, progress, { at, toldAt: memory.toldAt })
  const waits = [...done.waits, ...told.waits].filter((wait) => wait > 0)
  return {
    actions: [...done.actions, ...told.actions],
    measured: samplesOf(seen, all, progress),
    notices: noticesOf(seen, { progress, judged: all, done, isRolling: memory.isRolling }),
    remember: afterTurn(memory, { done, progress, at, hasTold: told.hasTold }),
    ...(waits.length > 0 && { againInMs: Math.min(...waits) }),
  }
}

/** A pod is told of when it was marked. */
export function conclude(_: RolloutSeen, results: readonly Result[]): Plan<never, RolloutMemory> {
  return { actions: [], notices: results.flatMap(staleNotices), measured: marksIn(results) }
}
