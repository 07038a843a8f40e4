import { describe, expect, it } from 'vitest'
import type { Cluster, Sink } from '../../../src/cluster/port.ts'
import type { TwoStates, Watch } from '../../../src/reconcile/controller.ts'
import { all, labelled, owned, referred } from '../../../src/reconcile/watches.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { NOTE, noteController, noteOn } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { working } from '../../support/working.ts'

const KEY = { namespace: 'demo', name: 'g' }
const named = (name: string, spec = {}) => ({ ...aGadget(spec), metadata: { namespace: 'demo', name } })
const TEN_MINUTES = 600_000

describe('WK-5, WR-4 owned objects are watched, and all is looked at every ten minutes', () => {
  it('a start is a full pass', async () => {
    const memory = clusterOf(named('a'), named('b'))
    const { happened } = working([noteController()], { memory })
    expect((await happened()).slice(0, 2)).toEqual(['note a done', 'note b done'])
    expect(await memory.list(NOTE, { namespace: '' })).toHaveLength(2)
  })

  it.each([
    {
      name: 'a change of the object',
      act: (memory: ReturnType<typeof clusterOf>) => memory.merge(GADGET, KEY, { spec: { count: 4 } }),
    },
    {
      name: 'a change of what it owns',
      act: (memory: ReturnType<typeof clusterOf>) => memory.merge(NOTE, KEY, { metadata: { labels: { a: 'b' } } }),
    },
    { name: 'a deletion of what it owns', act: (memory: ReturnType<typeof clusterOf>) => memory.remove(NOTE, KEY) },
  ])('$name wakes its key', async ({ act }) => {
    const memory = clusterOf(aGadget())
    const { happened } = working([noteController()], { memory })
    await happened()
    await act(memory)
    expect(await happened()).toContain('note g done')
    expect(await memory.get(NOTE, KEY)).toBeDefined()
  })

  it('a resync wakes all, and writes nothing where all stands (WR-3)', async () => {
    const memory = clusterOf(named('a'), named('b'))
    const { happened, passed } = working([noteController()], { memory })
    await happened()
    const notes = await memory.list(NOTE, { namespace: '' })
    expect(await passed(TEN_MINUTES - 1)).toEqual([])
    expect(await passed(1)).toEqual(['note a done', 'note b done'])
    expect(await memory.list(NOTE, { namespace: '' })).toEqual(notes)
    expect(await passed(TEN_MINUTES)).toHaveLength(2)
  })

  it('an object that comes back under its name has another turn', async () => {
    const memory = clusterOf(aGadget())
    const seen: (string | undefined)[] = []
    const plan = ({ gadget }: { gadget: { metadata: { uid?: string } } }) => {
      seen.push(gadget.metadata.uid)
      return { actions: [] }
    }
    const { happened } = working([noteController({ plan })], { memory })
    await happened()
    await memory.remove(GADGET, KEY)
    await memory.create(GADGET, aGadget())
    await happened()
    expect(new Set(seen).size).toBe(2)
  })
})

describe('a change wakes the keys of the old state and of the new one', () => {
  const note = (name: string) => ({ apiVersion: 'v1', kind: 'Note', metadata: { namespace: 'demo', name } })
  /** An owner is a note. */
  const referringController = () =>
    noteController({
      refersTo: ({ spec, metadata: { namespace = '' } }) =>
        spec?.owner === undefined ? [] : [{ of: NOTE, key: { namespace, name: spec.owner } }],
      watches: [referred(NOTE)],
      plan: () => ({ actions: [] }),
    })

  it('so that what loses an object looks again', async () => {
    const memory = clusterOf(named('a'), named('b'), {
      apiVersion: 'v1',
      kind: 'Note',
      metadata: { ...KEY, labels: { of: 'a' } },
    })
    const watches = [labelled(NOTE, ({ of }: Readonly<Record<string, string>>) => of)]
    const { happened } = working([noteController({ watches, plan: () => ({ actions: [] }) })], { memory })
    await happened()
    await memory.merge(NOTE, KEY, { metadata: { labels: { of: 'b' } } })
    expect(await happened()).toEqual(['note a done', 'note b done'])
  })

  it('those that refer to it, as long as they do', async () => {
    const memory = clusterOf(named('a', { owner: 'acme' }), named('b'), note('acme'))
    const { happened } = working([referringController()], { memory })
    await happened()
    const touch = (name: string, value: string) =>
      memory.merge(NOTE, { namespace: 'demo', name }, { metadata: { labels: { value } } })
    await touch('acme', '1')
    expect(await happened()).toEqual(['note a done'])
    await memory.create(NOTE, note('other'))
    await memory.merge(GADGET, { namespace: 'demo', name: 'a' }, { spec: { owner: 'other' } })
    await happened()
    await touch('acme', '2')
    expect(await happened()).toEqual([])
    await touch('other', '2')
    expect(await happened()).toEqual(['note a done'])
    await memory.remove(GADGET, { namespace: 'demo', name: 'a' })
    await happened()
    await touch('other', '3')
    expect(await happened()).toEqual([])
  })

  it('NC-WCH-13 those that refer to it, when it comes and when it goes', async () => {
    const memory = clusterOf(named('a', { owner: 'acme' }), named('b'))
    const { happened } = working([referringController()], { memory })
    await happened()
    await memory.create(NOTE, note('acme'))
    expect(await happened()).toEqual(['note a done'])
    await memory.remove(NOTE, { namespace: 'demo', name: 'acme' })
    expect(await happened()).toEqual(['note a done'])
  })

  it('all of a namespace', async () => {
    const memory = clusterOf(named('a'), named('b'), { ...aGadget(), metadata: { namespace: 'far', name: 'c' } })
    const watches = [all(NOTE, ({ metadata: { namespace = '' } }, among) => among.all(namespace))]
    const { happened } = working([noteController({ watches, plan: () => ({ actions: [] }) })], { memory })
    await happened()
    await memory.create(NOTE, { apiVersion: 'v1', kind: 'Note', metadata: KEY })
    expect(await happened()).toEqual(['note a done', 'note b done'])
  })
})

it('a change that means nothing to a controller wakes no key, but a full pass does', async () => {
  const memory = clusterOf(named('a'))
  const teamOf = (state: TwoStates['now']) => state?.metadata.labels?.team
  const isMeant = ({ before, now }: TwoStates) => teamOf(before) !== teamOf(now)
  const { happened, passed } = working([noteController({ isMeant, plan: () => ({ actions: [] }) })], { memory })
  await happened()
  const ref = { namespace: 'demo', name: 'a' }
  await memory.merge(GADGET, ref, { metadata: { labels: { a: 'b' } } })
  expect(await happened()).toEqual([])
  await memory.merge(GADGET, ref, { metadata: { labels: { team: 'edge' } } })
  expect(await happened()).toEqual(['note a done'])
  await memory.remove(GADGET, ref)
  expect(await happened()).toEqual(['note a gone'])
  await memory.create(GADGET, named('b'))
  expect(await happened()).toEqual([])
  expect(await passed(TEN_MINUTES)).toEqual(['note b done'])
})

describe('a watch of many objects, each change of which concerns few', () => {
  it('is asked with both states and the own objects, and in a full pass with one state', async () => {
    const memory = clusterOf(named('a', { owner: 'acme' }), named('b'))
    const heard: unknown[] = []
    const watch: Watch = {
      resource: NOTE,
      keeps: {},
      wakes: () => [],
      wakesOnChange({ before, now }, own) {
        heard.push([before?.metadata.labels, now?.metadata.labels])
        return own().flatMap(({ metadata: { namespace = '', name } }) => (name === 'b' ? [{ namespace, name }] : []))
      },
    }
    const { happened, passed } = working([noteController({ watches: [watch], plan: () => ({ actions: [] }) })], {
      memory,
    })
    await happened()
    await memory.create(NOTE, { apiVersion: 'v1', kind: 'Note', metadata: KEY })
    expect(await happened()).toEqual(['note b done'])
    await memory.merge(NOTE, KEY, { metadata: { labels: { of: 'b' } } })
    expect(await happened()).toEqual(['note b done'])
    await memory.remove(NOTE, KEY)
    expect(await happened()).toEqual(['note b done'])
    await passed(TEN_MINUTES)
    expect(heard).toEqual([
      [undefined, undefined],
      [undefined, { of: 'b' }],
      [{ of: 'b' }, undefined],
    ])
  })
})

describe('a deleted object waits for the next turn of its key (TX-R2)', () => {
  it('which sees it in its last state, again after a failure, and then no more', async () => {
    const memory = clusterOf(aGadget())
    const seen: unknown[][] = []
    const controller = noteController({
      watches: [{ ...owned(NOTE, GADGET), keepsGone: true }],
      observe: async (key, { cached, gone }) => {
        const gadget = await cached.get(GADGET, key)
        seen.push(gone(NOTE).map(({ metadata }) => metadata.labels))
        if (seen.length === 3) throw new Error('not yet')
        return gadget && { gadget, note: undefined }
      },
      plan: () => ({ actions: [] }),
    })
    const { happened, passed } = working([controller], { memory })
    await happened()
    const note = noteOn((await memory.get(GADGET, KEY)) ?? aGadget())
    if (note.do === 'create')
      await memory.create(NOTE, { ...note.object, metadata: { ...note.object.metadata, labels: { a: 'b' } } })
    await happened()
    await memory.remove(NOTE, KEY)
    await happened()
    await passed(5)
    await passed(TEN_MINUTES)
    expect(seen).toEqual([[], [], [{ a: 'b' }], [{ a: 'b' }], []])
  })
})

describe('WR-10 a burst', () => {
  it('of 10,000 events of what belongs to one key is one turn', async () => {
    const memory = clusterOf(aGadget())
    const sinks: Sink[] = []
    const changed = ({ watcher }: Cluster): Partial<Cluster> => ({
      watcher: {
        follow: (...asked) => watcher.follow(...asked),
        watch(of, keeps, sink) {
          if (of === NOTE) sinks.push(sink)
          return watcher.watch(of, keeps, sink)
        },
      },
    })
    const gather = { quietMs: 100, atMostMs: 1_000 }
    const watches = [{ ...labelled(NOTE, ({ of }: Readonly<Record<string, string>>) => of), gather }]
    const { happened, passed } = working([noteController({ watches, plan: () => ({ actions: [] }) })], {
      memory,
      changed,
    })
    await happened()
    for (let each = 0; each < 10_000; each += 1)
      sinks[0]?.put({ metadata: { ...KEY, name: `n${each}`, uid: `${each}`, labels: { of: 'g' } } })
    expect(await passed(99)).toEqual([])
    expect(await passed(1)).toEqual(['note g done'])
    expect(await passed(10_000)).toEqual([])
  })
})

describe('what goes wrong', () => {
  it('a controller that throws is counted and logged once, backs off, and the other keys go on', async () => {
    const memory = clusterOf(named('a'), named('b'))
    const observe = async ({ name }: { readonly name: string }) => {
      if (name === 'a') throw new TypeError('hunter2 is no gadget')
      return undefined
    }
    const { happened, passed, lines, metrics } = working([noteController({ observe })], { memory })
    expect(await happened()).toEqual(['note a thrown', 'note b gone'])
    expect(await passed(4)).toEqual([])
    expect(await passed(1)).toEqual(['note a thrown'])
    expect(await passed(10)).toEqual(['note a thrown'])
    expect(lines).toHaveLength(1)
    expect(lines.join()).not.toContain('hunter2')
    expect(await metrics()).toContain('tars_worker_retries_total{controller="note"} 3')
    expect(await metrics()).toMatch(/reconcile_duration_seconds_count\{controller="note",result="thrown"\} 3/)
  })
})
