import { CERT_SECRET, IDENTITY, LABELS, type Manifest, PORTS, PRODUCT, SERVICE } from './objects.ts'

export interface Installation {
  readonly namespace: string
  readonly image: string
  readonly webhookUrl?: string | undefined
}

const REPLICAS = 2
/** Longer than a drain of ten seconds and the longest review together (SV-10). */
const GRACE_SECONDS = 45
const CERT_DIR = '/run/tars-admission'
/** The release label is not part of it: a selector cannot be changed later. */
const SELECTOR = { matchLabels: LABELS }

export function workloads(installation: Installation): readonly Manifest[] {
  const { namespace } = installation
  return [certSecret(namespace), service(namespace), deployment(installation), disruptionBudget(namespace)]
}

/** Printed empty: whichever replica comes first fills it, so that nobody needs the right to create Secrets (CT-2). */
export function certSecret(namespace: string) {
  const metadata = { name: CERT_SECRET, namespace, labels: LABELS }
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' } as const
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
    enableServiceLinks: false, // a Service of an unlucky name would become a setting of ours
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
    volumes: [{ name: 'certs', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
  }
}

const APART = {
  weight: 100,
  podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: SELECTOR },
} as const

function container({ image, namespace, webhookUrl }: Installation): Manifest {
  const reach = webhookUrl === undefined ? [] : [`--webhook-url=${webhookUrl}`]
  return {
    name: 'webhook',
    image,
    args: ['webhook', `--namespace=${namespace}`, '--manage-configurations', `--cert-dir=${CERT_DIR}`, ...reach],
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
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: 'certs', mountPath: CERT_DIR }],
  }
}

function disruptionBudget(namespace: string): Manifest {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: PRODUCT, namespace, labels: LABELS },
    spec: { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: SELECTOR },
  }
}
