import { describe, expect, it } from 'vitest'
import { isOfMetadata, keptFor, suffices } from '../../../src/cluster/kept.ts'
import { type Need, needsOf } from '../../../src/cluster/needs.ts'
import { GADGET } from '../../support/builders/gadget.ts'

const OTHER = { ...GADGET, plural: 'others', kind: 'Other' }
const NOTHING = { carrying: [], byLabels: [], byField: [] }
const [NAMES, PLACES] = [{ valuesOf: () => ['name'] }, { valuesOf: () => ['place'] }]

describe('one resource that several look up', () => {
  it.each<{ name: string; needs: Need[]; kept: unknown[] }>([
    { name: 'is not kept where it is asked live', needs: [{ resource: GADGET, asks: ['get'] }], kept: [] },
    {
      name: 'is kept once, with every index',
      needs: [
        { resource: GADGET, keeps: { byLabels: ['a', 'b'], byField: [NAMES] } },
        { resource: GADGET, keeps: { byLabels: ['b', 'c'], byField: [NAMES, PLACES] } },
        { resource: OTHER, keeps: {} },
      ],
      kept: [
        { ...NOTHING, resource: GADGET, byLabels: ['a', 'b', 'c'], byField: [NAMES, PLACES] },
        { ...NOTHING, resource: OTHER },
      ],
    },
    {
      name: 'is kept with every field that one of them asks for',
      needs: [
        { resource: GADGET, keeps: { fields: ['spec.x', 'spec.y'] } },
        { resource: GADGET, keeps: { fields: ['spec.y', 'metadata.annotations'] } },
        { resource: GADGET, asks: ['list'] },
      ],
      kept: [{ ...NOTHING, resource: GADGET, fields: ['spec.x', 'spec.y', 'metadata.annotations'] }],
    },
    ...[0, 1].map((first) => ({
      name: `is kept whole where one needs all of it, ${first ? 'the second' : 'the first'}`,
      needs: [{ fields: ['spec.x'] }, {}, { fields: ['spec.y'] }]
        .slice(first)
        .map((keeps) => ({ resource: GADGET, keeps })),
      kept: [{ ...NOTHING, resource: GADGET }],
    })),
    ...[0, 1].map((first) => ({
      name: `is kept as text where one asks for that, ${first ? 'the first' : 'the second'}`,
      needs: [{}, { asText: true } as const, {}]
        .slice(first, first + 2)
        .map((keeps) => ({ resource: GADGET, keeps: { fields: ['spec'], ...keeps } })),
      kept: [{ ...NOTHING, resource: GADGET, fields: ['spec'], asText: true }],
    })),
    {
      name: 'is kept once for each set of labels that it carries',
      needs: [
        { resource: GADGET, keeps: { carrying: ['a', 'b'], fields: ['spec.x'] } },
        { resource: GADGET, keeps: { carrying: ['b', 'a'], fields: ['spec.y'] } },
        { resource: GADGET, keeps: { fields: [] } },
      ],
      kept: [
        { ...NOTHING, resource: GADGET, carrying: ['a', 'b'], fields: ['spec.x', 'spec.y'] },
        { ...NOTHING, resource: GADGET, fields: [] },
      ],
    },
  ])('$name', ({ needs, kept }) => {
    expect(keptFor(needs)).toEqual(kept)
  })
})

describe('a process', () => {
  const read = { resource: GADGET, asks: ['get'] } as const
  const watch = { resource: OTHER, keeps: {} }
  const [kind, controller] = [
    { reads: [read], writes: [{ resource: GADGET, verbs: ['merge'] }] },
    { reads: [], watches: [watch], writes: [{ resource: OTHER, verbs: ['create'] }] },
  ] as const

  it('needs what its own parts state, and nothing of another', () => {
    const parts = { kinds: [kind], controllers: [controller] }
    expect(needsOf(parts, 'webhook')).toEqual({ reads: [read], writes: kind.writes })
    expect(needsOf(parts, 'worker')).toEqual({ reads: [watch], writes: controller.writes })
  })
})

describe('fields', () => {
  it.each([
    { name: 'none but of the metadata', fields: ['metadata.annotations'], alone: true },
    { name: 'none at all', fields: [], alone: true },
    { name: 'one of the specification', fields: ['metadata.annotations', 'spec.x'], alone: false },
    { name: 'all', fields: undefined, alone: false },
  ])('$name: metadata alone is listed and watched: $alone', ({ fields, alone }) => {
    expect(isOfMetadata({ ...(fields && { fields }) })).toBe(alone)
  })

  it.each([
    { name: 'all for one', kept: {}, wanted: { fields: ['spec.x'] }, does: true },
    { name: 'all for all', kept: {}, wanted: {}, does: true },
    { name: 'one for all', kept: { fields: ['spec.x'] }, wanted: {}, does: false },
    { name: 'one for another', kept: { fields: ['spec.x'] }, wanted: { fields: ['spec.y'] }, does: false },
    { name: 'two for one', kept: { fields: ['spec.x', 'spec.y'] }, wanted: { fields: ['spec.y'] }, does: true },
  ])('$name suffices: $does', ({ kept, wanted, does }) => {
    expect(suffices(kept, wanted)).toBe(does)
  })
})
