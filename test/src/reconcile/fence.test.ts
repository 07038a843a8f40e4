import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../../src/cluster/kube/wire/connection.ts'
import { kubeWriter } from '../../../src/cluster/kube/writer.ts'
import { storedOf } from '../../../src/cluster/memory/memory-store.ts'
import type { ClusterWriter } from '../../../src/cluster/port.ts'
import { guardedWriter } from '../../../src/reconcile/calls.ts'
import { ALWAYS } from '../../../src/reconcile/leadership.ts'
import { WriteBudget } from '../../../src/reconcile/write-budget.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { type Elector, Electors } from '../../support/electors.ts'
import { type ApiServer, type Call, scriptedApiServer } from '../../support/fakes/api-server.ts'

const REF = { namespace: 'demo', name: 'g' }
const SLOW = { 'retry-after': '12' }
const STORED = storedOf({ ...aGadget(), metadata: { ...aGadget().metadata, resourceVersion: '7' } })
const NOT_LEADING = expect.objectContaining({ code: 'NOT_LEADING' })

/** How a leader stops leading, or goes on. */
const cutOff = ({ machine }: Elector) => {
  machine.way = () => ({ there: 0, back: 0, loses: 'call' })
}
const stopped = ({ machine }: Elector) => machine.pause()
const renewing = () => undefined

let server: ApiServer
let connection: Connection
let electors: Electors
let leader: Elector

beforeEach(async () => {
  server = await scriptedApiServer()
  electors = new Electors()
  connection = await connect(server.kubeconfig(), electors.time)
  leader = electors.start('a')
  await electors.pass(2_000)
})
afterEach(async () => {
  connection.stop()
  await server.stop()
})

function guarded(leadership: Parameters<typeof guardedWriter>[1]['leadership'] = leader.election): ClusterWriter {
  const { time: clock } = electors
  const budget = new WriteBudget(clock, { perSecond: 1_000 })
  return guardedWriter(kubeWriter(connection), { budget, leadership, count: () => undefined, clock })
}
const merge = (writer: ClusterWriter) => writer.merge(GADGET, REF, { spec: { count: 4 } })

/** The answer or the fault. */
const endOf = (write: Promise<unknown>) => write.catch((cause: unknown) => cause)

function recorded(): readonly Call[] {
  const calls: Call[] = []
  server.always((call) => {
    calls.push(call)
    call.json(200, STORED)
  })
  return calls
}

describe('WR-2 RL-7 a write that is to be sent again after 12 s', () => {
  const writes: readonly { name: string; write: (writer: ClusterWriter) => Promise<unknown> }[] = [
    { name: 'create', write: (writer) => writer.create(GADGET, aGadget()) },
    { name: 'replace', write: (writer) => writer.replace(GADGET, STORED) },
    { name: 'patch', write: (writer) => writer.patch(GADGET, REF, []) },
    { name: 'apply', write: (writer) => writer.apply(GADGET, aGadget(), { manager: 'm' }) },
    { name: 'merge', write: merge },
    { name: 'remove', write: (writer) => writer.remove(GADGET, REF) },
  ]

  it.each(writes)('$name does not leave when the leader lost the Lease meanwhile', async ({ write }) => {
    await refusedFor12s(write, cutOff)
  })
  it.each(writes)('$name does not leave when the leader was stopped meanwhile', async ({ write }) => {
    await refusedFor12s(write, stopped)
  })

  async function refusedFor12s(write: (writer: ClusterWriter) => Promise<unknown>, happens: (to: Elector) => void) {
    const end = endOf(write(guarded()))
    const call = await server.next()
    happens(leader)
    call.status(429, 'TooManyRequests', {}, SLOW)
    await electors.time.waitFor(12_000)
    const again = recorded()
    await electors.pass(12_100)
    expect([await end, again]).toEqual([NOT_LEADING, []])
  }

  it.each([
    { name: 'the leader renews its Lease', leadership: () => leader.election, happens: renewing },
    { name: 'there is no election', leadership: () => ALWAYS, happens: cutOff },
  ])('leaves when $name', async ({ leadership, happens }) => {
    const end = endOf(merge(guarded(leadership())))
    const call = await server.next()
    happens(leader)
    call.status(429, 'TooManyRequests', {}, SLOW)
    await electors.time.waitFor(12_000)
    const again = recorded()
    await electors.pass(12_100)
    expect([await end, again.length]).toEqual([STORED, 1])
  })

  it('does not leave in the next term of the same leader either', async () => {
    const end = endOf(merge(guarded()))
    const call = await server.next()
    cutOff(leader)
    call.status(429, 'TooManyRequests', {}, SLOW)
    await electors.time.waitFor(12_000)
    const again = recorded()
    await electors.pass(10_500)
    leader.machine.way = () => ({ there: 0, back: 0 })
    await electors.pass(1_400)
    expect(leader.election.mayWrite()).toBe(true)
    await electors.pass(200)
    expect([await end, again]).toEqual([NOT_LEADING, []])
  })
})

describe('WR-2 RL-7 when the fence closes', () => {
  it('a write that waits for a turn of the connection does not leave', async () => {
    const slow = [connection.request('GET', '/a'), connection.request('GET', '/b')].map(endOf)
    await Promise.all([server.next(), server.next()])
    const end = endOf(merge(guarded()))
    await electors.time.waitFor(50) // in the queue, which would widen then
    const left = recorded()
    await leader.election.stop()
    expect([await end, left]).toEqual([NOT_LEADING, []])
    connection.stop()
    await Promise.all(slow)
  })

  it('a write that is on its way is given up, and not sent again', async () => {
    const end = endOf(merge(guarded()))
    const call = await server.next()
    const left = recorded()
    cutOff(leader)
    await electors.pass(10_000)
    expect([await end, left]).toEqual([NOT_LEADING, []])
    await call.closed
  })
})
