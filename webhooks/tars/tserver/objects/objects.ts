import type { Built } from '../../../kit/controller.ts'
import type { Gvr } from '../../../kit/schema.ts'
import { TENDPOINT } from '../../tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../texitedrecord/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../../workloads.ts'
import { endpointFor, exitedRecordFor } from './mirrors.ts'
import { serviceFor } from './service.ts'
import type { Subject } from './subject.ts'
import { daemonSetFor, statefulSetFor } from './workload.ts'

/** An object that there should be, without `tars.io/Applied` and status. */
export interface WantedObject {
  readonly of: Gvr
  readonly object: Built
}

/** All that becomes of a server but its TTree entry, in the order of WK-10. */
export function objectsFor(server: Subject['server'], config: Subject['config'], given: Subject['given']) {
  return [
    { of: TENDPOINT, object: endpointFor(server) },
    { of: TEXITEDRECORD, object: exitedRecordFor(server) },
    ...workloadsFor(server, config, given),
  ]
}

/**
 * TS-R4: Service and StatefulSet, or DaemonSet; pure, and linear in the size of the server. A caller that has a `Found`
 * asks TSERVER.isOutline first: where the server cannot be read, nothing that stands there is outgrown.
 */
export function workloadsFor(
  server: Subject['server'],
  config: Subject['config'],
  given: Subject['given'],
): readonly WantedObject[] {
  const subject = { server, config, given }
  if (server.spec.k8s.daemonSet) return [{ of: DAEMONSET, object: daemonSetFor(subject) }]
  return [
    { of: SERVICE, object: serviceFor(server) },
    { of: STATEFULSET, object: statefulSetFor(subject) },
  ]
}
