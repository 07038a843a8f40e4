import { isTerminating } from '../../../../src/kube/metadata.ts'
import { valueAt } from '../../../kit/admission.ts'
import type { Action } from '../../../kit/controller.ts'
import type { Found } from '../../../kit/schema.ts'
import { LABELS } from '../../names.ts'
import type { Pod } from '../../pods.ts'
import { DAEMONSET } from '../../workloads.ts'
import { TSERVER, type TServer } from '../schema.ts'
import { type ServerSeen, standingAs } from './seen.ts'

/** TS-R8: all four fields, since each of them is required. */
export function statusUpdate(seen: ServerSeen): readonly Action[] {
  const { metadata, status: stored } = seen.server
  const status = statusOf(seen)
  const isSame = stored !== undefined && FIELDS.every((field) => stored[field] === status[field])
  if (isSame) return []
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata
  const expects = { uid, resourceVersion }
  const of = TSERVER
  return [
    { do: 'merge', of, subresource: 'status', ref: { namespace, name }, expects, patch: { status }, because: 'TS-R8' },
  ]
}

const FIELDS = ['selector', 'replicas', 'currentReplicas', 'readyReplicas'] as const

function statusOf(seen: ServerSeen): NonNullable<TServer['status']> {
  const { app, server } = seen.server.spec
  const running = seen.pods.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
  return {
    selector: `${LABELS.app}=${app},${LABELS.server}=${server}`,
    replicas: replicasOf(seen),
    currentReplicas: running.length,
    readyReplicas: running.filter((pod) => isReady(pod) && !isTerminating(pod)).length,
  }
}

/** The replicas of a DaemonSet are the nodes that it is meant for. */
function replicasOf(seen: ServerSeen): number {
  const { daemonSet = false, replicas = 1 } = seen.server.spec.k8s
  if (!daemonSet) return replicas
  const daemonSetThere = standingAs(DAEMONSET, seen)
  const scheduled = daemonSetThere && valueAt(daemonSetThere, 'status.desiredNumberScheduled')
  return typeof scheduled === 'number' ? scheduled : 0
}

export function isReady({ status }: Found<Pod>): boolean {
  return status?.conditions?.some((condition) => condition?.type === 'Ready' && condition.status === 'True') === true
}
