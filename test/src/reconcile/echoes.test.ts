import { describe, expect, it } from 'vitest'
import type { MemoryCluster } from '../../../src/cluster/memory/memory-cluster.ts'
import type { Action } from '../../../src/reconcile/action.ts'
import { owned } from '../../../src/reconcile/watches.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { type Beside, NOTE, noteController } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { working } from '../../support/working.ts'

const REF = { namespace: 'demo', name: 'g' }
const edit = (memory: MemoryCluster, value: string) => memory.merge(NOTE, REF, { metadata: { labels: { by: value } } })

/** Keeps the label of a note that it makes. */
const labelled = ({ gadget, note }: Beside): Action => ({
  do: 'apply',
  of: NOTE,
  object: {
    apiVersion: 'v1',
    kind: 'Note',
    metadata: {
      ...REF,
      labels: { by: 'us' },
      ownerReferences: [
        { apiVersion: 'test.tars.io/v1', kind: 'Gadget', name: 'g', uid: gadget.metadata.uid ?? '', controller: true },
      ],
    },
  },
  ...(note && { over: note }),
  because: 'XX-R1',
})

async function keeping(exceptOwn: boolean) {
  const memory = clusterOf(aGadget())
  const controller = noteController({
    watches: [{ ...owned(NOTE, GADGET), ...(exceptOwn && { exceptOwn: true as const }) }],
    writes: [{ resource: NOTE, verbs: ['apply'] }],
    plan: (seen) => ({ actions: [labelled(seen)] }),
  })
  const { happened } = working([controller], { memory })
  return { memory, happened, first: await happened() }
}

describe('NC-WCH-03 what a key wrote itself', () => {
  it.each([
    { exceptOwn: true, turns: 1 },
    { exceptOwn: false, turns: 2 },
  ])('has $turns turns, where the watch leaves it out: $exceptOwn', async ({ exceptOwn, turns }) => {
    expect((await keeping(exceptOwn)).first).toHaveLength(turns)
  })

  it('wakes it when another one changes it, also to what it was, and when it is gone', async () => {
    const { memory, happened } = await keeping(true)
    for (const value of ['them', 'others']) {
      await edit(memory, value)
      expect(await happened()).toHaveLength(1)
      expect((await memory.get(NOTE, REF))?.metadata.labels).toEqual({ by: 'us' })
    }
    await memory.remove(NOTE, REF)
    expect(await happened()).toHaveLength(1)
    expect(await memory.get(NOTE, REF)).toBeDefined()
  })
})
