import { describe, expect, it } from 'vitest'
import type { Found } from '../../../src/cluster/port.ts'
import { Cells } from '../../../src/reconcile/cells.ts'
import { defineController, type Plan } from '../../../src/reconcile/controller.ts'
import type { Leadership } from '../../../src/reconcile/leadership.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { clusterOf } from '../../support/clusters.ts'
import { working } from '../../support/working.ts'

const KEY = { namespace: 'demo', name: 'g' }

/** Counts the turns of each key, as far as it remembers; at a count of 9 it forgets. */
function counting(concludes = false) {
  const remembered: (number | undefined)[] = []
  const next = (count: number) => (count < 9 ? { actions: [], remember: count } : { actions: [] })
  const controller = defineController<Gadget, Found<Gadget>, never, number>({
    name: 'counting',
    of: GADGET,
    watches: [],
    writes: [],
    observe: (key, { cached }) => cached.get(GADGET, key),
    plan({ spec }, given): Plan<never, number> {
      remembered.push(given.remembered)
      if (spec?.count === 10) throw new Error('a mistake')
      return next(spec?.count === 9 ? 9 : (given.remembered ?? 0) + 1)
    },
    ...(concludes && { conclude: () => ({ actions: [], remember: 7 }) }),
  })
  return { controller, remembered }
}

/** Leads until it is taken away, and again when it is given back. */
function leading(): Leadership & { readonly tell: (leads: boolean) => void } {
  const hear: ((leads: boolean) => void)[] = []
  return {
    identity: 'one',
    mayWrite: () => true,
    term: new AbortController().signal,
    onChange: (act) => {
      hear.push(act)
      act(true)
    },
    tell: (leads) => hear.forEach((act) => void act(leads)),
  }
}

describe('what a plan remembers', () => {
  const run = (concludes?: boolean) => {
    const memory = clusterOf(aGadget())
    const { controller, remembered } = counting(concludes)
    const leadership = leading()
    const { happened } = working([controller], { memory, leadership })
    const touch = async (count: number) => {
      await memory.merge(GADGET, KEY, { spec: { count } })
      return happened()
    }
    return { memory, remembered, happened, touch, leadership }
  }

  it('is handed to the next plan of its key, and to that of no other', async () => {
    const { memory, remembered, happened, touch } = run()
    await happened()
    await touch(1)
    await touch(2)
    expect(remembered.splice(0)).toEqual([undefined, 1, 2])
    await memory.create(GADGET, { ...aGadget(), metadata: { namespace: 'demo', name: 'other' } })
    await happened()
    expect(remembered).toEqual([undefined])
  })

  it('is forgotten by a plan that remembers nothing, and kept by one that throws', async () => {
    const { remembered, happened, touch } = run()
    await happened()
    await touch(10)
    await touch(9)
    await touch(1)
    expect(remembered).toEqual([undefined, 1, 1, undefined])
  })

  it('is replaced by what the results call for', async () => {
    const { remembered, happened, touch } = run(true)
    await happened()
    await touch(1)
    expect(remembered).toEqual([undefined, 7])
  })

  it('is kept when the object of its key is made, and is gone with that object', () => {
    const cells = new Cells()
    const first = cells.of(KEY, undefined)
    expect(cells.of(KEY, 'a')).toBe(first)
    expect(cells.of(KEY, 'a')).toBe(first)
    expect(cells.of(KEY, undefined)).not.toBe(first)
    expect(cells.of(KEY, 'b')).not.toBe(first)
  })

  it('is gone with the key', async () => {
    const { memory, remembered, happened } = run()
    await happened()
    await memory.remove(GADGET, KEY)
    await happened()
    await memory.create(GADGET, aGadget())
    await happened()
    expect(remembered).toEqual([undefined, undefined])
  })

  it('is gone with the object, also if another one has its name before the next turn', async () => {
    const { memory, remembered, happened } = run()
    await happened()
    await memory.remove(GADGET, KEY)
    await memory.create(GADGET, aGadget())
    await happened()
    expect(remembered).toEqual([undefined, undefined])
  })

  it('is gone with the leadership: another process has gone on since', async () => {
    const { remembered, happened, leadership } = run()
    await happened()
    leadership.tell(false)
    leadership.tell(true)
    await happened()
    expect(remembered).toEqual([undefined, undefined])
  })
})
