import type { Built } from '../../../kit/controller.ts'
import { NODE_PATCHES } from '../../names.ts'
import { replicasFor } from '../bounds.ts'
import type { TServer } from '../schema.ts'
import { claimTemplatesFor } from './claims.ts'
import { podTemplate } from './pod-template.ts'
import { labelsOf, metadataFor, type Subject } from './subject.ts'
import { filled } from './written-form.ts'

/** MP-5…10 */
export function statefulSetFor(subject: Subject): Built {
  const { server } = subject
  const { replicas = 1, podManagementPolicy = 'Parallel' } = server.spec.k8s
  return {
    ...workload('StatefulSet', server),
    spec: {
      ...ofPods(subject),
      serviceName: server.metadata.name,
      replicas: replicasFor(replicas, server),
      podManagementPolicy,
      updateStrategy: strategyOf(server, (partition) => ({ partition })),
      ...filled({ volumeClaimTemplates: claimTemplatesFor(subject) }),
    },
  }
}

/** MP-40…43 */
export function daemonSetFor(subject: Subject): Built {
  const { server } = subject
  const made = workload('DaemonSet', server)
  return {
    ...made,
    metadata: { ...made.metadata, ...filled({ annotations: nodePatchesOf(server) }) },
    spec: {
      ...ofPods(subject),
      updateStrategy: strategyOf(server, (partition) => ({ maxUnavailable: Math.max(partition, 1) })),
      minReadySeconds: 3,
    },
  }
}

/** PATCH-API-4: with the marker both are ours, and go with the annotation of the server. */
function nodePatchesOf({ metadata: { annotations } }: TServer) {
  const list = annotations?.[NODE_PATCHES.list]
  return list === undefined ? {} : { [NODE_PATCHES.list]: list, [NODE_PATCHES.source]: 'tserver' }
}

const workload = (kind: string, server: TServer) => ({ apiVersion: 'apps/v1', kind, metadata: metadataFor(server) })

const ofPods = (subject: Subject) => ({
  selector: { matchLabels: labelsOf(subject.server) },
  template: podTemplate(subject),
})

/** MP-9, MP-41: the API server refuses OnDelete together with rollingUpdate. */
function strategyOf({ spec: { k8s } }: TServer, rollingUpdate: (partition: number) => object) {
  const { type = 'RollingUpdate', rollingUpdate: { partition = 0 } = {} } = k8s.updateStrategy ?? {}
  return type === 'OnDelete' ? { type } : { type, rollingUpdate: rollingUpdate(partition) }
}
