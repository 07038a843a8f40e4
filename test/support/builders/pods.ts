import type { Built } from '../../../src/cluster/port.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { mapped } from '../mapped.ts'
import { aTServer } from './servers.ts'
import { OF_SERVER } from './workloads.ts'

interface PodWishes {
  readonly name?: string
  readonly uid?: string
  readonly labels?: object
  /** Since when it is terminating. */
  readonly deletionTimestamp?: string
  readonly status?: unknown
}

/** As kubelet leaves it, before there is any status. */
export function aPod({
  name = 'demo-echo-0',
  uid = `uid-of-${name}`,
  labels = { ...OF_SERVER, 'tars.io/ServerID': 'r1' },
  deletionTimestamp,
  status = {},
}: PodWishes = {}): Built {
  const since = { creationTimestamp: '2026-11-18T08:00:00Z', ...(deletionTimestamp && { deletionTimestamp }) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'demo', uid, labels: { ...labels }, ...since },
    spec: { containers: [{ name: 'demo-echo', image: 'registry.example/demo/echo:r1' }] },
    status,
  }
}

export const aCondition = (type: string, status = 'True', more: object = {}) => ({ type, status, ...more })

/** What the controller of a server made of it, with fields over it. */
export function anObjectOf(kind: 'TEndpoint' | 'TExitedRecord', fields: Tree = {}): Built {
  const made = mapped(aTServer())[kind]
  if (made === undefined) throw new Error(`a server has no ${kind}`)
  const metadata = isTree(fields.metadata) ? fields.metadata : {}
  return { ...made, ...fields, metadata: { ...made.metadata, uid: 'of-server', resourceVersion: '7', ...metadata } }
}
