import { describe, expect, it } from 'vitest'
import type { Found, KubeObject } from '../../../src/cluster/port.ts'
import { NOTHING_KNOWN } from '../../../src/fact.ts'
import { Fault } from '../../../src/faults.ts'
import type { Action, Performed } from '../../../src/reconcile/action.ts'
import {
  type Around,
  type Controller,
  type ControllerParts,
  defineController,
  type Index,
  type Plan,
} from '../../../src/reconcile/controller.ts'
import { all, labelled, owned, referred } from '../../../src/reconcile/watches.ts'
import { integer } from '../../../src/schema.ts'
import { setting, settingsOf } from '../../../src/setting.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { type Beside, NOTE } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'

const KEY = { namespace: 'demo', name: 'g' }
const AGAIN_MS = setting('againMs', integer({ doc: 'when it looks again', default: 500 }))

/** Keeps a note beside each gadget, and says in the status that there is one. */
const noteParts: ControllerParts<Gadget, Beside> = {
  name: 'note',
  of: GADGET,
  watches: [owned(NOTE, GADGET)],
  writes: [
    { resource: NOTE, verbs: ['create'] },
    { resource: GADGET, subresource: 'status', verbs: ['merge'] },
  ],
  async observe(key, { cached }) {
    const gadget = await cached.get(GADGET, key)
    return gadget && { gadget, note: await cached.get(NOTE, key) }
  },
  plan: ({ gadget, note }) => ({ actions: note === undefined ? [noteOn(gadget)] : [] }),
  conclude: ({ gadget }, results) => ({ actions: results.map(({ outcome }) => phaseOf(gadget, outcome)) }),
}
const noteController = defineController(noteParts)

const noteOn = ({ metadata: { namespace = '', name } }: KubeObject): Action => ({
  do: 'create',
  of: NOTE,
  object: { metadata: { namespace, name } },
  because: 'XX-R1',
})
const phaseOf = ({ metadata }: KubeObject, phase: string): Action => ({
  do: 'merge',
  of: GADGET,
  ref: { namespace: metadata.namespace ?? '', name: metadata.name },
  expects: { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '' },
  subresource: 'status',
  patch: { status: { phase } },
  because: 'XX-R2',
})

/** Switches a lamp of an external system on for each gadget. */
type Switch = { readonly do: 'switch on'; readonly lamp: string; readonly because: string }
const lampController = (lit: Set<string>): Controller =>
  defineController<Gadget, Found<Gadget>, Switch>({
    name: 'lamp',
    of: GADGET,
    refersTo: ({ spec, metadata: { namespace = '' } }) =>
      spec?.maker === undefined ? [] : [{ of: NOTE, key: { namespace, name: spec.maker } }],
    watches: [referred(NOTE)],
    writes: [],
    observe: (key, { live }) => live.get(GADGET, key),
    plan: ({ metadata: { name } }, { settings }): Plan<Switch> => ({
      actions: lit.has(name) ? [] : [{ do: 'switch on', lamp: name, because: 'XX-R3' }],
      notices: [{ type: 'Normal', reason: 'Lit', message: `lamp ${name} is on` }],
      againInMs: settings.get(AGAIN_MS),
    }),
    perform: async ({ lamp }): Promise<Performed> => {
      lit.add(lamp)
      return { outcome: 'done', answer: { lamp } }
    },
  })

/** A turn on a cluster with one gadget. The writes are kept as they were asked for; `answers` are given one by one. */
function around(answers?: readonly Performed['outcome'][]) {
  const cluster = clusterOf(aGadget())
  const given = {
    at: new Date(0),
    attempt: 0,
    profile: 'seed',
    settings: settingsOf({}),
    facts: NOTHING_KNOWN,
  } as const
  const sight = { cached: cluster, live: cluster, gone: () => [] }
  const written: Action[] = []
  const write = async (action: Action): Promise<Performed> => {
    written.push(action)
    return { outcome: answers?.[written.length - 1] ?? 'done' }
  }
  const context = { ...given, live: cluster, writer: cluster, signal: new AbortController().signal }
  const plain: Around = { ...given, sight }
  return { written, plain, carrying: { ...plain, carryOut: { write, context } } }
}

describe('controllers of different types stand in one list, and the machine runs them alike', () => {
  it('a turn with nobody to carry out answers the plan', async () => {
    const controllers: readonly Controller[] = [noteController, lampController(new Set())]
    const plans = await Promise.all(controllers.map((each) => each.turn(KEY, around().plain)))
    expect(plans.map((each) => each?.actions)).toEqual([
      [{ do: 'create', of: NOTE, object: { metadata: KEY }, because: 'XX-R1' }],
      [{ do: 'switch on', lamp: 'g', because: 'XX-R3' }],
    ])
    expect(plans[1]).toMatchObject({ againInMs: 500, results: [], notices: [{ reason: 'Lit' }] })
  })

  it('a write goes to the writer, a step to perform', async () => {
    const lit = new Set<string>()
    const { written, carrying } = around()
    const turns = [await noteController.turn(KEY, carrying), await lampController(lit).turn(KEY, carrying)]
    expect(written.map((action) => action.do)).toEqual(['create', 'merge'])
    expect([...lit]).toEqual(['g'])
    expect(turns[1]?.results).toMatchObject([{ outcome: 'done', answer: { lamp: 'g' } }])
  })

  it('an object that is gone has no turn', async () => {
    expect(await noteController.turn({ ...KEY, name: 'other' }, around().carrying)).toBeUndefined()
  })

  it.each([
    { name: 'goes on behind what was refused', answers: ['refused'], done: ['create', 'create', 'merge', 'merge'] },
    { name: 'stops behind what another writer overtook', answers: ['overtaken'], done: ['create', 'merge'] },
    { name: 'stops behind what failed', answers: ['failed'], done: ['create', 'merge'] },
  ] as const)('a plan $name, and its conclusion is carried out all the same', async ({ answers, done }) => {
    const { written, carrying } = around(answers)
    const plan = ({ gadget }: Beside) => ({ actions: [noteOn(gadget), noteOn(gadget)] })
    await defineController({ ...noteParts, plan }).turn(KEY, carrying)
    expect(written.map((action) => action.do)).toEqual(done)
  })

  it.each([
    { first: 'refused', done: ['create', 'merge'] },
    { first: 'needless', done: ['create', 'create', 'merge', 'merge'] },
  ] as const)('what follows an action that is $first: $done', async ({ first, done }) => {
    const { written, carrying } = around([first])
    const plan = ({ gadget }: Beside) => ({ actions: [noteOn(gadget), { ...noteOn(gadget), follows: true }] as const })
    await defineController({ ...noteParts, plan }).turn(KEY, carrying)
    expect(written.map((action) => action.do)).toEqual(done)
  })

  it.each([
    { first: 'failed', done: ['create', 'create', 'merge', 'merge'] },
    { first: 'overtaken', done: ['create', 'merge'] },
  ] as const)('NC-REC-03 what stands apart, behind one that is $first: $done', async ({ first, done }) => {
    const { written, carrying } = around([first])
    const plan = ({ gadget }: Beside) => {
      const apart = { ...noteOn(gadget), apart: true } as const
      return { actions: [noteOn(gadget), noteOn(gadget), apart] }
    }
    await defineController({ ...noteParts, plan }).turn(KEY, carrying)
    expect(written.map((action) => action.do)).toEqual(done)
  })

  it.each([
    { thrown: new Fault('THREAD_LOST', 'the lamp is away'), message: 'the lamp is away' },
    { thrown: new TypeError('password hunter2 is no lamp'), message: 'an unexpected error' },
  ])('a step that throws has failed, and the conclusion is carried out: $message', async ({ thrown, message }) => {
    const { written, carrying } = around()
    const lamp = defineController<Gadget, Beside, Switch>({
      ...noteParts,
      plan: () => ({ actions: [{ do: 'switch on', lamp: 'g', because: 'XX-R3' }] }),
      perform: () => Promise.reject(thrown),
      conclude: ({ gadget }, results) => ({ actions: results.map(({ outcome }) => phaseOf(gadget, outcome)) }),
    })
    const turn = await lamp.turn(KEY, carrying)
    expect(turn?.results).toMatchObject([{ outcome: 'failed', message }, { outcome: 'done' }])
    expect(written).toMatchObject([{ patch: { status: { phase: 'failed' } } }])
  })
})

describe('an action that the controller does not state is not carried out', () => {
  const action = noteOn(aGadget())
  it.each([
    { name: 'another verb', writes: [{ resource: NOTE, verbs: ['remove'] }] },
    { name: 'another resource', writes: [{ resource: GADGET, verbs: ['create'] }] },
    { name: 'a subresource of it', writes: [{ resource: NOTE, subresource: 'status', verbs: ['create'] }] },
  ] as const)('$name is stated', async ({ writes }) => {
    const { written, carrying } = around()
    const parts = { ...noteParts, writes, plan: () => ({ actions: [action] }), conclude: () => ({ actions: [] }) }
    const turn = await defineController<Gadget, Beside>(parts).turn(KEY, carrying)
    expect(written).toEqual([])
    expect(turn?.results).toEqual([
      { action, outcome: 'refused', message: 'controller note does not state that it may create this' },
    ])
  })

  it('nor is a step that no perform is there for', async () => {
    const step = { do: 'paint', because: 'XX-R4' }
    const { carrying } = around()
    const painting: ControllerParts<Gadget, Found<Gadget>, typeof step> = {
      ...{ name: 'painter', of: GADGET, watches: [], writes: [] },
      observe: (key, { cached }) => cached.get(GADGET, key),
      plan: () => ({ actions: [step] }),
    }
    expect((await defineController(painting).turn(KEY, carrying))?.results).toMatchObject([{ outcome: 'refused' }])
  })
})

describe('a change wakes keys', () => {
  const index: Index = {
    referring: ({ of, key }) => [{ namespace: key.namespace, name: `refers to ${of.plural} ${key.name}` }],
    all: (namespace) => [{ namespace, name: 'each' }],
  }
  const owner = { apiVersion: 'test.tars.io/v1', kind: 'Gadget', name: 'g', uid: 'u', controller: true }
  const labels = { app: 'Demo' }
  const a = (metadata: Partial<KubeObject['metadata']>) => ({ metadata: { namespace: 'demo', name: 'n', ...metadata } })
  const byApp = labelled(NOTE, ({ app }: Readonly<Record<string, string>>) => app?.toLowerCase())

  it.each([
    { name: 'its own', watch: noteController.watches[0], object: aGadget(), woken: ['g'] },
    { name: 'its own, of a draft that does not fit', watch: noteController.watches[0], object: a({}), woken: ['n'] },
    { name: 'the owner', watch: owned(NOTE, GADGET), object: a({ ownerReferences: [owner] }), woken: ['g'] },
    { name: 'no owner', watch: owned(NOTE, GADGET), object: a({}), woken: [] },
    {
      name: 'no owner that is not the controller',
      watch: owned(NOTE, GADGET),
      object: a({ ownerReferences: [{ ...owner, controller: false }] }),
      woken: [],
    },
    {
      name: 'no owner of another group',
      watch: owned(NOTE, GADGET),
      object: a({ ownerReferences: [{ ...owner, apiVersion: 'other.io/v1' }] }),
      woken: [],
    },
    { name: 'the key that the labels name', watch: byApp, object: a({ labels }), woken: ['demo'] },
    { name: 'no key where they name none', watch: byApp, object: a({}), woken: [] },
    { name: 'those that refer to it', watch: referred(NOTE), object: a({}), woken: ['refers to notes n'] },
    { name: 'all', watch: all(NOTE, (_, among) => among.all('demo')), object: a({}), woken: ['each'] },
  ])('$name', ({ watch, object, woken }) => {
    expect(watch?.wakes(object, index).map(({ name }) => name)).toEqual(woken)
  })

  it('what an object refers to is told by its controller', () => {
    const reference = { of: NOTE, key: { namespace: 'demo', name: 'acme' } }
    expect(lampController(new Set()).refersTo(aGadget({ maker: 'acme' }))).toEqual([reference])
    expect(noteController.refersTo(aGadget())).toEqual([])
  })

  it('a group wakes as its key', () => {
    const keyOf = () => ({ ...KEY, group: ['Demo', 'Echo'] })
    const { watches } = defineController({ ...noteParts, keyOf })
    expect(watches[0]?.wakes(aGadget(), index)).toEqual([{ ...KEY, group: ['Demo', 'Echo'] }])
  })
})
