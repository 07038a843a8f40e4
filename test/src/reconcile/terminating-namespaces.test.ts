import { describe, expect, it } from 'vitest'
import type { Cluster, ClusterWriter } from '../../../src/cluster/port.ts'
import { Refused } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import { guardedWriter } from '../../../src/reconcile/calls.ts'
import { TerminatingNamespaces } from '../../../src/reconcile/terminating-namespaces.ts'
import { WriteBudget } from '../../../src/reconcile/write-budget.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { NOTE, noteController } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { working } from '../../support/working.ts'

const refusal = (reason = 'NamespaceTerminating') =>
  new Refused({
    ...{ status: 'Failure', code: 403, reason: 'Forbidden', message: 'notes "g" is forbidden' },
    details: { causes: [{ reason, message: 'namespace demo is being terminated', field: 'metadata.namespace' }] },
  })
const gadgetIn = (namespace: string, name: string) => ({ ...aGadget(), metadata: { namespace, name } })

/** A worker with gadgets, some of them in a namespace that is terminating until it is created again. */
function terminating(...gadgets: readonly ReturnType<typeof gadgetIn>[]) {
  const memory = clusterOf(...gadgets)
  const refused: string[] = []
  let cause: Refused | undefined = refusal()
  const changed = ({ writer }: Cluster): Partial<Cluster> => ({
    writer: {
      ...writer,
      create(of, object, options) {
        if (cause === undefined || object.metadata.namespace !== 'demo') return writer.create(of, object, options)
        refused.push(object.metadata.name)
        return Promise.reject(cause)
      },
    },
  })
  const run = working([noteController()], { memory, changed })
  const touch = (name: string) => memory.merge(GADGET, { namespace: 'demo', name }, { spec: { count: 4 } })
  const answer = (next: Refused | undefined) => {
    cause = next
  }
  const notes = async () => (await memory.list(NOTE, { namespace: '' })).map(({ metadata: { name } }) => name)
  return { ...run, refused, touch, answer, notes }
}

describe('WK-11 in a namespace that is terminating', () => {
  it('a write that is refused is settled: no event, no retry', async () => {
    const { happened, passed, notices, refused } = terminating(gadgetIn('demo', 'g'))
    expect(await happened()).toEqual(['note g done'])
    expect(await passed(300_000)).toEqual([])
    expect(refused).toEqual(['g'])
    expect(notices).toEqual([])
  })

  const HUNDRED = Array.from({ length: 100 }, (_, i) => gadgetIn('demo', `g${i}`))

  it('what was in flight is refused, and then one write each 5 s, whatever wakes the keys', async () => {
    const { happened, passed, notices, refused, touch, metrics } = terminating(...HUNDRED)
    await happened()
    expect(refused.splice(0).length).toBeLessThanOrEqual(16)
    await touch('g99')
    expect(await passed(4_999)).toEqual(['note g99 done'])
    expect(refused).toEqual([])
    expect((await passed(1)).length).toBeGreaterThan(80)
    expect(refused).toHaveLength(1)
    await passed(4_999)
    expect(refused).toHaveLength(1)
    expect(notices).toEqual([])
    expect(await metrics()).toMatch(/resource="notes",code="403"} (\d|1[0-7])\n/)
  })

  it('what was not tried comes again, since the next namespace of that name may want it', async () => {
    const { happened, passed, touch, answer, notes } = terminating(gadgetIn('demo', 'g'))
    await happened()
    answer(undefined)
    await touch('g')
    expect(await happened()).toEqual(['note g done'])
    expect(await passed(4_999)).toEqual([])
    expect(await notes()).toEqual([])
    expect(await passed(1)).toContain('note g done')
    expect(await notes()).toEqual(['g'])
  })

  it('all of them come, a second after the first one', async () => {
    const { happened, passed, answer, notes } = terminating(...HUNDRED)
    await happened()
    answer(undefined)
    await passed(5_000)
    expect((await notes()).length).toBeGreaterThan(0)
    await passed(1_000)
    expect((await notes()).length).toBeGreaterThan(80)
  })

  it('other namespaces go on', async () => {
    const { happened, notes } = terminating(gadgetIn('demo', 'g'), gadgetIn('other', 'h'))
    await happened()
    expect(await notes()).toEqual(['h'])
  })

  it('and another refusal holds nothing up', async () => {
    const { happened, passed, answer, notes } = terminating(gadgetIn('demo', 'g'), gadgetIn('demo', 'h'))
    answer(refusal('FieldValueForbidden'))
    await happened()
    answer(undefined)
    await passed(5)
    expect(await notes()).toEqual(['g', 'h'])
  })
})

describe('WK-11 while a namespace is known to be terminating', () => {
  const metadata = { namespace: 'demo', name: 'g', uid: 'u' }
  const ref = { namespace: 'demo', name: 'g' }
  const over = (resourceVersion: string) => ({ metadata: { ...metadata, resourceVersion } })
  const WRITES: Readonly<Record<string, (writer: ClusterWriter) => Promise<unknown>>> = {
    create: (writer) => writer.create(NOTE, { metadata }),
    'apply of an absent object': (writer) => writer.apply(NOTE, over('1'), { manager: 'm' }),
    'apply of a stored object': (writer) => writer.apply(NOTE, over('7'), { manager: 'm' }),
    merge: (writer) => writer.merge(NOTE, ref, {}),
    patch: (writer) => writer.patch(NOTE, ref, []),
    remove: (writer) => writer.remove(NOTE, ref),
  }

  it.each([
    { write: 'create', isSent: false },
    { write: 'apply of an absent object', isSent: false },
    { write: 'apply of a stored object', isSent: true },
    { write: 'merge', isSent: true },
    { write: 'patch', isSent: true },
    { write: 'remove', isSent: true },
  ])('$write is sent: $isSent', async ({ write, isSent }) => {
    let sent = 0
    const answering = () => {
      sent += 1
      return Promise.reject(sent === 1 ? refusal() : new Fault('GONE', 'gone'))
    }
    const verbs = { create: answering, apply: answering, replace: answering, merge: answering, patch: answering }
    const clock = new ManualClock()
    const leadership = { mayWrite: () => true, term: new AbortController().signal }
    const guard = { budget: new WriteBudget(clock, { perSecond: 1_000 }), leadership, count: () => undefined, clock }
    const writer = guardedWriter({ ...verbs, remove: answering }, guard)
    await WRITES.create?.(writer).catch(() => undefined)
    await WRITES[write]?.(writer).catch(() => undefined)
    expect(sent).toBe(isSent ? 2 : 1)
  })

  it('a thousand are remembered', async () => {
    const namespaces = new TerminatingNamespaces(new ManualClock())
    const refusing = () => Promise.reject(refusal())
    for (let i = 0; i <= 1_000; i += 1) await expect(namespaces.creating(`n${i}`, refusing)).rejects.toThrow()
    const creating = async () => 'created'
    expect(await namespaces.creating('n0', creating)).toBe('created')
    for (const name of ['n1', 'n1000']) await expect(namespaces.creating(name, creating)).rejects.toThrow(Refused)
  })
})
