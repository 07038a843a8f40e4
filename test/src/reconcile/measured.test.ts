import { expect, it } from 'vitest'
import type { Metric, Sample } from '../../../src/metric.ts'
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
