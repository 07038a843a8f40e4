import { describe, expect, it } from 'vitest'
import { anExplanation, patchFor } from '../../../support/builders/explanations.ts'

const BOTH = { n1: { disk: 'large', gpu: 'yes' } }
const env = (value: string) => ({ env: [{ name: 'MODE', value }] })
const MODE = 'spec.containers[agent].env[MODE].value'

describe('PATCH-DBG-1, PATCH-ORD-2 fields that several patches set', () => {
  it.each([
    { name: 'a higher priority decides', of: ['a', 'b'], priority: 1, entries: [1, 0], decidedBy: 'priority' },
    { name: 'the order of the list decides', of: ['a', 'b'], priority: 0, entries: [0, 1], decidedBy: 'list order' },
    { name: 'equal values', of: ['a', 'a'], priority: 0, entries: [0, 1], decidedBy: 'equal values' },
  ])('$name', ({ of: [one = '', other = ''], priority, entries, decidedBy }) => {
    const list = [patchFor('disk', 'large', env(one), priority), patchFor('gpu', 'yes', env(other))]
    expect(anExplanation({ list, nodes: BOTH }).overlaps).toEqual([{ path: MODE, entries, decidedBy, groups: [0] }])
  })

  it('three of which not all meet: each group has its own', () => {
    const list = [
      patchFor('disk', 'large', env('a')),
      patchFor('gpu', 'yes', env('b')),
      patchFor('zone', 'z', env('c'), 1),
    ]
    const nodes = { ...BOTH, n2: { disk: 'large', zone: 'z' } }
    expect(anExplanation({ list, nodes }).overlaps).toEqual([
      { path: MODE, entries: [0, 1], decidedBy: 'list order', groups: [0] },
      { path: MODE, entries: [0, 2], decidedBy: 'priority', groups: [1] },
    ])
  })

  it('they may meet on no Node', () => {
    const list = [patchFor('disk', 'large', env('a')), patchFor('gpu', 'yes', env('b'))]
    expect(anExplanation({ list }).overlaps).toMatchObject([{ path: MODE, groups: [] }])
  })

  it('other fields of one container do not overlap', () => {
    const list = [patchFor('disk', 'large', env('a')), patchFor('gpu', 'yes', { image: 'b:1' })]
    expect(anExplanation({ list, nodes: BOTH }).overlaps).toEqual([])
  })

  it('an entry that applies nowhere overlaps with nothing, and a patch far beyond its limit is left out', () => {
    const long = { ...env('b'), image: 'i'.repeat(17_000) }
    const list = [
      patchFor('disk', 'large', env('a')),
      { ...patchFor('gpu', 'yes', env('b')), selector: {} },
      patchFor('gpu', 'yes', long),
    ]
    expect(anExplanation({ list, nodes: BOTH }).overlaps).toEqual([])
  })
})
