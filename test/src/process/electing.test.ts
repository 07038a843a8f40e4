import { describe, expect, it } from 'vitest'
import { type ElectingParts, electing } from '../../../src/process/electing.ts'
import { LEASE, leaseAt } from '../../../src/reconcile/lease-record.ts'
import { clusterOf } from '../../support/clusters.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { notes } from '../../support/notes.ts'

type ElectingConfig = ElectingParts['config']
const USUAL: ElectingConfig = { namespace: 'home', namespaces: [], leaderElect: true, besideUpstream: false }
const UPSTREAM = { namespace: 'tars-system', name: 'tarscontroller' }
const upstream = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: UPSTREAM,
  spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 1, renewTime: '2026-11-19T00:00:00.000000Z' },
}

function part(config: Partial<ElectingConfig> = {}, cluster = clusterOf()) {
  const clock = new ManualClock()
  const client = { reader: cluster, writer: cluster }
  const made = electing({ config: { ...USUAL, ...config }, client, log: notes(), clock })
  const holder = async (name: string) => (await leaseAt({ namespace: 'home', name }, client))?.spec
  return { ...made, clock, cluster, holder, opened: new AsyncDisposableStack() }
}
const settled = () => new Promise(setImmediate)

describe('WR-2 the election of a worker', () => {
  it.each([
    { namespaces: [], name: 'tars-admission-worker' },
    { namespaces: ['b', 'a'], name: 'tars-admission-worker-1eb7c54d' },
  ])('holds Lease $name while it runs, and releases it', async ({ namespaces, name }) => {
    const { start, leadership, opened, holder } = part({ namespaces })
    await start(opened)
    await settled()
    expect(leadership.mayWrite()).toBe(true)
    expect(await holder(name)).toMatchObject({ holderIdentity: leadership.identity })
    await opened.disposeAsync()
    expect([leadership.mayWrite(), await holder(name)]).toMatchObject([false, { holderIdentity: '' }])
  })

  it('there is none with --leader-elect=false: it always leads, under a name all the same', async () => {
    const { start, leadership, opened, holder } = part({ leaderElect: false })
    await start(opened)
    expect(leadership.identity).toMatch(/^\S+_[-0-9a-f]{36}$/)
    expect([leadership.mayWrite(), await holder('tars-admission-worker')]).toEqual([true, undefined])
    await opened.disposeAsync()
  })
})

describe('WK-1 beside a live upstream controller', () => {
  const renewed = { spec: { renewTime: '2026-11-19T00:00:01.000000Z' } }

  it('a worker does not start, and leads nothing', async () => {
    const { start, leadership, opened, clock, cluster } = part({}, clusterOf(upstream))
    const failed = expect(start(opened)).rejects.toMatchObject({ code: 'UPSTREAM_RUNS' })
    await settled()
    await cluster.merge(LEASE, UPSTREAM, renewed)
    clock.advance(1_000)
    await failed
    expect(leadership.mayWrite()).toBe(false)
    await opened.disposeAsync()
  })

  it('it starts at once with --beside-upstream', async () => {
    const { start, opened, leadership } = part({ besideUpstream: true }, clusterOf(upstream))
    await start(opened)
    await settled()
    expect(leadership.mayWrite()).toBe(true)
    await opened.disposeAsync()
  })

  it('one that is stopped while it looks ends at once, and never leads', async () => {
    const { start, leadership, opened } = part({}, clusterOf(upstream))
    const started = start(opened)
    await settled()
    await opened.disposeAsync()
    await expect(started).rejects.toThrow('about to end')
    expect(leadership.mayWrite()).toBe(false)
  })
})
