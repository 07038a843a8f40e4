import { expect, it } from 'vitest'
import type { Metric, Sample } from '../../../src/metric.ts'
import type { Controller } from '../../../src/reconcile/controller.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { noteController } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { working } from '../../support/working.ts'

const TURNS: Metric = { name: 'toy_turns_total', type: 'counter', labels: ['by'], help: 'Made up.' }
const turn = (by: string): Sample => ({ metric: TURNS, labels: { by }, value: 1 })

it('what a plan and its conclusion measure is counted once a turn', async () => {
  const counted: Sample[] = []
  const controller = noteController({
    plan: () => ({ actions: [], measured: [turn('plan')] }),
    conclude: () => ({ actions: [], measured: [turn('end')] }),
  })
  const measure = (samples: readonly Sample[]) => void counted.push(...samples)
  const { happened } = working([controller], { memory: clusterOf(aGadget()), measure })
  await happened()
  expect(counted).toEqual([turn('plan'), turn('end')])
})

it('NC-REC-73 what is measured of all objects together is measured when one is gone, too', async () => {
  const counted: number[] = []
  const gadgets: Metric = { name: 'toy_gadgets', type: 'gauge', labels: [], help: 'Made up.' }
  const counts: Controller['counts'] = async (cached) => {
    const { length: value } = await cached.list(GADGET, { namespace: '' })
    return [{ metric: gadgets, labels: {}, value }]
  }
  const controller = noteController({ plan: () => ({ actions: [] }), counts })
  const memory = clusterOf(aGadget())
  const measure = (samples: readonly Sample[]) => void counted.push(...samples.map(({ value }) => value))
  const { happened } = working([controller], { memory, measure })
  await happened()
  await memory.remove(GADGET, { namespace: 'demo', name: 'g' })
  await happened()
  expect(counted).toEqual([1, 0])
})
