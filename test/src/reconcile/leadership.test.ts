import { expect, it } from 'vitest'
import { ALWAYS } from '../../../src/reconcile/leadership.ts'

it('without an election a process leads from the start, and it is said at once', () => {
  const heard: boolean[] = []
  ALWAYS.onChange((leads) => heard.push(leads))
  expect([ALWAYS.mayWrite(), heard]).toEqual([true, [true]])
})
