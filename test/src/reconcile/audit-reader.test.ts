import { expect, it } from 'vitest'
import { pacedReader } from '../../../src/reconcile/audit-reader.ts'
import type { Clock } from '../../../src/timing/clock.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { readerOf } from '../../support/fakes/readers.ts'

it('reads at most so many times a second, and never waits for less than no time', async () => {
  let ticks = 0
  const waits: number[] = []
  const clock: Clock = {
    now: () => new Date(0),
    tick: () => ticks++, // time goes on between any two looks
    random: () => 0,
    after(ms, act) {
      waits.push(ms)
      queueMicrotask(act)
      return () => undefined
    },
  }
  const live = readerOf()
  const reader = pacedReader(live, 20, clock, new AbortController().signal)
  await reader.get(TTEMPLATE, { namespace: 'demo', name: 'base' })
  await reader.list(TTEMPLATE, { namespace: 'demo' })
  await reader.dryRun(TTEMPLATE, aTTemplate(), 'create')
  expect(waits).toEqual([0, 49, 98])
})
