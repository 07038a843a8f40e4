import { describe, expect, it } from 'vitest'
import type { MemoryCluster } from '../../../src/cluster/memory/memory-cluster.ts'
import { Fault } from '../../../src/faults.ts'
import { LEASE, type LeaseClient } from '../../../src/reconcile/lease-record.ts'
import { refuseUpstream } from '../../../src/reconcile/upstream.ts'
import type { Tree } from '../../../src/schema.ts'
import { clusterOf } from '../../support/clusters.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { notes } from '../../support/notes.ts'

const namespace = 'tars-system'
const lease = (name: string, spec: unknown) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace, name },
  spec,
})
const HELD = { holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime: '2026-11-19T00:00:00.000000Z' }

interface Change {
  readonly atMs: number
  readonly name?: string
  readonly spec: Tree
}
/** What it ended with, and when; `changes` happen meanwhile. */
async function looked(
  cluster: MemoryCluster,
  changes: readonly Change[] = [],
  client: LeaseClient['reader'] = cluster,
) {
  const [clock, log, { signal }] = [new ManualClock(), notes(), new AbortController()]
  let end: string | undefined
  const ended = (word: string) => {
    end = `${word} after ${clock.tick()}`
  }
  void refuseUpstream({ client: { reader: client }, clock, log, signal }).then(
    () => ended('may start'),
    (fault: unknown) => ended(fault instanceof Fault ? `${fault.code} ${fault.message}` : 'broken'),
  )
  for (let at = 0; at <= 20_000 && end === undefined; at += 500) {
    for (const { atMs, name = 'tarscontroller', spec } of changes)
      if (atMs === at) await cluster.merge(LEASE, { namespace, name }, { spec })
    await new Promise(setImmediate)
    clock.advance(500)
    await new Promise(setImmediate)
  }
  return { end, log }
}

const later = { renewTime: '2026-11-19T00:00:10.000000Z' }

describe('WK-1 the worker starts beside no live upstream controller', () => {
  it.each([
    { name: 'without a Lease it starts at once', there: [], end: 'may start after 0' },
    {
      name: 'one that lies still is waited for as long as it lasts',
      there: [lease('tarscontroller', HELD)],
      end: 'may start after 15000',
    },
    {
      name: 'a short one for a short time',
      there: [lease('tarscontroller', { ...HELD, leaseDurationSeconds: 2 })],
      end: 'may start after 2000',
    },
    {
      name: 'one of no sense for 15 s',
      there: [lease('tars-controller-manger', { holderIdentity: 7, leaseDurationSeconds: 'x', renewTime: {} })],
      end: 'may start after 15000',
    },
    {
      name: 'one of an endless duration for 15 s',
      there: [lease('tarscontroller', { ...HELD, leaseDurationSeconds: 2_147_483_647 })],
      end: 'may start after 15000',
    },
    {
      name: 'one that is released while we look is not live',
      there: [lease('tarscontroller', HELD)],
      changes: [{ atMs: 3_000, spec: { ...later, holderIdentity: '' } }],
      end: 'may start after 15000',
    },
  ])('$name', async ({ there, changes = [], end }) => {
    expect((await looked(clusterOf(...there), changes)).end).toBe(end)
  })

  it.each(['tarscontroller', 'tars-controller-manger'])('a live one is named, with the remedy: %s', async (name) => {
    const { end } = await looked(clusterOf(lease(name, HELD)), [{ atMs: 14_000, name, spec: later }])
    expect(end).toBe(
      `UPSTREAM_RUNS the upstream controller is running: Lease ${name} in namespace tars-system is being renewed by ` +
        '"pod-1"; scale its Deployment to 0 first, or start with --beside-upstream after 15000',
    )
  })

  it('a holder of any length and content makes no long message', async () => {
    const holderIdentity = `"\n${'x'.repeat(100_000)}`
    const there = clusterOf(lease('tarscontroller', { ...HELD, holderIdentity }))
    const { end = '' } = await looked(there, [{ atMs: 1_000, spec: later }])
    expect([end.length < 600, end.includes('\n')]).toEqual([true, false])
  })

  it('without an answer it goes on asking, and says so', async () => {
    let calls = 0
    const cluster = clusterOf()
    const get: LeaseClient['reader']['get'] = (of, ref) =>
      calls++ < 4 ? Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'no answer')) : cluster.get(of, ref)
    const { end, log } = await looked(cluster, [], { get })
    expect([end, log.lines.length]).toEqual(['may start after 4000', 4])
  })
})
