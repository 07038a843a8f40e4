import { ANNOTATIONS } from '../../../webhooks/kruise/names.ts'

/** An entry for Nodes with large disks. */
export const anEntry = (patch: unknown = { spec: { hostNetwork: true } }, more: object = {}) => ({
  selector: { matchLabels: { disk: 'large' } },
  patch,
  ...more,
})

const TEMPLATE = {
  metadata: { labels: { app: 'agent' } },
  spec: { containers: [{ name: 'agent', image: 'agent:1' }] },
}

interface Lists {
  readonly annotation?: unknown
  readonly field?: unknown
  readonly template?: unknown
  readonly annotations?: Readonly<Record<string, string>>
}

/** A DaemonSet of either group with a list in its annotation, as JSON or as it is, or in its field. */
export function aDaemonSet({ annotation, field, template = TEMPLATE, annotations = {} }: Lists = {}) {
  const text = typeof annotation === 'string' ? annotation : JSON.stringify(annotation)
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name: 'agent',
      namespace: 'demo',
      uid: 'd1',
      resourceVersion: '7',
      annotations: { ...annotations, ...(text !== undefined && { [ANNOTATIONS.patches]: text }) },
    },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template,
      ...(field !== undefined && { patches: field }),
    },
  }
}
