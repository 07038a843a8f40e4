import { CONTROLLER } from '../admission/identities.ts'
import { type PodPlace, type Volume, type Workload, workloadManifests } from './deployments.ts'
import {
  CALLERS,
  CERT_SECRET,
  IDENTITY,
  LABELS,
  type Manifest,
  PATH_SECRET,
  PRODUCT,
  SERVICE,
  WORKER,
  WORKER_LABELS,
} from './objects.ts'

export interface Installation extends PodPlace {
  readonly webhookUrl?: string | undefined
  /** The secret path segment before the paths of reviews. */
  readonly secretPath?: string | undefined
  /** The CA, in PEM, of the certificates that callers must present, and which of their names are allowed. */
  readonly clientCa?: string | undefined
  readonly clientNames?: readonly string[]
  /** Where the worker works; everywhere if none is named. */
  readonly namespaces?: readonly string[]
  /** What the operator has set for webhook and worker alike, as flags. */
  readonly flags?: readonly string[]
}

const CERT_DIR = '/run/tars-admission'
const CALLERS_DIR = '/etc/tars-admission/callers'

export function workloads(installation: Installation): readonly Manifest[] {
  const { namespace } = installation
  return [
    certSecret(namespace),
    ...callerManifests(installation),
    service(namespace),
    ...workloadManifests(webhookOf(installation), installation),
    ...workloadManifests(workerOf(installation), installation),
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

/** Leads to webhooks alone: a worker has another component in its labels. */
function service(namespace: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: SERVICE, namespace, labels: LABELS },
    spec: { selector: LABELS, ports: [{ name: 'reviews', port: 443, targetPort: 'reviews' }] },
  }
}

function webhookOf(installation: Installation): Workload {
  const { secretPath, clientCa } = installation
  return {
    name: PRODUCT,
    labels: LABELS,
    account: IDENTITY,
    command: 'webhook',
    flags: webhookFlags(installation),
    open: ['reviews', 'health'],
    ...(secretPath !== undefined && { env: [PATH_VARIABLE] }),
    volumes: [CERTIFICATES, ...(clientCa === undefined ? [] : [CALLERS_CA])],
  }
}

/** It keeps no file. */
function workerOf({ namespaces = [], flags: shared = [] }: Installation): Workload {
  const flags = [...(namespaces.length === 0 ? [] : [`--namespaces=${namespaces}`]), ...shared]
  const labels = WORKER_LABELS
  return { name: WORKER, labels, account: CONTROLLER, command: 'worker', flags, open: ['health'], volumes: [] }
}

const CERTIFICATES: Volume = {
  volume: { name: 'certs', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
  mount: { mountPath: CERT_DIR },
}
const CALLERS_CA: Volume = {
  volume: { name: 'callers', configMap: { name: CALLERS } },
  mount: { mountPath: CALLERS_DIR, readOnly: true },
}
const PATH_VARIABLE = {
  name: 'TARS_ADMISSION_SECRET_PATH',
  valueFrom: { secretKeyRef: { name: PATH_SECRET, key: 'path' } },
} as const

function webhookFlags({ webhookUrl, clientCa, clientNames = [], flags = [] }: Installation): readonly string[] {
  return [
    '--manage-configurations',
    `--cert-dir=${CERT_DIR}`,
    ...flags,
    ...(webhookUrl === undefined ? [] : [`--webhook-url=${webhookUrl}`]),
    ...(clientCa === undefined ? [] : [`--client-ca=${CALLERS_DIR}/ca.crt`]),
    ...(clientNames.length === 0 ? [] : [`--client-names=${clientNames.join()}`]),
  ]
}
