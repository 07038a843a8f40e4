import { afterEach, beforeEach } from 'vitest'
import { type KubeClient, kubeClient } from '../../../../src/cluster/kube/client.ts'
import { type Connection, connect } from '../../../../src/cluster/kube/wire/connection.ts'
import { Fault } from '../../../../src/faults.ts'
import { type Metrics, metricsOf } from '../../../../src/process/metrics.ts'
import { type ApiServer, scriptedApiServer } from '../../../support/fakes/api-server.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'

export const GADGETS = '/apis/test.tars.io/v1/namespaces/demo/gadgets'
export const REF = { namespace: 'demo', name: 'g' }

// The hooks below set these for each test file that imports this one.
export let server: ApiServer
export let clock: ManualClock
export let connection: Connection
export let metrics: Metrics
export let client: KubeClient

/** Another one where a test has stopped the first. */
export async function startServer(): Promise<void> {
  server = await scriptedApiServer()
}

beforeEach(async () => {
  await startServer()
  clock = new ManualClock()
  metrics = metricsOf()
  connection = await connect(server.kubeconfig(), clock)
  client = kubeClient({ connection, metrics })
})
afterEach(async () => {
  connection.stop()
  await server.stop()
})

export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (cause) => cause,
  )
}

export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const cause = await errorOf(promise)
  if (cause instanceof Fault) return cause
  throw new Error(`no fault, but ${cause}`)
}
