import { describe, expect, it } from 'vitest'
import { all } from '../../../src/reconcile/watches.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { NOTE, noteController } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { working } from '../../support/working.ts'

const named = (name: string) => ({ ...aGadget(), metadata: { namespace: 'demo', name } })

describe('a full pass leaves room for the other work of the process, such as the renewal of the Lease', () => {
  it('between two turns, and between a few objects', async () => {
    const memory = clusterOf(...Array.from({ length: 1_100 }, (_, i) => named(`g${i}`)))
    const later: (() => void)[] = []
    const plan = () => ({ actions: [] })
    const { happened } = working([noteController({ plan })], { memory, soon: (act) => later.push(act) })
    expect(await happened()).toEqual([])
    const portions: number[] = []
    for (let act = later.shift(); act !== undefined; act = later.shift()) {
      act()
      portions.push((await happened()).length)
    }
    expect(Math.max(...portions)).toBe(1)
    expect(portions.reduce((sum, each) => sum + each)).toBe(1_100)
  })

  it('of thousands of keys a part waits at once, and each has one turn, whatever its objects are', async () => {
    const count = 3_000
    const notes = Array.from({ length: count }, (_, i) => named(`g${i}`)).map((gadget) => ({ ...gadget, kind: 'Note' }))
    const memory = clusterOf(...Array.from({ length: count }, (_, i) => named(`g${i}`)), ...notes)
    const later: (() => void)[] = []
    const watches = [all(NOTE, ({ metadata: { namespace = '', name } }) => [{ namespace, name }])]
    const controller = noteController({ watches, plan: () => ({ actions: [] }) })
    const { happened, metrics } = working([controller], { memory, soon: (act) => later.push(act) })
    let turns = (await happened()).length
    const depths: number[] = []
    for (let act = later.shift(); act !== undefined; act = later.shift()) {
      act()
      turns += (await happened()).length
      if (turns % 100 === 0) depths.push(Number(/queue_depth{.*} (\d+)/.exec(await metrics())?.[1] ?? 0))
    }
    expect(turns).toBe(count)
    expect(Math.max(...depths)).toBeGreaterThan(500)
    expect(Math.max(...depths)).toBeLessThanOrEqual(1_500)
  })
})
