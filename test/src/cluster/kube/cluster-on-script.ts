import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect } from 'vitest'
import { kubeCluster } from '../../../../src/cluster/kube/kube-cluster.ts'
import type { Need } from '../../../../src/cluster/needs.ts'
import type { Built, Cluster } from '../../../../src/cluster/port.ts'
import { type Metrics, metricsOf } from '../../../../src/process/metrics.ts'
import { logTo } from '../../../../src/telemetry/log.ts'
import { aGadget } from '../../../support/builders/gadgets.ts'
import {
  type ApiServer,
  isNoWatch,
  isWatch,
  type Stream,
  scriptedApiServer,
} from '../../../support/fakes/api-server.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'

const QUIET = logTo({ write: () => {} }, 'silent')
const GADGETS = '/apis/test.tars.io/v1/gadgets'
export const REF = { namespace: 'demo', name: 'g' }
const UNTIL_HEAD = 10_000

// The hooks below set these for each test file that imports this one.
export let server: ApiServer
export let clock: ManualClock
export let metrics: Metrics
export let cluster: Cluster

/** Another one where a test has stopped the first. */
export async function startServer(): Promise<void> {
  server = await scriptedApiServer()
}

beforeEach(async () => {
  await startServer()
  clock = new ManualClock()
  metrics = metricsOf()
})
afterEach(async () => {
  cluster.stop()
  await server.stop()
})

export async function clusterWith(...reads: readonly Need[]): Promise<void> {
  cluster = await kubeCluster({ kubeconfig: server.kubeconfig(), reads, metrics, log: QUIET, clock })
}

export async function listed(version: string, ...items: readonly Built[]): Promise<void> {
  const call = await server.next((each) => isNoWatch(each) && each.path === GADGETS)
  call.json(200, { metadata: { resourceVersion: version }, items })
}

export async function watching(version: string): Promise<Stream> {
  const watch = await server.next(isWatch)
  expect(watch).toMatchObject({ path: GADGETS, query: { resourceVersion: version } })
  const stream = watch.stream()
  await clock.notWaitedFor(UNTIL_HEAD) // it has arrived
  return stream
}

export function labelled(app: string, resourceVersion: string): Built {
  const gadget = aGadget({ note: 'long' })
  return { ...gadget, metadata: { ...gadget.metadata, resourceVersion, labels: { app } } }
}

/** Lets the event loop turn until it holds; no time passes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate()
}
