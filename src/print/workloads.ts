import {
  CALLERS,
  CERT_SECRET,
  IDENTITY,
  LABELS,
  type Manifest,
  PATH_SECRET,
  PORTS,
  PRODUCT,
  SERVICE,
} from './objects.ts'

export interface Installation {
  readonly namespace: string
  readonly image: string
  readonly webhookUrl?: string | undefined
  /** The secret path segment before the paths of reviews. */
  readonly secretPath?: string | undefined
  /** The CA, in PEM, of the certificates that callers must present, and which of their names are allowed. */
  readonly clientCa?: string | undefined
  readonly clientNames?: readonly string[]
  /** The families that --families names: the pods run with the same. */
  readonly runs?: readonly string[]
  /** KEY=VALUE: the label of namespaces whose pods may read metrics. */
  readonly monitoringLabel: string
}

const REPLICAS = 2
/** Longer than a drain of ten seconds and the longest review together (SV-10). */
const GRACE_SECONDS = 45
/** 256 MiB suffice for the largest bodies, and for 512 connections that all send 64 KiB; three API servers may open 1,800. */
const MEMORY = '512Mi'
const CERT_DIR = '/run/tars-admission'
const CALLERS_DIR = '/etc/tars-admission/callers'
/** Leaves the release label out, since a selector is immutable. */
const SELECTOR = { matchLabels: LABELS }

export function workloads(installation: Installation): readonly Manifest[] {
  const { namespace } = installation
  return [
    certSecret(namespace),
    ...callerManifests(installation),
    service(namespace),
    deployment(installation),
    disruptionBudget(namespace),
    networkPolicy(installation),
  ]
}

/** Printed empty: the first replica fills it, so that the webhook needs no right to create Secrets (CT-2). */
export function certSecret(namespace: string) {
  const metadata = { name: CERT_SECRET, namespace, labels: LABELS }
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' } as const
}

/** The check of callers (SV-14). The path segment is in a Secret, so that it appears in no readable argument. */
function callerManifests({ namespace, secretPath, clientCa }: Installation): readonly Manifest[] {
  const named = (name: string) => ({ name, namespace, labels: LABELS })
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: named(PATH_SECRET), stringData: { path: secretPath } }
  const ca = { apiVersion: 'v1', kind: 'ConfigMap', metadata: named(CALLERS), data: { 'ca.crt': clientCa } }
  return [...(secretPath === undefined ? [] : [secret]), ...(clientCa === undefined ? [] : [ca])]
}

function service(namespace: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: SERVICE, namespace, labels: LABELS },
    spec: { selector: LABELS, ports: [{ name: 'reviews', port: 443, targetPort: 'reviews' }] },
  }
}

function deployment(installation: Installation): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: PRODUCT, namespace: installation.namespace, labels: LABELS },
    spec: {
      replicas: REPLICAS,
      selector: SELECTOR,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: { metadata: { labels: LABELS }, spec: podSpec(installation) },
    },
  }
}

function podSpec(installation: Installation): Manifest {
  return {
    serviceAccountName: IDENTITY,
    enableServiceLinks: false, // the variables of a Service with an unlucky name would be read as settings
    terminationGracePeriodSeconds: GRACE_SECONDS,
    priorityClassName: 'system-cluster-critical',
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [APART] } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: SELECTOR,
      },
    ],
    containers: [container(installation)],
    volumes: [
      { name: 'certs', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
      ...(installation.clientCa === undefined ? [] : [{ name: 'callers', configMap: { name: CALLERS } }]),
    ],
  }
}

const APART = {
  weight: 100,
  podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: SELECTOR },
} as const

function container(installation: Installation): Manifest {
  const { image, secretPath, clientCa } = installation
  return {
    name: 'webhook',
    image,
    args: argsOf(installation),
    ...(secretPath !== undefined && { env: [PATH_VARIABLE] }),
    ports: Object.entries(PORTS).map(([name, containerPort]) => ({ name, containerPort })),
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
    volumeMounts: [
      { name: 'certs', mountPath: CERT_DIR },
      ...(clientCa === undefined ? [] : [{ name: 'callers', mountPath: CALLERS_DIR, readOnly: true }]),
    ],
  }
}

const PATH_VARIABLE = {
  name: 'TARS_ADMISSION_SECRET_PATH',
  valueFrom: { secretKeyRef: { name: PATH_SECRET, key: 'path' } },
} as const

function argsOf({ namespace, webhookUrl, clientCa, clientNames = [], runs = [] }: Installation): readonly string[] {
  return [
    'webhook',
    `--namespace=${namespace}`,
    '--manage-configurations',
    `--cert-dir=${CERT_DIR}`,
    ...(runs.length === 0 ? [] : [`--families=${runs.join()}`]),
    ...(webhookUrl === undefined ? [] : [`--webhook-url=${webhookUrl}`]),
    ...(clientCa === undefined ? [] : [`--client-ca=${CALLERS_DIR}/ca.crt`]),
    ...(clientNames.length === 0 ? [] : [`--client-names=${clientNames.join()}`]),
  ]
}

function disruptionBudget(namespace: string): Manifest {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: PRODUCT, namespace, labels: LABELS },
    spec: { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: SELECTOR },
  }
}

/**
 * Closes every other port. Reviews come from API servers, which run in no pod and have addresses that no manifest can
 * know, and probes come from the node. Only pods of the labelled namespaces may read metrics (SV-16).
 */
function networkPolicy({ namespace, monitoringLabel }: Installation): Manifest {
  const [key = '', value = ''] = monitoringLabel.split('=')
  const monitoring = { namespaceSelector: { matchLabels: { [key]: value } } }
  const to = (port: keyof typeof PORTS) => ({ ports: [{ protocol: 'TCP', port: PORTS[port] }] })
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: PRODUCT, namespace, labels: LABELS },
    spec: {
      podSelector: SELECTOR,
      policyTypes: ['Ingress'],
      ingress: [to('reviews'), to('health'), { ...to('metrics'), from: [monitoring] }],
    },
  }
}
