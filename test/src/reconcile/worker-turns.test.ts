import { describe, expect, it } from 'vitest'
import type { MemoryCluster } from '../../../src/cluster/memory/memory-cluster.ts'
import { type Built, type Cluster, type ClusterReader, Refused, type Sink } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import type { Action } from '../../../src/reconcile/action.ts'
import type { Plan } from '../../../src/reconcile/controller.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { type Beside, NOTE, noteController, noteOn } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { working } from '../../support/working.ts'

const KEY = { namespace: 'demo', name: 'g' }
const named = (name: string) => ({ ...aGadget(), metadata: { namespace: 'demo', name } })
const refusal = (code: number, retryAfterSeconds?: number) =>
  new Refused({
    status: 'Failure',
    code,
    reason: 'Forbidden',
    message: 'no',
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  })

/** The events of notes come when the test lets them. */
function lagging() {
  const late: (() => void)[] = []
  const changed = ({ watcher }: Cluster): Partial<Cluster> => ({
    watcher: {
      follow: (...asked) => watcher.follow(...asked),
      watch: (of, keeps, sink) => watcher.watch(of, keeps, of === NOTE ? lateSink(sink) : sink),
    },
  })
  const lateSink = (sink: Sink): Sink => ({
    begin: () => sink.begin(),
    add: (objects) => sink.add(objects),
    done: () => sink.done(),
    put: (object) => late.push(() => sink.put(object)),
    remove: (object: Built) => late.push(() => sink.remove(object)),
  })
  return { changed, catchUp: () => late.splice(0).map((tell) => tell()) }
}

describe('the next turn of a key waits until its caches hold what its last turn wrote', () => {
  const writing = (memory: MemoryCluster) => {
    const { changed, catchUp } = lagging()
    const run = working([noteController()], { memory, changed })
    const touch = (count: number) => memory.merge(GADGET, KEY, { spec: { count } })
    return { ...run, catchUp, touch }
  }

  it('whatever wakes it', async () => {
    const { happened, passed, touch, catchUp } = writing(clusterOf(aGadget()))
    expect(await happened()).toEqual(['note g done'])
    await touch(4)
    expect(await passed(4_999)).toEqual([])
    catchUp()
    expect(await happened()).toEqual(['note g done'])
    await touch(5)
    expect(await happened()).toEqual(['note g done'])
  })

  it('for 5 s at most', async () => {
    const { happened, passed, touch } = writing(clusterOf(aGadget()))
    await happened()
    await touch(4)
    expect(await passed(5_000)).toEqual(['note g done'])
  })

  it('until a removal shows', async () => {
    const memory = clusterOf(aGadget())
    const { changed, catchUp } = lagging()
    const plan = ({ gadget, note }: Beside): Plan => ({
      actions: gadget.spec?.count === 9 && note ? [removal(note)] : [],
    })
    const removal = ({ metadata: { name, uid = '' } }: NonNullable<Beside['note']>) =>
      ({ do: 'remove', of: NOTE, ref: { ...KEY, name }, expects: { uid }, because: 'XX-R3' }) as const
    await memory.create(NOTE, { apiVersion: 'v1', kind: 'Note', metadata: KEY })
    const { happened } = working([noteController({ plan })], { memory, changed })
    await happened()
    await memory.merge(GADGET, KEY, { spec: { count: 9 } })
    expect(await happened()).toEqual(['note g done'])
    await memory.merge(GADGET, KEY, { spec: { count: 8 } })
    expect(await happened()).toEqual([])
    catchUp()
    expect(await happened()).toEqual(['note g done'])
  })
})

it('the write that ends an object holds no key back once the object is gone', async () => {
  const note = { apiVersion: 'v1', kind: 'Note', metadata: { ...KEY, finalizers: ['example.com/kept'] } }
  const memory = clusterOf(aGadget(), note)
  await memory.remove(NOTE, KEY)
  const plan = ({ gadget, note }: Beside): Plan => ({
    actions: gadget.spec?.count === 9 && note ? [freed(note)] : [],
  })
  const freed = ({ metadata: { name, uid = '' } }: NonNullable<Beside['note']>): Action => {
    const patch = { metadata: { finalizers: [] } }
    return { do: 'merge', of: NOTE, ref: { ...KEY, name }, expects: { uid }, patch, because: 'XX-R3' }
  }
  const { happened } = working([noteController({ plan })], { memory })
  await happened()
  await memory.merge(GADGET, KEY, { spec: { count: 9 } })
  expect(await happened()).toEqual(['note g done'])
  expect(await memory.get(NOTE, KEY)).toBeUndefined()
  await memory.merge(GADGET, KEY, { spec: { count: 8 } })
  expect(await happened()).toEqual(['note g done'])
})

describe('WK-12 what another write overtook is observed once more, with live reads', () => {
  it('at once, and what the caches do not keep is seen', async () => {
    const memory = clusterOf(aGadget(), { apiVersion: 'v1', kind: 'Note', metadata: KEY })
    const changed = (cluster: Cluster): Partial<Cluster> => ({
      cachedFor: (needs) => {
        const cached = cluster.cachedFor(needs)
        const get: ClusterReader['get'] = async (of, ref) => (of.kind === 'Note' ? undefined : cached.get(of, ref))
        return { ...cached, get }
      },
    })
    const { happened, passed } = working([noteController()], { memory, changed })
    expect(await happened()).toEqual(['note g overtaken', 'note g done'])
    expect(await passed(1_000)).toEqual([])
  })

  it('and comes back after its backoff when it is overtaken again', async () => {
    const plan = ({ gadget }: Beside): Plan => ({ actions: [noteOn(gadget)] })
    const memory = clusterOf(aGadget(), { apiVersion: 'v1', kind: 'Note', metadata: KEY })
    const { happened, passed } = working([noteController({ plan })], { memory })
    expect(await happened()).toEqual(['note g overtaken', 'note g overtaken'])
    expect(await passed(4)).toEqual([])
    expect(await passed(1)).toHaveLength(2)
  })
})

describe('what fails comes back after its backoff', () => {
  const failing =
    (cause: Error) =>
    (cluster: Cluster): Partial<Cluster> => ({
      writer: { ...cluster.writer, create: () => Promise.reject(cause) },
    })

  it.each([
    { name: 'a write that failed', cause: new Fault('CLUSTER_UNREACHABLE', 'no answer'), result: 'failed' },
    { name: 'a write that was refused', cause: refusal(403), result: 'refused' },
  ])('$name', async ({ cause, result }) => {
    const { happened, passed } = working([noteController()], { memory: clusterOf(aGadget()), changed: failing(cause) })
    expect(await happened()).toEqual([`note g ${result}`])
    expect(await passed(4)).toEqual([])
    expect(await passed(1)).toEqual([`note g ${result}`])
    expect(await passed(9)).toEqual([])
  })

  it.each([
    { name: 'a refusal is an event in the words of the API server', cause: refusal(403), reasons: ['SyncFailed'] },
    { name: 'a failure is logged once a minute', cause: new Fault('CLUSTER_UNREACHABLE', 'no answer'), reasons: [] },
  ])('WK-7 $name', async ({ cause, reasons }) => {
    const { happened, passed, notices, lines } = working([noteController()], {
      memory: clusterOf(aGadget()),
      changed: failing(cause),
    })
    await happened()
    expect(notices.map(({ reason }) => reason)).toEqual(reasons)
    expect(notices.every(({ message }) => message === `Note: ${cause.message}`)).toBe(true)
    await passed(59_000)
    expect(lines.filter((line) => line.includes('a write has failed'))).toHaveLength(reasons.length === 0 ? 1 : 0)
  })

  it('or at the time that the API server names, which is no attempt', async () => {
    const attempts: number[] = []
    const cause = new Fault('CLUSTER_UNREACHABLE', 'busy', { cause: refusal(429, 3), retryAfterMs: 3_000 })
    const plan = ({ gadget }: Beside, { attempt }: { attempt: number }) => {
      attempts.push(attempt)
      return { actions: [noteOn(gadget)] }
    }
    const { happened, passed } = working([noteController({ plan })], {
      memory: clusterOf(aGadget()),
      changed: failing(cause),
    })
    await happened()
    expect(await passed(2_999)).toEqual([])
    expect(await passed(1)).toEqual(['note g failed'])
    expect(attempts).toEqual([0, 0])
  })

  it('a look-up that failed is a GetError (WK-7)', async () => {
    const observe = () =>
      Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'cannot get notes demo/g: the API server answers 500'))
    const { happened, notices } = working([noteController({ observe })], { memory: clusterOf(aGadget()) })
    expect(await happened()).toEqual(['note g thrown'])
    expect(notices).toMatchObject([
      {
        type: 'Warning',
        reason: 'GetError',
        message: 'cannot get notes demo/g: the API server answers 500',
        about: { ref: KEY },
      },
    ])
  })
})

describe('TS-R7 after a DELETED event the object of the key is read live', () => {
  it.each([
    { name: 'once', isThere: true, reads: 1 },
    { name: 'and what is gone makes nothing', isThere: false, reads: 1 },
  ])('$name', async ({ isThere, reads }) => {
    const memory = clusterOf(named('g'))
    const live: string[] = []
    const stale = await memory.get(GADGET, KEY)
    const changed = (cluster: Cluster): Partial<Cluster> => ({
      cachedFor: (needs) => {
        const cached = cluster.cachedFor(needs)
        return {
          ...cached,
          list: cached.list,
          get: async (of, ref) =>
            (await cached.get(of, ref)) ?? (of.isDraft(stale) && of.kind === 'Gadget' ? stale : undefined),
        }
      },
      readers: {
        ...cluster.readers,
        live: {
          ...cluster.readers.live,
          get(of, ref) {
            live.push(`${of.kind} ${ref.name}`)
            return memory.get(of, ref)
          },
        },
      },
    })
    const { happened } = working([noteController()], { memory, changed })
    await happened()
    expect(live).toEqual([])
    await memory.remove(isThere ? NOTE : GADGET, KEY) // with its note
    const turns = await happened()
    expect(live).toEqual(Array.from({ length: reads }, () => 'Gadget g'))
    expect(turns.at(-1)).toBe(isThere ? 'note g done' : 'note g gone')
    expect((await memory.get(NOTE, KEY)) !== undefined).toBe(isThere)
  })
})
