import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { type Base, judged } from '../../../../webhooks/kruise/template/flaws.ts'

const BASE: Base = {
  selector: { matchLabels: { app: 'agent' } },
  template: {
    metadata: { labels: { app: 'agent' } },
    spec: {
      containers: [
        { name: 'one', image: 'a', ports: [{ containerPort: 80 }] },
        { name: 'two', image: 'b', volumeMounts: [{ name: 'data', mountPath: '/a' }] },
      ],
      volumes: [{ name: 'data', emptyDir: {} }],
    },
  },
}
const containers = (...list: readonly Tree[]) => ({ spec: { containers: list } })
function flawsOf(...patches: readonly Tree[]) {
  const { flaws } = judged(
    BASE,
    patches.map((patch, index) => ({ index, patch })),
  )
  return flaws.map(({ id, index, path }) => `${id} ${index} ${path}`)
}

describe('the place of a flaw in the patch', () => {
  it.each([
    {
      name: 'is found by the merge key, whatever the order of the template',
      patches: [containers({ name: 'two', ports: [{ containerPort: 0 }] })],
      found: 'PATCH-V-18 0 .spec.containers[0].ports[0].containerPort',
    },
    {
      name: 'is found by the number in a list that is replaced',
      patches: [containers({ name: 'x', image: 'a' }, { name: 'y', $patch: 'delete' }, { name: 'one', image: '' })],
      found: 'PATCH-V-18 0 .spec.containers[2].image',
    },
    {
      name: 'is the part around it if the patch took something away',
      patches: [{ spec: { volumes: [{ name: 'data', $patch: 'delete' }] } }],
      found: 'PATCH-V-18 0 .spec',
    },
    {
      name: 'is in the patch that goes deepest',
      patches: [containers({ name: 'one', image: '' }), containers({ name: 'two', env: [] })],
      found: 'PATCH-V-18 0 .spec.containers[0].image',
    },
    {
      name: 'is in the last of those that go as deep',
      patches: [containers({ name: 'one', image: '' }), containers({ name: 'one', image: '' })],
      found: 'PATCH-V-18 1 .spec.containers[0].image',
    },
    {
      name: 'has keys of maps in brackets',
      patches: [{ metadata: { labels: { 'a/b': '?' } } }],
      found: 'PATCH-V-18 0 .metadata.labels[a/b]',
    },
    {
      name: 'is the patch that cannot be merged',
      patches: [{}, { spec: { $patch: 'merge' } }],
      found: 'PATCH-V-17 1 ',
    },
  ])('$name', ({ patches, found }) => {
    expect(flawsOf(...patches)).toEqual([found])
  })

  it('is none where the limit of an extended resource is filled (PATCH-POD-INV-9)', () => {
    const resources = { requests: { 'nvidia.com/gpu': 1 } }
    const { flaws, result } = judged(BASE, [{ index: 0, patch: containers({ name: 'one', resources }) }])
    expect(flaws).toEqual([])
    expect(result).toMatchObject({ spec: { containers: [{ resources: { limits: { 'nvidia.com/gpu': 1 } } }, {}] } })
  })

  it('a template that its own selector does not match is not the fault of a patch', () => {
    const base = { ...BASE, selector: { matchLabels: { app: 'other' } } }
    expect(judged(base, [{ index: 0, patch: { metadata: { labels: { app: 'x' } } } }]).flaws).toEqual([])
  })
})
