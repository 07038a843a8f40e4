/** A manifest as it is printed: plain data, with its keys in a readable order. */
export type Manifest = { readonly [key: string]: unknown }

export const PRODUCT = 'tars-admission'
export const SERVICE = 'tars-webhook-service'
export const IDENTITY = 'tars-webhook'
export const PORTS = { reviews: 9443, metrics: 8080, health: 8081 } as const
export const CERT_SECRET = 'tars-webhook-certs'
export const PATH_SECRET = 'tars-webhook-path'
export const CALLERS = 'tars-webhook-callers'

/** The name of what the worker has: its Deployment, and the Lease of its leader. */
export const WORKER = 'tars-admission-worker'

const labelsOf = (component: 'webhook' | 'worker') =>
  ({ 'app.kubernetes.io/name': PRODUCT, 'app.kubernetes.io/component': component }) as const
/** Those of the webhook, and of what both processes share. */
export const LABELS = labelsOf('webhook')
export const WORKER_LABELS = labelsOf('worker')
export type ComponentLabels = typeof LABELS | typeof WORKER_LABELS
