import { describe, expect, it } from 'vitest'
import { projectionOf } from '../../../src/cluster/projection.ts'
import type { Tree } from '../../../src/schema.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const metadata = { name: 'g', namespace: 'demo', uid: 'u', resourceVersion: '7', labels: { a: '1' } }
const more = { creationTimestamp: '2026-11-18T12:01:02Z', annotations: { [LAST_APPLIED]: '{"a": 1}', 'a.b/c': 'd' } }
const shortened = { ...more, annotations: { [LAST_APPLIED]: '', 'a.b/c': 'd' } }
const body = { apiVersion: 'v1', kind: 'Thing', spec: { parent: 'p', box: { width: 1, height: 2 } }, status: {} }
const list = [{ a: 1, d: 4 }, { a: 2, b: { c: 3, d: 4 } }, 'x', null]
const OBJECT = { ...body, list, metadata: { ...metadata, ...more } }

describe('of an object is kept', () => {
  it.each<{ name: string; fields: readonly string[] | undefined; kept: Tree }>([
    {
      name: 'all but the text last applied where no fields are named',
      fields: undefined,
      kept: { ...body, list, metadata: { ...metadata, ...shortened } },
    },
    { name: 'what names it, and its labels', fields: [], kept: { metadata } },
    {
      name: 'more of the metadata where that is asked for',
      fields: ['metadata.creationTimestamp', 'metadata.annotations', 'metadata.finalizers'],
      kept: { metadata: { ...metadata, ...shortened } },
    },
    {
      name: 'some of what stands together',
      fields: ['kind', 'spec.parent', 'spec.box.width'],
      kept: { kind: 'Thing', metadata, spec: { parent: 'p', box: { width: 1 } } },
    },
    {
      name: 'all of it where a part is asked for as well',
      fields: ['spec.box', 'spec.box.width', 'spec'],
      kept: { metadata, spec: body.spec },
    },
    {
      name: 'what is wrong, as it is',
      fields: ['kind.name', 'spec.parent.name'],
      kept: { kind: 'Thing', metadata, spec: { parent: 'p' } },
    },
    {
      name: 'of each item of a list what is asked for, and what is no object as it is',
      fields: ['list.a', 'list.b.c'],
      kept: { metadata, list: [{ a: 1 }, { a: 2, b: { c: 3 } }, 'x', null] },
    },
    { name: 'no field that is not there', fields: ['spec.none.at', 'data'], kept: { metadata, spec: {} } },
  ])('$name', ({ fields, kept }) => {
    const before = structuredClone(OBJECT)
    expect(projectionOf(fields)(OBJECT)).toEqual(kept)
    expect(OBJECT).toEqual(before)
  })
})
