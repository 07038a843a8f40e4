import { LABELS, READINESS_GATE } from '../../names.ts'
import type { TServer } from '../schema.ts'
import { isTars } from '../shape.ts'
import { affinityFor } from './affinity.ts'
import { initContainers, mainContainer } from './containers.ts'
import { volumesFor } from './mounts.ts'
import { labelsOf, type Subject } from './subject.ts'
import { filled } from './written-form.ts'

/** MP-11: the pods get their labels here alone. */
export function podTemplate(subject: Subject) {
  const { server } = subject
  const { release } = server.spec
  return {
    metadata: { labels: { ...labelsOf(server), ...(release && { [LABELS.serverId]: release.id }) } },
    spec: podSpec(subject),
  }
}

/** MP-12. False is written too: what is left out belongs to another writer. */
function podSpec(subject: Subject) {
  const { server } = subject
  const { hostNetwork = false, hostIPC = false, serviceAccount } = server.spec.k8s
  return {
    restartPolicy: 'Always',
    enableServiceLinks: false,
    dnsPolicy: hostNetwork ? 'ClusterFirstWithHostNet' : 'ClusterFirst',
    dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
    affinity: affinityFor(subject),
    hostNetwork,
    hostIPC,
    ...(serviceAccount && { serviceAccountName: serviceAccount, serviceAccount }),
    ...filled({
      nodeSelector: nodeSelectorFor(server),
      readinessGates: readinessGates(server),
      imagePullSecrets: imagePullSecrets(subject),
      initContainers: initContainers(subject),
    }),
    containers: [mainContainer(subject)],
    ...filled({ volumes: volumesFor(subject) }),
  }
}

/** MP-43: a DaemonSet has no replicas to hold at 0, so no node fits before there is a release. */
function nodeSelectorFor({ spec: { k8s, release } }: TServer) {
  return k8s.daemonSet && release === undefined ? { 'tars.io/unreleased': 'true' } : {}
}

/** MP-13 */
function readinessGates({ spec }: TServer) {
  const gates = [spec.k8s.readinessGate, ...(isTars(spec) ? [READINESS_GATE] : [])]
  return distinct(gates).map((conditionType) => ({ conditionType }))
}

/** MP-14: the Secret of the release first. */
function imagePullSecrets({ server: { spec }, config }: Subject) {
  const { release } = spec
  if (release === undefined) return []
  const ofNode = isTars(spec) ? release.nodeSecret || config?.nodeImage?.secret : undefined
  return distinct([release.secret, ofNode]).map((name) => ({ name }))
}

/** An empty name counts as absent. */
const distinct = (names: readonly (string | undefined)[]) => [...new Set(names)].filter((name) => name)
