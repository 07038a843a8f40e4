import { describe, expect, it } from 'vitest'
import { structuralCheck } from '../../../../src/cluster/memory/structural-check.ts'
import { GADGET } from '../../../support/builders/gadget.ts'

const MANY = 10_000
const check = structuralCheck(GADGET.schema)
const rivets = (nameOf: (at: number) => string) => Array.from({ length: MANY }, (_, at) => ({ name: nameOf(at) }))
const holding = (drawer: unknown) => ({ spec: { title: 'ab', drawers: { a: drawer } } })

/** Quadratic work on so many takes seconds. */
const MOST_MS = 500
function quickly<T>(work: () => T): T {
  const before = process.threadCpuUsage()
  const found = work()
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(MOST_MS)
  return found
}

describe('10,000 items of a list with keys cost no more than their number (SV-17)', () => {
  check(holding([]))
  it('all alike, of which the second is told', () => {
    const found = quickly(() => check(holding(rivets(() => 'a'))).causes)
    expect(found).toMatchObject([{ reason: 'FieldValueDuplicate', field: 'spec.drawers[a][1]' }])
  })
  it('all too long', () => {
    expect(quickly(() => check(holding(rivets((at) => `rivet${at}`))).causes)).toHaveLength(MANY)
  })
  it('all too long, as they are stored already', () => {
    const stored = () => holding(rivets((at) => `rivet${at}`))
    expect(quickly(() => check(stored(), stored()).causes)).toEqual([])
  })
})
