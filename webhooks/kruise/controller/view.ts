import { isTerminating } from '../../../src/kube/metadata.ts'
import { componentIn } from '../list/hash.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import type { DaemonPod } from './pods-of-nodes.ts'
import type { StoredDaemonPod } from './resources.ts'

/** What makes a pod new on its node. */
export interface Wanted {
  readonly hash: string
  readonly component: string
}
export interface AsOf {
  readonly minReadySeconds: number
  readonly at: Date
}

/** A pod that OpenKruise made has no stamp, and is new by its label alone where no patch applies. */
export function daemonPodFrom(pod: StoredDaemonPod, wanted: Wanted | undefined, moment: AsOf): DaemonPod {
  const { metadata, spec, status } = pod
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const isReady = ready?.status === 'True'
  const readyMs = moment.at.getTime() - Date.parse(ready?.lastTransitionTime ?? '')
  return {
    name: metadata.name,
    isNew: wanted !== undefined && isAsWanted(metadata, wanted),
    phase: status?.phase ?? '',
    isReady,
    isAvailable: isReady && (moment.minReadySeconds === 0 || readyMs >= moment.minReadySeconds * 1_000),
    isTerminating: isTerminating(pod),
    isPreparingDelete: metadata.labels?.[LABELS.lifecycle] === 'PreparingDelete',
    isScheduled: typeof spec?.nodeName === 'string' && spec.nodeName !== '',
    createdAt: metadata.creationTimestamp ?? '',
  }
}

function isAsWanted({ labels, annotations }: StoredDaemonPod['metadata'], { hash, component }: Wanted): boolean {
  return labels?.[LABELS.revision] === hash && componentIn(annotations?.[ANNOTATIONS.combinedHash]) === component
}

/** When the next pod becomes available, if nothing else happens. */
export function nextAvailableMs(pods: readonly StoredDaemonPod[], { minReadySeconds, at }: AsOf): number | undefined {
  if (minReadySeconds === 0) return undefined
  const waits = pods.flatMap(({ status }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')
    const left = Date.parse(ready?.lastTransitionTime ?? '') + minReadySeconds * 1_000 - at.getTime()
    return ready?.status === 'True' && left > 0 ? [left] : []
  })
  return waits.length === 0 ? undefined : Math.min(...waits)
}
