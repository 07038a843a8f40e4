import type { Built, Words } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'
import { GOING } from './templates.ts'

interface DeployWishes {
  readonly name?: string
  /** Over what there is. */
  readonly apply?: Tree
  readonly approve?: unknown
  readonly deployed?: unknown
  /** As the mutations leave them when absent. */
  readonly labels?: Words
  readonly annotations?: Words
  /** Waits for its finalizers. */
  readonly going?: boolean
}

/** Nothing is wrong with it where there is a TTemplate base. */
export function aTDeploy({
  name = 'demo-echo-1',
  apply = {},
  approve,
  deployed,
  labels = { 'tars.io/Approve': 'Pending' },
  annotations,
  going = false,
}: DeployWishes = {}): Built {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TDeploy',
    metadata: { name, namespace: 'demo', labels, ...(annotations && { annotations }), ...(going && GOING) },
    apply: { ...ASKED_FOR, ...apply },
    ...(approve !== undefined && { approve }),
    ...(deployed !== undefined && { deployed }),
  }
}

const ASKED_FOR = {
  app: 'Demo',
  server: 'Echo',
  subType: 'tars',
  tars: { template: 'base', servants: [{ name: 'EchoObj', port: 10_000 }] },
  k8s: { replicas: 1 },
}

const DECISION = { person: 'admin', time: '2022-03-01T08:00:00Z', reason: 'test' }
export const APPROVED = { ...DECISION, result: true }
export const REJECTED = { ...DECISION, result: false }
