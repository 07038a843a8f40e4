import { afterEach, beforeEach, expect } from 'vitest'
import { Reflector } from '../../../../../src/cluster/kube/watch/reflector.ts'
import { collectionSource } from '../../../../../src/cluster/kube/watch/source.ts'
import { type Connection, connect } from '../../../../../src/cluster/kube/wire/connection.ts'
import { logTo } from '../../../../../src/telemetry/log.ts'
import { GADGET } from '../../../../support/builders/gadget.ts'
import { type ApiServer, scriptedApiServer } from '../../../../support/fakes/api-server.ts'
import { ManualClock } from '../../../../support/fakes/clock.ts'
import { Recorder } from '../../../../support/fakes/recorder.ts'

export const GADGETS = '/apis/test.tars.io/v1/gadgets'
/** Jitter at its least halves each of them. */
export const FIRST_BACK_OFF = 100
export const UNTIL_HEAD = 10_000

// The hooks below set these for each test file that imports this one.
export let server: ApiServer
export let clock: ManualClock
let connection: Connection
export let reported: Recorder
export let failures: unknown[]
export let relists: number
/** Lines of the log. */
export let lines: string[]
export let reflector: Reflector
export let running: Promise<void>

beforeEach(async () => {
  server = await scriptedApiServer()
  clock = new ManualClock()
  connection = await connect(server.kubeconfig(), clock)
  reported = new Recorder()
  failures = []
  relists = 0
  lines = []
  reflector = new Reflector({
    kind: 'Gadget',
    source: collectionSource(connection, GADGET),
    sink: reported,
    clock,
    log: logTo({ write: (line) => lines.push(line) }, 'info'),
    sinkFailed: (cause) => failures.push(cause),
    relisted: () => {
      relists += 1
    },
  })
  running = reflector.run()
})
afterEach(async () => {
  reflector.stop()
  await running
  connection.stop()
  await server.stop()
})

export async function listed(version: string, names: readonly string[]): Promise<void> {
  const call = await server.next()
  expect(call.query).not.toHaveProperty('watch')
  call.json(200, pageOf(version, names))
}

export async function watching() {
  await listed('100', ['a'])
  const watch = await server.next()
  expect(watch.query).toMatchObject({ watch: '1', resourceVersion: '100' })
  const stream = watch.stream()
  await clock.notWaitedFor(UNTIL_HEAD) // it has arrived
  return { watch, stream, reset: () => watch.reset() }
}

export function pageOf(version: string, names: readonly string[], next?: string) {
  const items = names.map((name) => gadget(name, version))
  return { kind: 'GadgetList', metadata: { resourceVersion: version, ...(next && { continue: next }) }, items }
}

export function gadget(name: string, resourceVersion: string) {
  return { apiVersion: 'test.tars.io/v1', kind: 'Gadget', metadata: { name, namespace: 'demo', resourceVersion } }
}

/** What is asked after an outage: at which version the store is. */
export async function looked(version: string): Promise<void> {
  const look = await server.next()
  expect(look).toMatchObject({ path: GADGETS, query: { limit: '1' } })
  look.json(200, pageOf(version, ['a'], 'more'))
}
