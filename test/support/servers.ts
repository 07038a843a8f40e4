import type { Stored, Words } from '../../src/cluster/port.ts'
import { GOING } from './templates.ts'

interface ServerWishes {
  readonly name?: string
  readonly namespace?: string
  readonly template?: string
  /** As the mutation leaves them when absent. */
  readonly labels?: Words
  /** Waits for its finalizers. */
  readonly going?: boolean
}

export function aTServer({
  name = 'demo-echo',
  namespace = 'demo',
  template = 'base',
  labels = { 'tars.io/Template': template },
  going = false,
}: ServerWishes = {}): Stored {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TServer',
    metadata: { name, namespace, labels, ...(going && GOING) },
    spec: { tars: { template } },
  }
}
