import type { Built, Words } from '../../../src/cluster/port.ts'

interface TemplateWishes {
  readonly name?: string
  readonly namespace?: string
  /** The own name when absent: a root template. */
  readonly parent?: string
  readonly content?: string
  /** As the mutation leaves them when absent. */
  readonly labels?: Words
  readonly finalizers?: readonly string[]
  /** Waits for its finalizers. */
  readonly going?: boolean
}

export function aTTemplate({
  name = 'base',
  namespace = 'demo',
  parent = name,
  content = '<tars></tars>',
  labels = parent === name ? {} : { 'tars.io/Parent': parent },
  finalizers,
  going = false,
}: TemplateWishes = {}): Built {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TTemplate',
    metadata: { name, namespace, labels, ...(finalizers && { finalizers }), ...(going && GOING) },
    spec: { parent, content },
  }
}

export const GOING = { deletionTimestamp: '2026-11-18T12:00:00Z' }
