import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../../src/cluster/port.ts'
import type { Key } from '../../../src/reconcile/controller.ts'
import type { Leadership } from '../../../src/reconcile/leadership.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { type Beside, NOTE, noteController, noteOn } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { rested, working } from '../../support/working.ts'

const named = (name: string) => ({ ...aGadget(), metadata: { namespace: 'demo', name } })
const KEY = { namespace: 'demo', name: 'g' }

class ToyLeadership implements Leadership {
  readonly identity = 'toy'
  readonly term = new AbortController().signal
  leads = false
  isFenced = false
  #tell: (leads: boolean) => void = () => undefined

  mayWrite = () => this.leads && !this.isFenced
  onChange(tell: (leads: boolean) => void): void {
    this.#tell = tell
    tell(this.leads)
  }
  set(leads: boolean): void {
    this.leads = leads
    this.#tell(leads)
  }
}

describe('WR-2, NC-REC-02 a worker works while it leads', () => {
  it('NC-WCH-11 and not before: its caches are warm, and to begin is a full pass', async () => {
    const leadership = new ToyLeadership()
    const memory = clusterOf(named('a'), named('b'))
    const { worker, happened, metrics } = working([noteController()], { memory, leadership })
    expect(await happened()).toEqual([])
    expect(worker.isListed).toBe(true)
    expect(await metrics()).toContain('tars_worker_leader 0')
    await memory.merge(GADGET, { ...KEY, name: 'a' }, { spec: { count: 4 } })
    expect(await happened()).toEqual([])
    leadership.set(true)
    expect((await happened()).slice(0, 2)).toEqual(['note a done', 'note b done'])
    expect(await metrics()).toContain('tars_worker_leader 1')
  })

  it('and no more when it has lost it, until it leads again', async () => {
    const leadership = new ToyLeadership()
    const memory = clusterOf(named('a'))
    const plan = () => ({ actions: [], againInMs: 1_000 })
    const { happened, passed } = working([noteController({ plan })], { memory, leadership })
    leadership.set(true)
    await happened()
    leadership.set(false)
    await memory.create(GADGET, named('b'))
    expect(await passed(600_000)).toEqual([])
    leadership.set(true)
    expect(await happened()).toEqual(['note a done', 'note b done'])
  })

  it('and the fence is asked before each write', async () => {
    const leadership = new ToyLeadership()
    const memory = clusterOf(named('a'))
    const plan = ({ gadget }: Beside) => {
      leadership.isFenced = true
      return { actions: [noteOn(gadget)] }
    }
    const { happened, passed } = working([noteController({ plan })], { memory, leadership })
    leadership.set(true)
    expect(await happened()).toEqual(['note a failed'])
    expect(await passed(10_000)).not.toContain('note a done')
    expect(await memory.list(NOTE, { namespace: '' })).toEqual([])
  })
})

describe('WR-1 writes have one budget', () => {
  const hundred = () => clusterOf(...Array.from({ length: 100 }, (_, each) => named(`g${each}`)))

  it('sixteen are in flight at most', async () => {
    const memory = hundred()
    const waiting: (() => void)[] = []
    const changed = (cluster: Cluster): Partial<Cluster> => ({
      writer: {
        ...cluster.writer,
        async create(of, object) {
          const { promise, resolve } = Promise.withResolvers<void>()
          waiting.push(resolve)
          await promise
          return memory.create(of, object)
        },
      },
    })
    const controllers = ['one', 'two'].map((name) => noteController({ name }))
    const { happened } = working(controllers, { memory, changed })
    await happened()
    expect(waiting).toHaveLength(16)
    waiting.splice(0, 3).map((end) => end())
    await happened()
    expect(waiting).toHaveLength(16)
  })

  it('and so many begin in a second', async () => {
    const memory = hundred()
    const { happened, passed } = working([noteController()], { memory, writesPerSecond: 50 })
    const there = async () => (await memory.list(NOTE, { namespace: '' })).length
    await happened()
    expect(await there()).toBe(5)
    for (let ms = 0; ms < 1_000; ms += 20) await passed(20)
    expect(await there()).toBe(55)
  })
})

describe('at the end', () => {
  const holding = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let aborted = false
    const observe = async (key: Key, { cached }: { cached: Cluster['readers']['cached'] }) => {
      await promise
      const gadget = await cached.get(GADGET, key)
      return gadget && { gadget, note: undefined }
    }
    return {
      controller: noteController({ observe }),
      end: resolve,
      isAborted: () => aborted,
      abort: () => (aborted = true),
    }
  }

  it('the turns in flight are finished, and none begins', async () => {
    const memory = clusterOf(named('a'))
    const { controller, end } = holding()
    const { worker, happened } = working([controller], { memory })
    await rested()
    const stopped = worker.stop(5_000)
    await memory.create(GADGET, named('b'))
    end()
    await stopped
    expect(await happened()).toEqual(['note a done'])
    expect(await memory.list(NOTE, { namespace: '' })).toHaveLength(1)
  })

  it('for some time: then it ends without them, and no timer is left', async () => {
    const memory = clusterOf(named('a'))
    const { worker, clock } = working([holding().controller], { memory })
    await rested()
    const stopped = worker.stop(5_000)
    clock.advance(5_000)
    await stopped
    expect(clock.waiting).toBe(0)
  })
})

describe('WK-3, NC-REC-02 one key never runs twice at once, and no wake is lost', () => {
  const steps = fc.array(
    fc.record({ name: fc.constantFrom('a', 'b', 'c'), pauseMs: fc.constantFrom(0, 0, 1, 5, 40) }),
    {
      maxLength: 40,
    },
  )
  const lengths = fc.infiniteStream(fc.constantFrom(0, 1, 3, 20))

  it('whatever the order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, lengths, fc.boolean(), async (events, takes, gathers) => {
        const memory = clusterOf(...['a', 'b', 'c'].map(named))
        const running = new Set<string>()
        const last = new Map<string, number>()
        const controller = noteController({
          async observe(key, { cached }) {
            expect(running.has(key.name)).toBe(false)
            running.add(key.name)
            const gadget = await cached.get(GADGET, key)
            last.set(key.name, Number(gadget?.spec?.levels?.at ?? 0))
            const [ms = 0] = [...takes.take(1)]
            const { promise, resolve } = Promise.withResolvers<void>()
            clock.after(ms, resolve)
            await promise
            running.delete(key.name)
            return undefined
          },
          watches: [],
        })
        const [own, ...others] = controller.watches
        const gather = { quietMs: 10, atMostMs: 25 }
        const watches = own === undefined ? [] : [gathers ? { ...own, gather } : own, ...others]
        const { clock, passed } = working([{ ...controller, watches }], { memory })
        const sent = new Map<string, number>()
        for (const [at, { name, pauseMs }] of events.entries()) {
          await memory.merge(GADGET, { ...KEY, name }, { spec: { levels: { at: at + 1 } } })
          sent.set(name, at + 1)
          if (pauseMs > 0) await passed(pauseMs)
        }
        for (let round = 0; round < 12; round += 1) await passed(20)
        for (const [name, at] of sent) expect(last.get(name)).toBe(at)
      }),
      { numRuns: 60 },
    )
  })
})
