import { describe, expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import type { Notice } from '../../../src/reconcile/action.ts'
import { eventsTo } from '../../../src/reconcile/events.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { clusterOf, NOW } from '../../support/clusters.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { rested } from '../../support/working.ts'

const about = { of: GADGET, ref: { namespace: 'demo', name: 'g' }, uid: 'u' }
const NOTICE = { type: 'Warning', reason: 'OutControl', message: 'Note g is of another owner', about } as const

function telling(write?: () => Promise<never>, more: Partial<Parameters<typeof eventsTo>[0]> = {}) {
  const clock = new ManualClock(new Date(NOW))
  const cluster = clusterOf()
  const written: Built[] = []
  const writer: Parameters<typeof eventsTo>[0]['writer'] = {
    create: async (of, object) => {
      written.push(object)
      return write === undefined ? cluster.create(of, object) : write()
    },
  }
  let count = 0
  const unique = () => String(++count).padStart(16, '0')
  return { clock, written, tell: eventsTo({ writer, clock, identity: 'pod_1', unique, ...more }) }
}

describe('WK-7, WR-6 a notice becomes an event', () => {
  it('of core/v1, beside its object', () => {
    const { tell, written } = telling()
    tell(NOTICE)
    expect(written).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace: 'demo', name: 'g.0000000000000001' },
        involvedObject: { apiVersion: 'test.tars.io/v1', kind: 'Gadget', namespace: 'demo', name: 'g', uid: 'u' },
        type: 'Warning',
        reason: 'OutControl',
        message: 'Note g is of another owner',
        source: { component: 'tars-controller' },
        reportingComponent: 'tars-controller',
        reportingInstance: 'pod_1',
        firstTimestamp: NOW,
        lastTimestamp: NOW,
        count: 1,
      },
    ])
  })

  it('from another component than the worker, if it says so', () => {
    const { tell, written } = telling(undefined, { source: 'tars-webhook' })
    tell(NOTICE)
    expect(written).toMatchObject([
      { source: { component: 'tars-webhook' }, reportingComponent: 'tars-webhook', reportingInstance: 'pod_1' },
    ])
  })

  it('in namespace default if its object has none, and of a core kind', () => {
    const { tell, written } = telling()
    const of = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' } as const
    tell({ ...NOTICE, about: { of, ref: { namespace: '', name: 'n' }, uid: 'u' } })
    expect(written).toMatchObject([
      { metadata: { namespace: 'default' }, involvedObject: { apiVersion: 'v1', kind: 'Node', namespace: 'default' } },
    ])
  })

  it.each([
    { name: 'a message of 1,024 characters stays', message: '的'.repeat(1_024), length: 1_024 },
    { name: 'a longer one is cut', message: 'x'.repeat(3_000_000), length: 1_024 },
    { name: 'between characters', message: `x${'𝒳'.repeat(2_000)}`, length: 1_024 },
  ])('$name', ({ message, length }) => {
    const { tell, written } = telling()
    tell({ ...NOTICE, message })
    const said = String(written[0]?.message)
    expect([...said]).toHaveLength(length)
    expect(said.isWellFormed()).toBe(true)
    expect(message.startsWith(said)).toBe(true)
  })

  it('whose name is one, however long that of its object', () => {
    const { tell, written } = telling()
    tell({ ...NOTICE, about: { ...about, ref: { namespace: 'demo', name: `${'a'.repeat(199)}.${'b'.repeat(53)}` } } })
    expect(written[0]?.metadata.name).toBe(`${'a'.repeat(199)}.0000000000000001`)
  })
})

describe('WR-6 events are rare', () => {
  it.each<{ name: string; second: Partial<Notice>; afterMs: number; events: number }>([
    { name: 'the same within a minute', second: { message: 'again' }, afterMs: 59_999, events: 1 },
    { name: 'the same after a minute', second: {}, afterMs: 60_000, events: 2 },
    { name: 'another reason', second: { reason: 'GetError' }, afterMs: 0, events: 2 },
    { name: 'another object of that name', second: { about: { ...about, uid: 'v' } }, afterMs: 0, events: 2 },
  ])('$name: $events', ({ second, afterMs, events }) => {
    const { clock, tell, written } = telling()
    tell(NOTICE)
    clock.advance(afterMs)
    tell({ ...NOTICE, ...second, about: second.about ?? about })
    expect(written).toHaveLength(events)
  })

  it('one that was not written may come again, and fails nothing', async () => {
    const { tell, written } = telling(() => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'no answer')))
    tell(NOTICE)
    tell(NOTICE)
    await rested()
    tell(NOTICE)
    expect(written).toHaveLength(2)
  })

  it('at most 1,000 wait to be written, and one for which there is no room may come again', async () => {
    const { tell, written } = telling()
    const isTaken = Array.from({ length: 1_002 }, (_, each) => tell({ ...NOTICE, reason: `Reason${each}` }))
    expect({ taken: isTaken.filter(Boolean).length, written: written.length }).toEqual({ taken: 1_000, written: 1_000 })
    await rested()
    expect(tell({ ...NOTICE, reason: 'Reason1001' })).toBe(true)
    expect(written).toHaveLength(1_001)
  })

  it('what is remembered is bounded: the oldest may come again first', async () => {
    const { tell, written } = telling()
    for (let each = 0; each <= 4_096; each += 1) {
      tell({ ...NOTICE, about: { ...about, uid: String(each) } })
      if (each % 64 === 63) await rested()
    }
    await rested()
    written.splice(0)
    for (const uid of ['1', '0']) tell({ ...NOTICE, about: { ...about, uid } })
    expect(written.map(({ involvedObject }) => involvedObject)).toMatchObject([{ uid: '0' }])
  })
})
