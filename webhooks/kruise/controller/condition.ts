import type { Found, Tree } from '../../kit/schema.ts'
import type { DaemonSet } from '../daemonsets.ts'

const CONDITION = 'BuiltInControllerActive'

/** The conditions as they should be while OpenKruise runs, or while it does not; nothing where they are (PATCH-CTL-2). */
export function conditionsWhile(
  rival: string | undefined,
  { status }: Found<DaemonSet>,
  at: Date,
): readonly Tree[] | undefined {
  const stored = status?.conditions ?? []
  const old = stored.find(({ type }) => type === CONDITION)
  const others = stored.filter(({ type }) => type !== CONDITION)
  if (rival === undefined) return old === undefined ? undefined : others
  const message = `OpenKruise runs: ${rival}; this DaemonSet is left to it`
  if (old?.message === message) return undefined
  const since = old?.lastTransitionTime ?? `${at.toISOString().slice(0, 19)}Z`
  return [
    ...others,
    { type: CONDITION, status: 'False', reason: 'KruiseManagerActive', message, lastTransitionTime: since },
  ]
}
