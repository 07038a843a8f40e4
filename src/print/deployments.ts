import { type ComponentLabels, type Manifest, PORTS } from './objects.ts'

/** What differs between our two workloads. */
export interface Workload {
  /** Of Deployment, PodDisruptionBudget and NetworkPolicy. */
  readonly name: string
  /** Of these and of the pods: they are the selector too. A selector is immutable, so no label names a version. */
  readonly labels: ComponentLabels
  readonly account: string
  readonly command: 'webhook' | 'worker'
  readonly flags: readonly string[]
  /** Ports that anyone may reach. */
  readonly open: readonly (keyof typeof PORTS)[]
  readonly env?: readonly Manifest[]
  readonly volumes: readonly Volume[]
}
export interface Volume {
  readonly volume: { readonly name: string } & Manifest
  readonly mount: { readonly mountPath: string; readonly readOnly?: true }
}

export interface PodPlace {
  readonly namespace: string
  readonly image: string
  /** KEY=VALUE: the label of namespaces whose pods may read metrics. */
  readonly monitoringLabel: string
}

const REPLICAS = 2
/** Longer than a drain of ten seconds and the longest review together (SV-10). */
const GRACE_SECONDS = 45
/** 256 MiB suffice for the largest bodies, and for 512 connections that all send 64 KiB; three API servers may open 1,800. */
const MEMORY = '512Mi'

export function workloadManifests(workload: Workload, place: PodPlace): readonly Manifest[] {
  return [deployment(workload, place), disruptionBudget(workload, place), networkPolicy(workload, place)]
}

const selectorOf = ({ labels }: Workload) => ({ matchLabels: labels })
const metadataOf = ({ name, labels }: Workload, { namespace }: PodPlace) => ({ name, namespace, labels })

function deployment(workload: Workload, place: PodPlace): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(workload, place),
    spec: {
      replicas: REPLICAS,
      selector: selectorOf(workload),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: { metadata: { labels: workload.labels }, spec: podSpec(workload, place) },
    },
  }
}

function podSpec(workload: Workload, place: PodPlace): Manifest {
  const labelSelector = selectorOf(workload)
  return {
    serviceAccountName: workload.account,
    enableServiceLinks: false, // the variables of a Service with an unlucky name would be read as settings
    terminationGracePeriodSeconds: GRACE_SECONDS,
    priorityClassName: 'system-cluster-critical',
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector } },
        ],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector,
      },
    ],
    containers: [container(workload, place)],
    ...(workload.volumes.length > 0 && { volumes: workload.volumes.map(({ volume }) => volume) }),
  }
}

function container(workload: Workload, { image, namespace }: PodPlace): Manifest {
  const { command, flags, env, volumes } = workload
  return {
    name: command,
    image,
    args: [command, `--namespace=${namespace}`, ...flags],
    ...(env && { env }),
    ports: portsOf(workload).map((name) => ({ name, containerPort: PORTS[name] })),
    livenessProbe: {
      httpGet: { path: '/livez', port: 'health' },
      periodSeconds: 10,
      timeoutSeconds: 5,
      failureThreshold: 6,
    },
    readinessProbe: {
      httpGet: { path: '/readyz', port: 'health' },
      periodSeconds: 2,
      timeoutSeconds: 2,
      failureThreshold: 3,
    },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: MEMORY } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(volumes.length > 0 && { volumeMounts: volumes.map(({ volume: { name }, mount }) => ({ name, ...mount })) }),
  }
}

const portsOf = ({ open }: Workload) => NAMES.filter((name) => name === 'metrics' || open.includes(name))
const NAMES = ['reviews', 'metrics', 'health'] as const

function disruptionBudget(workload: Workload, place: PodPlace): Manifest {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(workload, place),
    spec: { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: selectorOf(workload) },
  }
}

/**
 * Closes every other port. Reviews come from API servers, which run in no pod and have addresses that no manifest can
 * know, and probes come from the node. Only pods of the labelled namespaces may read metrics (SV-16).
 */
function networkPolicy(workload: Workload, place: PodPlace): Manifest {
  const [key = '', value = ''] = place.monitoringLabel.split('=')
  const monitoring = { namespaceSelector: { matchLabels: { [key]: value } } }
  const to = (port: keyof typeof PORTS) => ({ ports: [{ protocol: 'TCP', port: PORTS[port] }] })
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(workload, place),
    spec: {
      podSelector: selectorOf(workload),
      policyTypes: ['Ingress'],
      ingress: [...workload.open.map(to), { ...to('metrics'), from: [monitoring] }],
    },
  }
}
