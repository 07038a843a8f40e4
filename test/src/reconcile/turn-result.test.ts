import { describe, expect, it } from 'vitest'
import type { Notice, Outcome } from '../../../src/reconcile/action.ts'
import { noticesOf } from '../../../src/reconcile/turn-result.ts'
import { GADGET } from '../../support/builders/gadget.ts'

const warning = (message: string, reason = 'SyncFailed'): Notice => ({ type: 'Warning', reason, message })
const wrote = (outcome: Outcome) => ({
  ...{ action: { do: 'create', of: GADGET, object: { metadata: { name: 'g' } }, because: 'XX-R1' }, outcome },
  message: 'quota exceeded',
})

describe('WR-6, WK-7 what people read of a turn', () => {
  it.each([
    { name: 'nothing of one that went well', notices: [], outcomes: ['done', 'needless'], told: [] },
    { name: 'a refusal', notices: [], outcomes: ['done', 'refused'], told: [warning('Gadget: quota exceeded')] },
    {
      name: 'what the controller says of a refusal, instead',
      notices: [warning('in other words')],
      outcomes: ['refused'],
      told: [warning('in other words')],
    },
    {
      name: 'one event for each reason, since a second one would be dropped',
      notices: [warning('one'), warning('taken', 'OutControl'), warning('two'), warning('one')],
      outcomes: [],
      told: [warning('one; two'), warning('taken', 'OutControl')],
    },
  ] as const)('$name', ({ notices, outcomes, told }) => {
    const results = outcomes.map(wrote)
    expect(noticesOf({ result: 'done', turn: { actions: [], results, notices } })).toEqual(told)
  })

  it('nothing of a turn that did not come to its end', () => {
    expect(noticesOf({ result: 'thrown' })).toEqual([])
  })
})
