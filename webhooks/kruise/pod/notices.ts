import type { Gvr, KubeObject } from '../../kit/schema.ts'
import type { Aside, Sample } from '../../kit/telling.ts'
import type { Choice, PatchReading } from '../list/reading.ts'
import { applied, type ErrorReason, failure } from '../metrics.ts'

/** Where a pod comes from. */
export interface Origin {
  readonly of: Gvr
  readonly namespace: string
  readonly name: string
  /** Unknown while it cannot be read. */
  readonly daemonSet?: KubeObject
}

const measuredAs = ({ of: { group }, namespace, name }: Origin) => ({ group, namespace, daemonset: name })

/** A warning at the DaemonSet, and a count. */
export function tellFailure(reason: ErrorReason, event: string, message: string, origin: Origin): Aside {
  const { of, namespace, name, daemonSet } = origin
  const uid = daemonSet?.metadata.uid
  const about = uid === undefined ? undefined : { of, ref: { namespace, name }, uid }
  return {
    notices: about === undefined ? [] : [{ type: 'Warning', reason: event, message, about }],
    measured: [failure('admit', reason, measuredAs(origin))],
  }
}

export function countBadSelectors({ entries }: PatchReading, origin: Origin): readonly Sample[] {
  const bad = entries.filter(({ isBadSelector }) => isBadSelector === true)
  return bad.map(() => failure('admit', 'bad_selector', measuredAs(origin)))
}

/** A dry run creates no pod. */
export function countApplied({ entries }: Choice, origin: Origin, dryRun: boolean): readonly Sample[] {
  return dryRun ? [] : entries.map(({ index }) => applied(measuredAs(origin), index))
}
