import { afterEach, beforeEach } from 'vitest'
import { type Connection, connect } from '../../../../../src/cluster/kube/wire/connection.ts'
import { type ApiServer, scriptedApiServer } from '../../../../support/fakes/api-server.ts'
import { ManualClock } from '../../../../support/fakes/clock.ts'

export const PATH = '/api/v1/namespaces/demo/configmaps'
// The hooks below set these for each test file that imports this one.
export let server: ApiServer
export let clock: ManualClock
export let connection: Connection

/** Another one where a test has stopped the first. */
export async function startServer(): Promise<void> {
  server = await scriptedApiServer()
}

beforeEach(async () => {
  await startServer()
  clock = new ManualClock()
  connection = await connect(server.kubeconfig(), clock)
})
afterEach(async () => {
  connection.stop()
  await server.stop()
})

export const noAnswer = (why: string) => `no answer from the API server at ${server.url} ${why}`

export async function faultOf(promise: Promise<unknown>): Promise<Error> {
  const cause: unknown = await promise.then(
    () => undefined,
    (reason) => reason,
  )
  if (cause instanceof Error) return cause
  throw new Error('nothing was thrown')
}
