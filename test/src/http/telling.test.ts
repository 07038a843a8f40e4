import { describe, expect, it } from 'vitest'
import { type Aside, type Mutation, set } from '../../../src/admission/mutation.ts'
import type { Metric } from '../../../src/metric.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'
import { rested } from '../../support/working.ts'

const { creationOf } = reviewsOf(GADGET)
const TURNS: Metric = { name: 'toy_turns_total', type: 'counter', labels: ['by'], help: 'Made up.' }
const TIME: Metric = { name: 'toy_seconds', type: 'histogram', labels: ['by'], help: 'Made up.', buckets: [1] }
const turn = (by: string) => ({ metric: TURNS, labels: { by }, value: 1 })
const notice = (reason: string) =>
  ({
    type: 'Warning',
    reason,
    message: 'no',
    about: { of: GADGET, ref: { namespace: 'demo', name: 'g' }, uid: 'u' },
  }) as const

const told: Aside = { notices: [notice('Edited')], measured: [turn('edit')] }
const editing: Mutation<Gadget> = { id: 'XX-M1', says: '', edits: () => ({ edits: [set('/spec/note', 'x')], ...told }) }
const refusing: Mutation<Gadget> = {
  id: 'XX-M2',
  says: '',
  edits: async () => ({
    ...{ refuse: aRule(), findings: [{ path: 'spec' }] },
    ...{ notices: [notice('Refused')], measured: [turn('refusal')] },
  }),
}

async function toldBy(path: string, mutate: readonly Mutation<Gadget>[], request = {}) {
  const times = { metric: TIME, labels: { by: path } }
  const rule = aRule({ measures: (finding, raw) => [turn(`${raw.operation} ${finding.path}`)] })
  const warning = aRule({ id: 'XX-V2', effect: 'warn', measures: () => [turn('warning')] })
  const { doors } = aKind()
  const kind = aKind({ mutate, validate: [rule, warning], doors: doors.map((door) => ({ ...door, times })) })
  await using server = await serving({ kinds: [kind, aKind({ doors: kind.doors, mutate: [editing] })] })
  const review = withRequest(creationOf(aGadget({ levels: { a: 9 } })), request)
  await server.caller.call(server.webhook(path), review)
  await rested() // the check of the answer has asked the kinds again
  const { samples, notices } = server.told
  const seconds = samples.filter(({ metric }) => metric === TIME)
  expect(seconds).toEqual([{ ...times, value: expect.any(Number) }])
  return {
    counted: samples.flatMap(({ metric, labels: { by } }) => (metric === TURNS ? [by] : [])),
    events: notices.map(({ reason }) => reason),
  }
}

describe('what decisions tell beside their answer', () => {
  it('is counted and becomes events, once, of all kinds that are asked', async () => {
    expect(await toldBy(MUTATING, [editing])).toEqual({ counted: ['edit', 'edit'], events: ['Edited', 'Edited'] })
  })

  it('counts beside a refusal, after the live read that decided', async () => {
    const { counted, events } = await toldBy(MUTATING, [editing, refusing])
    expect({ counted, events }).toEqual({
      counted: ['edit', 'refusal', 'edit'],
      events: ['Edited', 'Refused', 'Edited'],
    })
  })

  it('becomes no event in a dry run (PATCH-POD-18)', async () => {
    const { counted, events } = await toldBy(MUTATING, [editing], { dryRun: true })
    expect({ counted, events }).toEqual({ counted: ['edit', 'edit'], events: [] })
  })

  it('is what a rule measures of its findings, where it refuses', async () => {
    const { counted } = await toldBy(VALIDATING, [])
    expect(counted).toEqual(['CREATE spec.levels[a]'])
  })
})
