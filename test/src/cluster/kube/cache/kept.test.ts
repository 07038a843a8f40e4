import { describe, expect, it } from 'vitest'
import { keptResources } from '../../../../../src/cluster/kube/cache/kept.ts'
import type { Read } from '../../../../../src/kind.ts'
import { GADGET } from '../../../../support/builders/gadget.ts'

const OTHER = { ...GADGET, plural: 'others', kind: 'Other' }

describe('one resource that several kinds look up', () => {
  it.each<{ name: string; reads: Read[]; kept: unknown[] }>([
    { name: 'is not kept where nobody keeps it', reads: [{ resource: GADGET, asks: ['get'] }], kept: [] },
    {
      name: 'is kept once, with every index',
      reads: [
        { resource: GADGET, kept: { byLabels: ['a', 'b'] } },
        { resource: GADGET, kept: { byLabels: ['b', 'c'] } },
        { resource: OTHER, kept: { byLabels: [] } },
      ],
      kept: [
        { resource: GADGET, byLabels: ['a', 'b', 'c'], without: [] },
        { resource: OTHER, byLabels: [] },
      ],
    },
    {
      name: 'goes without what none of those that keep it needs',
      reads: [
        { resource: GADGET, kept: { byLabels: [], without: ['spec.x', 'spec.y'] } },
        { resource: GADGET, kept: { byLabels: [], without: ['spec.y', 'spec.z'] } },
        { resource: GADGET, asks: ['list'] },
      ],
      kept: [{ resource: GADGET, byLabels: [], without: ['spec.y'] }],
    },
    {
      name: 'is kept by its metadata where nobody needs more',
      reads: [
        { resource: GADGET, kept: { byLabels: ['a'], metadataOnly: true } },
        { resource: GADGET, kept: { byLabels: ['b'], metadataOnly: true } },
      ],
      kept: [{ resource: GADGET, byLabels: ['a', 'b'], metadataOnly: true, without: [] }],
    },
    ...[true, false].map((first) => ({
      name: `is kept whole where one needs more, ${first ? 'the second' : 'the first'}`,
      reads: [first, !first].map((metadataOnly): Read => {
        const wanted = metadataOnly ? ({ metadataOnly } as const) : { without: ['spec.x'] }
        return { resource: GADGET, kept: { byLabels: ['a'], ...wanted } }
      }),
      kept: [{ resource: GADGET, byLabels: ['a'], without: ['spec.x'] }],
    })),
  ])('$name', ({ reads, kept }) => {
    expect(keptResources(reads)).toEqual(kept)
  })
})
