import type { Built, Words } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'
import { GOING } from './templates.ts'

interface TreeWishes {
  readonly name?: string
  readonly businesses?: readonly Tree[]
  readonly apps?: readonly Tree[]
  readonly annotations?: Words
  /** Waits for its finalizers. */
  readonly going?: boolean
}

export function aTTree({
  name = 'tars-tree',
  businesses = [],
  apps = [],
  annotations,
  going = false,
}: TreeWishes = {}): Built {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TTree',
    metadata: { name, namespace: 'demo', ...(annotations && { annotations }), ...(going && GOING) },
    businesses,
    apps,
  }
}

export const aBusiness = (name: string) => ({ name, show: 1, weight: 3 })
export const anApp = (name: string, businessRef = '') => ({ name, businessRef })
